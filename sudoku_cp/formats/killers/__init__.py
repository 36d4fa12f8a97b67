"""Killer sudokus as lines of text, in three common formats."""
