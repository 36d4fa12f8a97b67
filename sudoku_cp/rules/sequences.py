"""Rules ... (sequences)."""
