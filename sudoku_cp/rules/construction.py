"""Rules ... (construction)."""
