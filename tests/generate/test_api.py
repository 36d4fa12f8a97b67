"""From requests to puzzles: the impossible is refused; puzzles are proved, distinct, and reproducible by seed."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice

import numpy as np
import pytest

from sudoku_cp import generate_files, is_unique
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput, InvalidType, LimitReached, SudokuError, WrongAnswer
from sudoku_cp.generate import chunks, cross_proofs
from sudoku_cp.generate.api import generate, make_generator, request_seed
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray, Span, random_stream
from sudoku_cp.generate.chunks import ChunkSize, generate_chunk, generate_in_chunks, in_order
from sudoku_cp.generate.cross_proofs import iter_proofs, prover_names, sample_to_prove
from sudoku_cp.generate.difficulty_mix import parse_mix
from sudoku_cp.generate.general.random_solution import random_solution
from sudoku_cp.generate.request_parsing import parse_request, request_to_json
from sudoku_cp.generate.requested_ratings import parse_rating
from sudoku_cp.generate.requested_rules import parse_requested_rules
from sudoku_cp.generate.variants.families import FAMILIES
from sudoku_cp.generate.variants.proposals import style_named
from sudoku_cp.generate.variants.select_clues import never_unique, reversible_families
from sudoku_cp.grid import Grid
from sudoku_cp.logic.rating.levels import LEVELS, Levels
from sudoku_cp.logic.step import Technique
from sudoku_cp.puzzle import Puzzle, canonical_key, scramble
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import AntiKnight, Thermometer

FOUR = Grid.square(4)
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
ONE = Puzzle(FOUR, givens={0: 1, 2: 3, 3: 4, 13: 3, 14: 2}, solution=SOLVED)


class Standing:
    """A generator with ready puzzles, some of which it never finishes."""

    engine = "sat"

    def __init__(self, puzzles: list[Puzzle], lost: tuple[int, ...] = (), chunk_size: int = 4) -> None:
        """``lost`` are the numbers at which it runs out of time."""
        self.puzzles, self.lost, self.chunk_size = puzzles, lost, chunk_size

    def make(self, numbers, limits):
        """Yield them backwards; raise `LimitReached` at the end if some are lost."""
        for number in reversed(numbers):
            if number not in self.lost:
                yield GeneratedPuzzle(number, self.puzzles[number % len(self.puzzles)])
        if any(number in self.lost for number in numbers):
            raise LimitReached("deadline", "lost")


# --- requests -----------------------------------------------------------------------------------------------------


def test_everything_wrong_is_told_at_once() -> None:
    """Unknown names, reversed spans and patterns of the wrong size are all in one error."""
    with pytest.raises(InvalidInput) as raised:
        parse_request(
            rules="nonsense,killer-cagee", symmetry="odd", givens=(5, 3), difficulty="mean", pattern="1..", style="plaid"
        )
    problems = raised.value.problems
    words = ["nonsense", "killer-cagee", "odd", "5..3", "mean", "81 cells", "plaid"]
    assert all(any(word in problem for problem in problems) for word in words)


IMPOSSIBLE = {
    "a pattern of 7 cells": ({"pattern": "1" * 7 + "." * 74}, "at least 17 givens"),
    "16 givens": ({"givens": 16}, "at least 17 givens"),
    "3 givens at 4x4": ({"size": 4, "givens": (0, 3)}, "at least 4 givens"),
    "too few values at 16x16": ({"size": 16, "givens": (2, 14)}, "at least 15 givens"),
    "more givens than cells": ({"givens": 82}, "at most 81"),
    "a pattern of another symmetry": ({"pattern": "1" * 30 + "." * 51, "symmetry": "rot180"}, "the `symmetry` 'rot180'"),
    "a pattern of another size": ({"pattern": "1" * 30 + "." * 51, "givens": 25}, "25 givens"),
    "easy with guesses": ({"difficulty": "easy", "guesses": (1, 3)}, "no guesses"),
    "hard by singles": ({"difficulty": "hard", "singles_only": True}, "another difficulty"),
    "easy with a high rating": ({"difficulty": "easy", "rating": "se:7..8"}, r"easy \(1\.0 to 1\.5\), got se:7\.\.8"),
    "one of several so": ({"difficulty": "extreme,easy", "rating": "se:8.6.."}, r"easy \(1\.0 to 1\.5\), got se:8\.6"),
    "extreme with a low rating": ({"difficulty": "extreme", "rating": "se:2..3"}, r"8\.5 and more\), got se:2\.\.3"),
    "a style of nothing": ({"style": "rich"}, "families of clues among `rules` with a style"),
    "clues that hold in reverse": ({"rules": "whispers,renban,diagonals", "givens": 0}, "its reverse"),
    "such clues and an empty pattern": ({"size": 6, "rules": "clone", "pattern": ()}, "its reverse"),
    "a board told twice": ({"grid": Grid.square(6), "boxes": (2, 3)}, "got both"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_can_never_be_is_refused_at_once(name: str) -> None:
    """No search is begun for what is known to be impossible, and the error says why."""
    options, words = IMPOSSIBLE[name]
    with pytest.raises(InvalidInput, match=words):
        generate(**options)


def test_few_givens_are_fine_under_other_rules() -> None:
    """What is impossible on plain boards may be possible with clues."""
    assert parse_request(rules="killer", givens=0).givens == Span(0, 0)


def test_rules_are_told_apart() -> None:
    """A name is a rule of the whole board, a family of clues or jigsaw; JSON is a rule as it stands."""
    asked = parse_requested_rules("diagonals, Killer,jigsaw,thermos", Grid.square())
    assert [rule.kind for rule in asked.rules] == ["diagonals"]
    assert asked.families == ("killer-cage", "thermometer")
    assert asked.jigsaw
    asked = parse_requested_rules(
        '[{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 7}, "anti-knight"]', Grid.square()
    )
    assert [rule.kind for rule in asked.rules] == ["killer-cage", "anti-knight"]
    with pytest.raises(InvalidInput, match="which needs its"):
        parse_requested_rules("taxicab", Grid.square())


def test_requests_become_plain_data() -> None:
    """Plain data has what is requested, and nothing else."""
    assert set(request_to_json(GenerateRequest())) == {"grid"}
    wanted = parse_request(size=4, rules="diagonals", givens=(4, None), pattern="1110" * 4, minimal=True)
    data = request_to_json(wanted)
    assert data["givens"] == "4.."
    assert [rule["kind"] for rule in data["rules"]] == ["houses", "diagonals"]
    assert len(data["pattern"]) == 12


DIFFERENT = {
    "grid": Grid.square(6),
    "rules": (*CLASSIC, AntiKnight()),
    "families": ("thermometer",),
    "style": "rich",
    "jigsaw": True,
    "symmetry": "rot180",
    "pattern": (),
    "givens": Span(0),
    "minimal": True,
    "any_path": True,
    "difficulty": "easy",
    "guesses": Span(0),
    "singles_only": True,
    "mix": parse_mix("easy,hard"),
    "rating": parse_rating("se:1.0..3.0"),
    "needs": (Technique.X_WING,),
    "levels": Levels("sukaku", LEVELS.bands),
}
"""A value other than the default for each part of a request."""


@pytest.mark.parametrize("name", [field.name for field in fields(GenerateRequest)])
def test_every_part_of_a_request_changes_its_random_numbers(name: str) -> None:
    """A request that differs in one part has streams of its own, even if the part is a span of everything."""
    assert request_seed(1, replace(GenerateRequest(), **{name: DIFFERENT[name]})) != request_seed(1, GenerateRequest())
    assert request_seed(1, GenerateRequest()) == request_seed(1, parse_request()) != request_seed(2, GenerateRequest())


ASKED = ["", "difficulty=easy", "difficulty=medium", "difficulty=easy,hard", "minimal", "symmetry=rot180", "rules=jigsaw"]
ASKED += ["rules=diagonals", "rules=thermo", "rules=thermo style=rich", "rules=thermo minimal", "rules=thermo,arrow"]


def test_requests_of_one_seed_share_no_solution() -> None:
    """Whatever is asked for draws its own grids: none of the solutions is that of another request."""
    found = []
    for words in ASKED:
        pairs = (word.partition("=") for word in words.split())
        options = {name: value or True for name, _, value in pairs}
        found += [made.puzzle.solution for made in generate(4, seed=7, size=6, prove=False, **options)]
    assert len(set(found)) == len(found) == 4 * len(ASKED)


def test_what_does_not_change_the_request_does_not_change_the_puzzles() -> None:
    """More puzzles, proofs and a time limit leave the first puzzles as they are; 9 is the default size."""
    few = [made.puzzle for made in generate(3, seed=7, difficulty="easy")]
    assert few == [made.puzzle for made in islice(generate(None, seed=7, difficulty="easy", prove=False), 3)]
    assert few == [made.puzzle for made in generate(3, seed=7, difficulty="EASY ", grid=Grid.square(9), limits=Limits(60))]


# --- chunks -----------------------------------------------------------------------------------------------------


def row(number: int) -> PuzzleArray:
    """Return one puzzle as arrays."""
    givens = np.array([[ONE.givens.get(cell, 0) for cell in FOUR.cells]], np.uint8)
    return PuzzleArray(Puzzle(FOUR), np.array([number]), givens, np.array([SOLVED], np.uint8), np.array([number + 1]))


def test_puzzles_are_put_in_order() -> None:
    """Arrays and single puzzles in any order are sorted by number, and otherwise unchanged."""
    found = in_order([row(5), GeneratedPuzzle(2, ONE), row(1), row(3), GeneratedPuzzle(4, ONE), row(0)])
    flat = [made for part in found for made in (part.each() if isinstance(part, PuzzleArray) else [part])]
    assert [made.number for made in flat] == [0, 1, 2, 3, 4, 5]
    assert [made.tries for made in flat] == [1, 2, 1, 4, 1, 6]
    assert {made.puzzle for made in flat} == {ONE}
    assert len(found) == 5


def test_a_limit_loses_nothing_that_was_done() -> None:
    """Puzzles finished before a limit are returned in order, and then the limit."""
    made = generate_chunk(Standing([ONE], lost=(1,)), 0, range(4), 1.0, Limits())
    assert [int(part.numbers[0]) for part in made.parts] == [0, 2, 3]
    assert made.cut is not None
    assert made.cut.reason == "deadline"


def test_repeats_are_left_out_and_made_up_for() -> None:
    """A puzzle like an earlier one is left out, and the numbers go on until there are enough."""
    others = [scramble(ONE, 1), ONE.with_givens({**ONE.givens, 1: 2}), ONE.with_givens({**ONE.givens, 15: 1})]
    generator = Standing([ONE, *others])
    found = list(generate_in_chunks(generator, 0, 3, 0.0, Limits()))
    assert [int(part.numbers[0]) for part in found] == [0, 2, 3]


def test_a_run_without_anything_new_ends(monkeypatch) -> None:
    """When only repeats come, the run yields what it found and ends with a limit that says so."""
    monkeypatch.setattr(chunks, "PATIENCE", 20)
    found = generate_in_chunks(Standing([ONE]), 0, 2, 0.0, Limits())
    assert next(found).numbers.tolist() == [0]
    with pytest.raises(LimitReached, match="like earlier ones"):
        next(found)


def test_chunks_grow_while_they_are_quick() -> None:
    """The first chunks are small, later ones as large as the generator likes, if they take little time."""
    size = ChunkSize(100)
    sizes = []
    for seconds in (0.1, 0.1, 0.1, 5.0):
        sizes.append(size())
        size.adapt(chunks.GeneratedChunk(size(), (), None, seconds))
    assert sizes == [8, 16, 32, 64]


@pytest.mark.parametrize("compiled", [True, False])
def test_what_compiling_left_no_time_for_is_made_again(monkeypatch, compiled: bool) -> None:
    """A limit reached because of compilation does not count; any other does."""
    seconds = iter([0.0, float(compiled), 1.0, 1.0])
    monkeypatch.setattr(chunks, "loading_seconds", lambda: next(seconds))
    cuts = iter([LimitReached("deadline", "once"), None])
    monkeypatch.setattr(chunks, "_generate_chunk", lambda *_: chunks.GeneratedChunk(1, (), next(cuts)))
    assert (chunks.generate_chunk(Standing([ONE]), 0, [0], 1.0, Limits(1.0)).cut is None) == compiled


def test_what_other_threads_compile_keeps_nobody_for_ever(monkeypatch) -> None:
    """A limit reached again and again ends a chunk, even if code is compiled all the time."""
    monkeypatch.setattr(chunks, "loading_seconds", iter(range(1000)).__next__)
    monkeypatch.setattr(chunks, "_generate_chunk", lambda *_: chunks.GeneratedChunk(1, (), LimitReached("deadline", "again")))
    assert chunks.generate_chunk(Standing([ONE]), 0, [0], 1.0, Limits(1.0)).cut is not None


def test_what_was_proved_before_a_limit_is_kept(monkeypatch) -> None:
    """Of puzzles that are proved one by one, those proved before the limit are kept, in order."""
    names = iter(["sat", "sat"])
    monkeypatch.setattr(chunks, "loading_seconds", lambda: 0.0)
    monkeypatch.setattr(cross_proofs, "_prove_puzzle", lambda *_: next(names, None) or _raise())
    monkeypatch.setattr(cross_proofs, "_prove_array", lambda part, _: np.zeros(len(part.numbers), np.bool_))
    made = generate_chunk(make_generator(parse_request(minimal=True), 1), 1, range(4), 1.0, Limits())
    assert [one.numbers.tolist() for one in made.parts] == [[0, 1]]
    assert made.parts[0].by == ("sat", "sat")
    assert made.cut is not None


def _raise() -> str:
    raise LimitReached("deadline", "over")


# --- proofs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["fast:lanes", "fast:bigint", "fast:scalar", "sat", "native", "cpsat"])
@pytest.mark.parametrize("grid", [Grid.square(), Grid.square(16), Grid.jigsaw("AABB AACB DACC DDBC".replace(" ", "\n"))])
def test_nobody_proves_his_own(engine: str, grid: Grid) -> None:
    """A puzzle is proved by engines other than the one that made it."""
    asked = prover_names(engine, Puzzle(grid))
    assert asked
    assert engine not in asked


@pytest.mark.parametrize("engine", ["fast:lanes", "sat"])
def test_a_puzzle_with_two_solutions_does_not_leave(engine: str) -> None:
    """If engines disagree, that is a defect, and the puzzle is named."""
    wrong = ONE.with_givens({0: 1})
    with pytest.raises(WrongAnswer, match="puzzle 7"):
        _prove(GeneratedPuzzle(7, wrong), engine)
    assert _prove(GeneratedPuzzle(7, wrong), engine, wanted=False) == [""]


def test_another_solution_than_stated_does_not_leave() -> None:
    """A puzzle with one solution, but not the one it states, is a defect too."""
    lie = Puzzle(FOUR, givens=ONE.givens, solution=(2, *SOLVED[1:]))
    with pytest.raises(WrongAnswer, match="one solution"):
        _prove(GeneratedPuzzle(0, lie), "sat")


def test_arrays_are_proved_at_once(monkeypatch) -> None:
    """A whole array takes one question to the scalar engine; what that does not prove is asked about one by one."""
    [part] = make_generator(parse_request(minimal=True), 1).make(range(5), Limits())
    right = np.array([True, True, False, True, False])
    part.givens[2, np.flatnonzero(part.givens[2])[0]] = 0  # several solutions
    part.solutions[4, [0, 1]] = part.solutions[4, [1, 0]]
    assert (cross_proofs._prove_array(part, Limits()) == right).all()
    monkeypatch.setattr(cross_proofs, "_prove_puzzle", lambda made, *_: f"number {made.number}")
    names = list(iter_proofs(part, np.array([True, False, True, True, True]), "fast:lanes", Limits(), Limits()))
    assert names == ["fast:scalar", "", "number 2", "fast:scalar", "number 4"]


def test_arrays_are_proved_within_limits() -> None:
    """A limit that leaves puzzles unproved says so."""
    limits = Limits(seconds=0)
    [part] = make_generator(parse_request(minimal=True), 1).make(range(3), Limits())
    with pytest.raises(LimitReached):
        list(iter_proofs(part, np.ones(3, np.bool_), "fast:lanes", limits, limits))


def _prove(made: GeneratedPuzzle, engine: str, *, wanted: bool = True) -> list[str]:
    return list(iter_proofs(made, np.array([wanted]), engine, Limits(), Limits()))


def test_the_sample_depends_on_the_number_alone() -> None:
    """The sample has about the requested share, whatever the chunk; another seed gives another sample."""
    numbers = np.arange(100_000)
    whole = sample_to_prove(1, numbers, 0.01)
    assert 900 < whole.sum() < 1100
    assert np.array_equal(whole[500:700], sample_to_prove(1, numbers[500:700], 0.01))
    assert not np.array_equal(whole, sample_to_prove(2, numbers, 0.01))
    assert sample_to_prove(1, numbers, 1).all()
    assert not sample_to_prove(1, numbers, 0).any()


# --- all of it --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"size": 4}, {"minimal": True}, {"symmetry": "rot180"}], ids=str)
def test_puzzles_have_one_solution_and_are_the_same_again(options) -> None:
    """Each is unique according to another engine, states its solution, and no two are isomorphic; the seed reproduces them."""
    made = list(generate(6, seed=3, **options))
    assert all(is_unique(one.puzzle, backend="sat") and one.puzzle.holds(one.puzzle.solution) for one in made)
    assert len({canonical_key(one.puzzle) for one in made}) == 6
    assert list(generate(6, seed=3, **options)) == made
    assert list(islice(generate(None, seed=3, **options), 2)) == made[:2]
    assert [one.puzzle for one in generate(6, seed=4, **options)] != [one.puzzle for one in made]


def test_a_cancellation_ends_it() -> None:
    """A run that is cancelled raises; what came before was yielded."""
    cancel = Cancellation()
    found = generate(None, seed=1, limits=Limits(cancel=cancel))
    next(found)
    cancel.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        list(found)


WRONG = {
    "number": (-1, "x", 1.5),
    "seed": (-1, 1.5, "x"),
    "prove": (2, float("nan"), "no"),
    "size": ("x", 1, 37, [9]),
    "boxes": (3, (3, "x"), (0, 3), (3,)),
    "grid": (9,),
    "rules": (5, [3]),
    "givens": ("abc", 2.5, (None, 3), True),
    "guesses": ((1,), -1),
    "pattern": (3, ["a"], [81]),
    "minimal": ("yes",),
    "style": (3,),
    "symmetry": ([],),
    "difficulty": ([],),
    "limits": (3,),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_of_no_use_is_refused(name: str) -> None:
    """Arguments of the wrong type, and numbers beyond their bounds, raise `InvalidInput` and nothing else."""
    for value in WRONG[name]:
        with pytest.raises(InvalidInput, match="expected"):
            generate(**{name: value})


@pytest.mark.parametrize("kind", [InvalidType, InvalidInput])
def test_what_is_of_no_use_is_told_at_once(kind: type[InvalidInput]) -> None:
    """Arguments of the wrong type are all reported at once; otherwise everything that is out of bounds."""
    beyond = {"number": -1, "seed": -1, "prove": 2, "size": 37}
    others = {name: values[0] for name, values in WRONG.items() if name not in beyond}
    with pytest.raises(InvalidInput) as raised:
        generate(**beyond, **(others if kind is InvalidType else {"symmetry": "odd", "pattern": "1.."}))
    assert type(raised.value) is kind
    assert len(raised.value.problems) == (len(others) if kind is InvalidType else len(beyond) + 1)
    assert kind is InvalidType or "pattern" not in str(raised.value), "the size of the pattern is unknown"


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"out": "."}, "the folder"),
        ({"out": "nowhere/x.txt"}, "a folder that is there"),
        ({"out": 3}, "a Path"),
        ({"number": None}, "number: expected a whole number"),
        ({"wat": 3}, "one of any_path, boxes"),
        ({"request": GenerateRequest(), "size": 4}, "got both"),
        ({"request": 3}, "expected a GenerateRequest"),
        ({"workers": 0}, "1 worker"),
        ({"shard": 5}, "shard: expected a text"),
        ({"stop_after": float("nan")}, "stop_after"),
        ({"size": 4, "out": "x.sdm"}, "a 9x9 puzzle"),
        ({"rules": "diagonals", "to": "hodoku"}, "a plain puzzle"),
    ],
    ids=str,
)
def test_a_run_that_can_never_be_touches_nothing(run, words: str, tmp_path, monkeypatch) -> None:
    """It is reported together with what is wrong with the request, and no file is written."""
    monkeypatch.chdir(tmp_path)
    wrong = {} if {"request", "size", "rules"} & run.keys() else {"symmetry": "odd"}
    with pytest.raises(SudokuError) as raised:
        generate_files(**{"number": 1, "out": "x.txt", **run, **wrong})
    assert words in str(raised.value)
    assert "wat" in run or not wrong or "'odd'" in str(raised.value) or isinstance(raised.value, TypeError)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("size", [6, 9])
def test_clues_that_hold_in_reverse_are_known(size: int) -> None:
    """The families listed as reversible are so by the structure of their clues; killer cages are not."""
    grid, random = Grid.square(size), random_stream(1, 0, "clues")
    solution = random_solution(Puzzle(grid), random, Limits(20))
    for name in sorted(reversible_families(grid)):
        for proposal in FAMILIES[name].propose(random, grid, solution, style_named(""))[:5]:
            assert never_unique(grid, (*CLASSIC, *proposal.rules), [name]), name
    assert not never_unique(grid, CLASSIC, ["whisper", "killer-cage"])
    assert not never_unique(grid, (*CLASSIC, Thermometer((0, 1, 2))), ["whisper"])
    assert ("odd" in reversible_families(grid)) == (size == 9)


def test_who_makes_what() -> None:
    """Plain boards go to the plain generator, boards with clues to the variant generator, all others to the general one."""
    generators = {
        "": "PlainGenerator",
        "diagonals": "GeneralGenerator",
        "killer": "VariantGenerator",
        "jigsaw": "GeneralGenerator",
    }
    assert {rules: type(make_generator(parse_request(rules=rules), 1)).__name__ for rules in generators} == generators
    assert type(make_generator(parse_request(size=36), 1)).__name__ == "GeneralGenerator"
