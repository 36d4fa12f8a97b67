"""The documents of f-puzzles.com (plain JSON data) and the puzzles that they state; links to them are in `document_formats`."""
