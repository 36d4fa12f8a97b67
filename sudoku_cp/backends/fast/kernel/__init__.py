"""The lane kernel: compiled code that solves as many plain grids at a time as a vector has lanes."""
