"""Rules ... (sums)."""
