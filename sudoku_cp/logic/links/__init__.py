"""Links between claims that a cell, or one of a few cells, holds a value: what chains, nice loops and forcing chains follow.

`link_table` makes the links of a position, those through almost locked sets among them, and says what proves each;
`consequences` tells what chains can show at all, and `walks` follows links breadth first; `loops` finds those that close, and
what these eliminate; `walks` makes steps of chains of either kind. A new source of links is one more function that adds to a
table.
"""
