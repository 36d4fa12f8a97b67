"""The question ``generate``: new puzzles, each sent as soon as it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput, LimitReached, Problem
from sudoku_cp.questions.answer import ABSENT, PuzzleJson, QuestionAnswer, Solution, answer_field
from sudoku_cp.questions.question import Fields, Levelled, Run, option, seed_option
from sudoku_cp.questions.rate import ScalesJson, with_scales

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sudoku_cp.generate import GenerateRequest
    from sudoku_cp.generate.request_parsing import Problems
    from sudoku_cp.grid import Cell, Grid


@dataclass(frozen=True, eq=False, kw_only=True)
class Requesting(Levelled):
    """What new puzzles are to be like."""

    size: int | str | None = option(
        "The side of the board, such as 16; or ROWSxCOLUMNS.", None, metavar="SIDE", shown_default="9"
    )
    boxes: str | None = option("The boxes, such as 3x2 at 6; 'none' for no boxes.", None, metavar="HEIGHTxWIDTH")
    rules: str | list[str | dict[str, Any]] = option(
        "Rules of the whole board (diagonals), kinds of clues (killer, thermo), jigsaw, comma-separated; or rules as JSON.",
        "",
        is_long=True,
        metavar="NAMES",
        completion="complete_rules_to_generate",
    )
    style: str = option(
        "How clues look together: beautiful (symmetric, few and long), sparse (fewer), rich (more), any (wherever they fit).",
        "",
        metavar="NAME",
        shown_default="beautiful",
        completion="complete_style",
    )
    difficulty: str | None = option(
        "easy, medium, hard, expert, fiendish, diabolical, extreme (or your own `levels`); several: easy,hard; or a number"
        " of each: easy:50,hard:50.",
        None,
        metavar="WORDS",
        completion="complete_difficulty",
    )
    guesses: int | str | None = option("How many guesses the reference search takes: 2..5, 3.., or 0.", None, metavar="MIN..MAX")
    givens: int | str | None = option("How many givens: 24, 22..25, ..22.", None, metavar="MIN..MAX")
    singles_only: bool = option("Make puzzles that singles alone solve.", False)
    symmetry: str = option(
        "The symmetry of givens and clues: rot180, rot90, mirror, mirror-down, diagonal, antidiagonal, mirrors, diagonals, full.",
        "none",
        metavar="NAME",
        completion="complete_symmetry",
    )
    pattern: str | None = option(
        "The cells of givens as text, # for given and . for blank cells; on the command line, a file of that too.",
        None,
        is_long=True,
        metavar="FILE",
    )
    minimal: bool = option("Make minimal puzzles: no given and no clue can be left out.", False)
    any_path: bool = option("Make variants as they come, even if named steps of hints do not solve them.", False)
    rating: str | None = option(
        "The rating: se:6.6..7.2 (Sudoku Explainer 1.2.1), sukaku:6.2..6.8 (Sukaku Explainer 1.18.1), proof:5..9,"
        " hodoku:1000..1600 (HoDoKu 2.2).",
        None,
        metavar="SCALE:MIN..MAX",
    )
    needs: list[str] = option(
        "Techniques (names or codes) that the easiest path must need.",
        (),
        metavar="NAME",
        completion="complete_technique",
    )

    def request(self, problems: Problems, read_pattern: Callable[[str, Grid], tuple[Cell, ...]] | None = None) -> GenerateRequest:
        """Return the request; raise `InvalidInput` with all its problems, after those found already.

        ``read_pattern`` reads the pattern, which is its text unless a reader knows files of patterns.
        """
        from sudoku_cp.generate.request_parsing import (  # noqa: PLC0415
            Problems,
            parse_pattern,  # for answers alone
            parse_request_options,
            parse_span_text,
        )

        grid = problems.read(lambda: self._grid(self.boxes), None)
        if grid is None:  # a board without boxes will do to find the other problems
            grid = Problems().read(lambda: self._grid("none"), None)
        spans = {name: getattr(self, name) for name in ("givens", "guesses")}
        parsed: dict[str, Any] = {"pattern": None} | {
            name: problems.read(
                lambda name=name, span=span: parse_span_text(name, None if span is None else str(span)),  # type: ignore[misc]
                None,
            )
            for name, span in spans.items()
        }
        if grid is not None and self.pattern is not None:
            read, text = read_pattern or parse_pattern, self.pattern
            parsed["pattern"] = problems.read(lambda: read(text, grid), None, of="pattern")
        wishes = ("rules", "style", "difficulty", "singles_only", "symmetry", "minimal", "any_path", "rating", "needs", "levels")
        return parse_request_options(problems, grid, parsed | {name: getattr(self, name) for name in wishes})

    def _grid(self, boxes: str | None) -> Grid:
        from sudoku_cp.formats.grid_text import parse_grid  # noqa: PLC0415  # for answers alone
        from sudoku_cp.grid import Grid  # noqa: PLC0415  # as above

        size = "" if self.size is None else str(self.size)
        return parse_grid(size.strip() or None, boxes) or Grid.square()


@dataclass(frozen=True, eq=False, kw_only=True)
class GenerateQuestion(Requesting):
    """Generate new puzzles, each proved to have one solution and no two isomorphic; the same seed and options repeat them.

    The exit code is 3 if a limit came first: the puzzles found are kept.
    """

    name = "generate"
    subject = "nothing"
    example: ClassVar[Fields] = {"count": 2, "size": 4, "seed": 1}

    count: int | None = option(
        "How many puzzles.", None, ge=1, metavar="NUMBER", short="-n", shown_default="1, or the sum of `difficulty`"
    )
    seed: int | None = seed_option("With the same options, a seed makes the same puzzles.")
    cross_check: float = option(
        "Prove only this share of the puzzles with another engine, such as 0.01.", 1.0, ge=0, le=1, metavar="SHARE"
    )
    timeout: float | None = option("Give up if no puzzle is found for this many seconds.", None, ge=0, metavar="SECONDS")
    stop_after: float | None = option("End the whole run after this many seconds.", None, ge=0, metavar="SECONDS")

    @property
    def puzzle_count(self) -> int:
        """How many puzzles are wanted; 1 where the mix of difficulties cannot be read."""
        from sudoku_cp.generate.difficulty_mix import mix_total  # noqa: PLC0415  # for answers alone

        try:
            return self.count or mix_total(self.difficulty, self.find_levels().names) or 1
        except InvalidInput:
            return 1

    def contradictions(self) -> Iterator[Problem]:
        """Yield everything that is wrong with the request, or known to be impossible."""
        from sudoku_cp.generate.api import check_share, choose_seed  # noqa: PLC0415  # for answers alone
        from sudoku_cp.generate.difficulty_mix import check_total  # noqa: PLC0415  # as above
        from sudoku_cp.generate.request_parsing import Problems  # noqa: PLC0415  # as above
        from sudoku_cp.logic.rating.levels import LEVELS  # noqa: PLC0415  # as above

        problems = Problems()
        names = problems.read(self.find_levels, LEVELS, of="levels").names
        problems.read(lambda: check_total(self.difficulty, self.puzzle_count, "count", names), None, of="difficulty")
        problems.read(lambda: choose_seed(self.seed), 0, of="seed")
        problems.read(lambda: check_share(self.cross_check), 1.0, of="cross_check")
        try:
            self.request(problems)
        except InvalidInput as error:
            yield from (one if isinstance(one, Problem) else Problem(one) for one in error.problems)

    def answer(self, subject: None, run: Run) -> GenerateAnswer:
        """Generate; each puzzle is reported as it comes. A limit ends the run with those found until then, and its reason."""
        from sudoku_cp.batch.rows.generated_format import generated_to_json, with_difficulty  # noqa: PLC0415  # arrays
        from sudoku_cp.generate.api import check_share, choose_seed, make_generator  # noqa: PLC0415  # as above
        from sudoku_cp.generate.chunks import generate_in_chunks  # noqa: PLC0415  # as above
        from sudoku_cp.generate.request_parsing import Problems  # noqa: PLC0415  # as above

        del subject
        request, seed, share = self.request(Problems()), choose_seed(self.seed), check_share(self.cross_check)
        start, tries, reason = perf_counter(), 0, None
        puzzles: list[GeneratedJson] = []
        with run.cancellation(self.stop_after) as cancel:
            try:
                limits = Limits(self.timeout, cancel=cancel)
                for part in generate_in_chunks(make_generator(request, seed), seed, self.puzzle_count, share, limits):
                    tries += part.tries
                    for made, by, word in with_difficulty(part, request):
                        fields = generated_to_json(0, made, by, word, seed, request)
                        del fields["index"]
                        puzzles.append(GeneratedJson(**with_scales(fields)))
                        run.report(len(puzzles), puzzles[-1])
            except LimitReached as reached:
                reason = "deadline" if reached.reason == "cancelled" else reached.reason  # what `run.cancellation` does
        seconds = round(perf_counter() - start, 6)
        return GenerateAnswer(
            puzzles=puzzles,
            count=len(puzzles),
            wanted=self.puzzle_count,
            seed=seed,
            tries=tries,
            seconds=seconds,
            reason=reason,
        )

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> GenerateAnswer:
        """Return no puzzles."""
        return GenerateAnswer(puzzles=[], count=0, wanted=body.get("count") or 1, seed=body.get("seed"), tries=0, seconds=0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class GeneratedJson(ScalesJson):
    """A new puzzle; with its rating, if one was asked for."""

    puzzle: PuzzleJson = answer_field()
    solution: Solution | None = answer_field("", ABSENT)
    seed: int = answer_field(ge=0)
    number: int = answer_field(ge=0)
    givens: int = answer_field(ge=0)
    symmetry: str | None = answer_field("", ABSENT)
    difficulty: str | None = answer_field("", ABSENT)
    tries: int = answer_field(ge=0)
    proved_by: str | None = answer_field("", ABSENT)
    reason: str | None = answer_field("", ABSENT)
    missed: Any = answer_field("", ABSENT)


@dataclass(frozen=True, eq=False, kw_only=True)
class GenerateAnswer(QuestionAnswer):
    """The answer of ``generate``; each puzzle is an item on the way too."""

    puzzles: list[GeneratedJson] = answer_field()
    count: int = answer_field(ge=0)
    wanted: int = answer_field(ge=0)
    seed: int | None = answer_field(ge=0)
    tries: int = answer_field(ge=0)
    seconds: float = answer_field()
