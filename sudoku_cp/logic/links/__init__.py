"""Links between claims that a cell, or one of a few cells, holds a value: what chains, nice loops and forcing chains follow.

`link_table` makes the links of a position, `link_reasons` says what proves each, `walks` follows them breadth first, `loops` finds
those that close. A new source of links is one more function that adds to a table.
"""
