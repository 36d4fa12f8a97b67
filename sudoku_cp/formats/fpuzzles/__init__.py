"""The documents of f-puzzles.com (plain data of JSON) and the puzzles that they say; links to them are in `document_links`."""
