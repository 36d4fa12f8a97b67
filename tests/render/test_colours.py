"""Colours that can be distinguished."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.render.colours import ColourUse, Form, are_rivals, confusable_names, distinct_colours, readable_ink

COLOURS = ("#CFCFCF", "#D8D8D8", "#A1A1A1", "#67F067", "#30D5C8", "#33BBBB", "#CDB1EC", "#B0A8E0", "#000000")
PAINTS = st.builds(
    ColourUse, st.sampled_from(get_args(Form)), st.sampled_from("abcdef"), st.sampled_from([(), (1,)]), st.sampled_from(COLOURS)
)


@given(paints=st.sets(PAINTS, max_size=6))
@settings(max_examples=50)
def test_what_would_be_taken_for_one_another_differs(paints):
    """While palettes last, no two uses that are rivals have one colour; the answer depends on the set alone."""
    colours = distinct_colours(paints)
    assert set(colours) == paints
    for one, other in combinations(paints, 2):
        if are_rivals(one, other):
            assert colours[one] != colours[other]
    assert distinct_colours(sorted(paints, reverse=True)) == colours


@given(paints=st.sets(PAINTS, max_size=6))
@settings(max_examples=30)
def test_what_is_clear_keeps_its_colour(paints):
    """If no names can be confused, all keep their colours; groups of one name are another matter."""
    alone = {paint._replace(group=()) for paint in paints}
    clear = {paint for paint in alone if paint.name not in confusable_names(alone)}
    assert all(colour == paint.colour for paint, colour in distinct_colours(clear).items())


def test_near_colours_are_told_apart_too():
    """Turquoise and teal lines are as hard to tell apart as two grey ones; a grey line on a grey ground cannot be seen at all."""
    for form, colour, other_form, other in (
        ("broad", "#30D5C8", "broad", "#33BBBB"),
        ("broad", "#CDB1EC", "broad", "#B0A8E0"),
        ("broad", "#CFCFCF", "ground", "#D8D8D8"),
        ("circle", "#D8D8D8", "ground", "#D8D8D8"),
    ):
        assert confusable_names([ColourUse(form, "one", (), colour), ColourUse(other_form, "other", (), other)]) == {
            "one",
            "other",
        }
    assert not confusable_names([ColourUse("broad", "one", (), "#67F067"), ColourUse("broad", "other", (), "#F067F0")])


def test_letters_can_be_read():
    """Pale colours give way to black, dark ones stay."""
    assert readable_ink("#CFCFCF") == readable_ink("#000000") == "#000000"
    assert readable_ink("#1F5FA8") == "#1F5FA8"
