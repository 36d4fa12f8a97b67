"""The native engine: propagate to a fixpoint, then guess; without recursion, in a gear to read and a compiled one."""
