"""Rules ... (edges)."""
