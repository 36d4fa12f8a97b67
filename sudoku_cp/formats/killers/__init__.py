"""Killer sudokus as lines of text, in the three ways that programs have agreed on."""
