"""The readable reference engine: propagate to a fixpoint, then guess, with an explicit stack and no recursion."""
