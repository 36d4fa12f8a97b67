"""What formats of lines and rows of text share: alphabets, rows of cells, boards of rows, candidates."""
