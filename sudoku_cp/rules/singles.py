"""Rules ... (singles)."""
