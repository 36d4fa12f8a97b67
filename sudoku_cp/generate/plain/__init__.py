"""The generator for plain boards, many at a time, on the lane kernel."""
