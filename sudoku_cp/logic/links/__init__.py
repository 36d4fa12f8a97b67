"""Links between claims that a cell, or one of a few cells, holds a value: what chains, nice loops and forcing chains follow.

`link_table` makes the links of a position, those through almost locked sets among them, and says what proves each;
`consequences` finds all that chains can show; `loops` follows links breadth first, makes steps of chains, and finds loops and
what these eliminate. A new source of links is one more function that adds to a table.
"""
