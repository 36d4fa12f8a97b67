"""A supervised pool of worker processes: every task is answered by its deadline, whatever an engine does."""
