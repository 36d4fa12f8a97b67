"""The lane kernel: search for solutions of as many plain grids at a time as a vector has lanes, in compiled code."""
