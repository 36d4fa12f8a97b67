"""The native engine: propagate to a fixpoint, then guess; without recursion, in a tier to read and a compiled one."""
