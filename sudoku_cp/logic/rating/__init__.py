"""How hard a puzzle is: ratings by the techniques and by the lengths of the chains that it takes."""
