"""Helpers for formats of lines and rows of text: alphabets, rows of cells, boards of rows, candidates."""
