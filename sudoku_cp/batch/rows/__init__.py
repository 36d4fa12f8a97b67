"""Reading inputs in chunks of records, and writing answers and new puzzles as rows of text, CSV, JSON or Parquet."""
