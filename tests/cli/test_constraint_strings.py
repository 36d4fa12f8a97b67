"""Strings of the Interactive Sudoku Solver on the command line."""

from __future__ import annotations

SPREAD = """
    .Shape~4x4
      .Var~A~~2.Cage~4~R1C1~R1C1~R1C2
      .And.WhiteDot~R3C1~R3C2.End.Sum~3~VA1~VA2.StrictKropki
"""


def test_a_string_over_several_lines_is_one_puzzle(call) -> None:
    """An indented string is read as one puzzle, and written with its cells outside the board."""
    ended = call("convert", "--to", "iss", "-", text=SPREAD)
    assert (ended.code, len(ended.out.splitlines())) == (0, 1)
    assert ".Var~A~~2." in ended.out
    assert ".Sum~4~R1C1~R1C1~R1C2" in ended.out
    assert call("convert", "--to", "iss", "-", text=f".{ended.out}").out == ended.out


def test_search_priority_says_nothing(call) -> None:
    """Advice for a solver is not part of a puzzle, and gives no warning."""
    ended = call("convert", "--to", "iss", "-", text=".SearchPriority~3~R1C1~R1C2.AntiKing.~R1C1_1\n")
    assert (ended.code, ended.out, ended.err) == (0, ".AntiKing.~R1C1_1\n", "")


def test_regions_behind_a_board_are_its_regions(call) -> None:
    """A board, a space and its regions are one puzzle; the answer obeys them."""
    ended = call("convert", "--to", "jigsaw", "-", text=f"1{'.' * 15} AAABACBBCCDBCDDD\n")
    assert (ended.code, ended.out) == (0, f"1{'.' * 15}0001021122312333\n")
