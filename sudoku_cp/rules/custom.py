"""Rules ... (custom)."""
