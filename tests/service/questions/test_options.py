"""The bodies of questions have the options of the command line: names, defaults, bounds, and the same words for them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError
from typer.models import OptionInfo

from sudoku_cp.cli.parser import flatten_options
from sudoku_cp.cli.verbs import VERBS, verb_function
from sudoku_cp.questions.registry import NAMES
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.service.questions.examples import example_of

OF_FILES = {
    *("out", "resume", "force", "workers", "cluster", "svg", "html", "certificates", "certificates-to", "shard", "to"),
    *("json", "quiet", "ascii", "stream", "trace", "marks", "words", "fuzz", "skip", "folders"),
}
"""Options of the command line for files and terminals, which a service has not."""
OWN = {"job", "puzzle", "position", "known", "cell", "value", "certificate", "layers", "link", "preview"}
"""Fields that say over HTTP what the command line has arguments, files or other questions for."""
LATER_DEFAULT = {"timeout", "limit", "backends", "count", "scale", "technique", "needs"}
"""Options that the command line fills in later, or whose time the service limits itself."""
SHARED = [verb for verb in QUESTIONS if verb in VERBS and verb not in NAMES]
"""Questions that are described twice; the others are declared once."""


def options_of(verb: str) -> dict[str, tuple[Any, OptionInfo]]:
    """Return the default and the declaration of each option of a verb of the command line, by its name."""
    found = {}
    for parameter in flatten_options(verb_function(verb)).__signature__.parameters.values():  # type: ignore[attr-defined]
        for one in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(one, OptionInfo):
                names = [name for name in (one.default, *(one.param_decls or ())) if str(name).startswith("--")]
                name = str(names[0])[2:] if names else parameter.name.replace("_", "-")
                found[name] = (parameter.default, one)
    return found


def fields_of(verb: str) -> dict[str, Any]:
    """Return the fields of a question by the names in a body."""
    return {field.alias or name: field for name, field in QUESTIONS[verb].request.model_fields.items()}


UNLIKE = {
    "compare": {"seed"},  # of random puzzles
    "explain": {"all"},  # for people: JSON has every line
    "convert": {"timeout"},  # as every question of a service has
    "generate": set(),
    # The puzzles are in the body, fonts are files, and what is generated is a question of its own.
    "print": {"puzzles", "positions", "generate", "font"},
}
"""What some verbs have here or there only."""


@pytest.mark.parametrize("verb", SHARED)
def test_options_have_the_names_of_the_command_line(verb):
    """Every option of a verb is a field, and every field an option, but for what only files or only services have."""
    options = {name.replace("-", "_") for name in options_of(verb).keys() - OF_FILES}
    assert (fields_of(verb).keys() - OWN - OF_FILES) ^ options == UNLIKE.get(verb, set())


@pytest.mark.parametrize("verb", SHARED)
def test_defaults_and_bounds_are_the_same(verb):
    """An option that is left out means the same, and so does the least value that is taken."""
    fields = fields_of(verb)
    for name, (default, option) in options_of(verb).items():
        field = fields.get(name.replace("-", "_"))
        if field is None or name in OF_FILES:
            continue
        if name not in LATER_DEFAULT:
            assert (field.get_default() or None) == (default or None), name
        least = {str(one): one for one in field.metadata}
        bounds = [getattr(one, "ge", None) for one in least.values() if hasattr(one, "ge")]
        assert not bounds or option.min in {None, *bounds}, name


@pytest.mark.parametrize("verb", SHARED)
def test_descriptions_are_the_words_of_the_help(verb):
    """A description says what ``--help`` says: nobody explains an option twice."""
    fields = fields_of(verb)
    strange = []
    for name, (_, option) in options_of(verb).items():
        field = fields.get(name.replace("-", "_"))
        if field is None or name in OF_FILES:
            continue
        ours, theirs = (words(text) for text in (field.description, option.help))
        if len(ours & theirs) < 0.5 * len(ours):
            strange.append((name, field.description, option.help))
    assert not strange


def words(text: str | None) -> set[str]:
    """Return the words of a text."""
    return set(re.findall(r"[a-z]+", (text or "").lower()))


@pytest.mark.parametrize("verb", QUESTIONS)
def test_a_field_that_is_not_known_is_refused(verb):
    """An option of another question is an error, and never passed over."""
    with pytest.raises(ValidationError, match="nonsense"):
        QUESTIONS[verb].request.model_validate(example_of(verb) | {"nonsense": 1})


@pytest.mark.parametrize("verb", QUESTIONS)
def test_every_field_is_described(verb):
    """Whoever reads the document of the service learns what each field means."""
    assert all(field.description for field in QUESTIONS[verb].request.model_fields.values())
