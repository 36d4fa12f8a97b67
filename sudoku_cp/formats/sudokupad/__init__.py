"""The documents of SudokuPad (plain data of JSON): read, written with its exact parts alone, and drawn for people."""
