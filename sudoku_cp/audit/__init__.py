"""Other people's puzzles, looked through: malformed, contradictory, not unique, not minimal, twice there, wrongly solved."""
