"""The verb ``explain``."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions, input_records
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.typed_options import option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.questions.answer import worst
from sudoku_cp.questions.explain import Explaining, ExplainQuestion
from sudoku_cp.questions.question import Run, Start

if TYPE_CHECKING:
    from sudoku_cp.formats import SolvingState
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.puzzle import Position

QUESTION = re.compile(r"(r\d+c\d+)=(\S)", re.IGNORECASE)
"""A cell and the sign of a value."""
UNASKED = 8
"""Lines of a proof shown by default; the rest is folded."""
_ALMOST = re.compile(r"r\d+c\d+(\w*|=.*)|[a-z]{1,2}\d{1,2}=\S*", re.IGNORECASE)
"""What is like a question: ``r5c7``, ``r5c7=10``, ``A1=5``."""


def explain(
    puzzles: Puzzles,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Print every line of a proof, however long it is.")] = False,
    options: Explaining = Explaining(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Explain why cells cannot hold values."""
    texts = [argument for argument in puzzles if QUESTION.fullmatch(argument)]
    almost = [argument for argument in puzzles if argument not in texts and _ALMOST.fullmatch(argument)]
    if almost:
        raise InvalidInput([_almost_words(argument) for argument in almost])
    if not texts:
        raise InvalidInput("expected a question such as r5c7=4 after the puzzle, got none")
    sources = [argument for argument in puzzles if argument not in texts]

    refuse_typed(option_problems(options))

    def answer(index: int, position: Position, state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        del state
        clock, start = options.limits().started(), Start(position)
        questions = [_parse_question(options, text) for text in texts]
        if misfits := [f"{text}: {misfit}" for text, one in zip(texts, questions, strict=True) for misfit in one.misfits(start)]:
            raise InvalidInput(misfits)
        found = [one.answer(start, Run(clock.left())) for one in questions]
        if as_json:
            answers = [answer for one in found for answer in one.to_json()["answers"]]
            output.print_json({"index": index, "answers": answers} | extra_fields)
        else:
            lines = [line for one in found for line in _lines(one.found, everything=everything)]
            output.print_text("\n".join(lines if alone else [f"puzzle {index}:", *lines]))
        return worst({one.exit_code for one in found})

    return answer_positions(input_records(sources or ["-"], options), answer, as_json=as_json, quiet=quiet)


def _almost_words(argument: str) -> str:
    """Return what is wrong with an argument that is like a question."""
    cell, _, sign = argument.partition("=")
    long_sign = len(sign) > 1 and QUESTION.fullmatch(f"{cell}={sign[0]}")
    more = f": a value is one sign of the puzzle, such as A for 10, and not {sign[:20]}" if long_sign else ""
    return f"expected a question such as r5c7=4, got {argument!r:.60}{more}"


def _parse_question(options: Explaining, text: str) -> ExplainQuestion:
    """Return the question about the cell and the value of ``r5c7=4``; the value in the puzzle's own symbols."""
    cell, _, sign = text.partition("=")
    return ExplainQuestion(**{one.name: getattr(options, one.name) for one in fields(options)}, cell=cell, value=sign)


def _lines(found: Explanation | LimitReached, *, everything: bool) -> list[str]:
    if isinstance(found, LimitReached):
        return [f"unknown: {found}"]
    first, *rest = found.sentences(None if everything else UNASKED)
    return [first, *(f"  {line}" for line in rest)]
