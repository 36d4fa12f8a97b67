"""Plain boards, many at a time, by the lane kernel."""
