"""The documents of SudokuPad (plain JSON data): read, written with its exact parts alone, and drawn for people."""
