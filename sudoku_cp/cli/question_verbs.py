"""Verbs that are made from the declarations of questions: each puzzle is read, asked about, and answered in words or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import CountedRecords, JsonFields, answer_records
from sudoku_cp.cli.output import ProgressBar
from sudoku_cp.cli.typed_options import option_problems, refuse_typed, spell_typed
from sudoku_cp.questions.question import Question, Run, Solving

if TYPE_CHECKING:
    from sudoku_cp.cli.options import Json, Puzzles, Quiet
    from sudoku_cp.puzzle import Puzzle


def verb_of(question: type[Question]) -> Callable[..., int]:
    """Return the verb that asks a question about each of its puzzles; called with these alone, it has no options."""

    def verb(puzzles: Puzzles, *, question: Question = question(), as_json: Json = False, quiet: Quiet = False) -> int:
        assert isinstance(question, Solving)  # noqa: S101  # no others are declared yet
        return _answer_each(question, puzzles, as_json=as_json, quiet=quiet)

    verb.__name__ = question.name
    verb.__doc__ = spell_typed(question.__doc__ or "")
    verb.__annotations__["question"] = question
    return verb


def _answer_each(question: Solving, puzzles: list[str], *, as_json: bool, quiet: bool) -> int:
    refuse_typed(option_problems(question))
    records = CountedRecords(puzzles, question)

    def show(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        with ProgressBar(None, quiet=quiet, unit=question.unit) as bar:
            run = Run(question.limits(), lambda number, _: bar.show(number, number), records.expected_count)
            answer = question.answer(puzzle, run)
        if as_json:
            output.print_json({"index": index} | answer.to_json() | extra_fields)
        else:
            output.print_text(("" if alone else f"{index}\t") + answer.in_words())
            if answer.remark and not quiet:
                output.remark(spell_typed(answer.remark))
        return answer.exit_code

    return answer_records(iter(records), show, as_json=as_json, quiet=quiet)
