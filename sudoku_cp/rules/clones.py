"""Rules ... (clones)."""
