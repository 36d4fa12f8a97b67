"""The compiled tier: a finite-domain kernel for Numba, which works on the arrays of `memory` and uses no Python objects."""
