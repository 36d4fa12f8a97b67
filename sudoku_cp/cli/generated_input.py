"""Puzzles that are generated for another verb: ``--generate '-n 300 --rules killer'``, with the options of ``generate``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import typer

from sudoku_cp.cli.flat_options import flatten_options
from sudoku_cp.cli.output import ProgressBar
from sudoku_cp.cli.typed_options import read_typed_pattern, spell_error, with_levels_read
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.difficulty_mix import check_total
from sudoku_cp.generate.request_parsing import Problems
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.questions.generate import GenerateQuestion


class GeneratedInput:
    """Puzzles to generate, as typed in one text; they are checked at once, and made when they are iterated over."""

    def __init__(self, text: str, *, quiet: bool) -> None:
        """Parse the options; raise `InvalidInput` with what is wrong with them."""
        self._quiet = quiet
        question = with_levels_read(_parse(text))
        problems = Problems()
        self._count, self.seed = question.puzzle_count, question.seed
        names = question.find_levels().names
        problems.read(lambda: check_total(question.difficulty, self._count, "count", names), None, of="difficulty")
        self._request = question.request(problems, read_typed_pattern)

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles; each is proved to have one solution, which it states."""
        from sudoku_cp.backends import UNLIMITED  # noqa: PLC0415  # with arrays, which --help does without
        from sudoku_cp.generate.api import choose_seed, make_generator  # noqa: PLC0415
        from sudoku_cp.generate.chunks import generate_in_chunks  # noqa: PLC0415

        seed = choose_seed(self.seed)
        made = 0
        with ProgressBar(self._count, quiet=self._quiet) as bar:
            for part in generate_in_chunks(make_generator(self._request, seed), seed, self._count, 1.0, UNLIMITED):
                made += len(part)
                bar.show(made, made, "")
                yield from (one.puzzle for one, _ in part.each())


def _parse(text: str) -> GenerateQuestion:
    """Return the question that the options of a text ask."""
    found: list[GenerateQuestion] = []

    def generate(*, question: GenerateQuestion = GenerateQuestion()) -> int:
        found.append(question)
        return 0

    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(flatten_options(generate))
    try:
        typer.main.get_command(app).main(shlex.split(text), prog_name="--generate", standalone_mode=False)
    except ValueError as error:  # quotes that do not close
        raise InvalidInput(
            f"--generate: expected options of the verb generate, got {text!r:.80}: {spell_error(error)}"
        ) from error
    except _UsageError as error:
        raise InvalidInput(
            f"--generate: expected options of the verb generate, got {text!r:.80}: {error.format_message()}"
        ) from error
    if not found:  # --help has been printed
        raise InvalidInput(f"--generate: expected options of the verb generate for puzzles, got {text!r:.80}, which makes none")
    return found[0]


_UsageError: Any = typer.BadParameter.__mro__[1]  # as in `parser`
