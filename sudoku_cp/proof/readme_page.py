"""The README.md of a certificate: the claim, and how a sceptic checks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLAIMS = {
    "unique": "**exactly one solution**, the one in `solution.txt`.",
    "none": "**no solution**.",
    "minimal": "**exactly one solution**, the one in `solution.txt`, and\n"
    "it needs **each of its givens**: without any one of them it has another solution.",
}
_REASONS = {
    "unique": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, the givens stand, and the grid is not the one in\n"
        "`solution.txt`*. A proof shows that this is contradictory. So no second solution exists; that `solution.txt` is one\n"
        "is easily seen."
    ),
    "none": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, and the givens stand*. A proof shows that this is\n"
        "contradictory. So no solution exists."
    ),
}
_OTHERS = """
`others.json` has for each given a full grid that keeps the rules and all other givens, with another value in that cell. Each
can be checked by looking; so none of the givens can be left out.
"""


def readme_page(claim: str, proofs: Mapping[str, str], conditions: str) -> str:
    """Return the page that explains the folder to people; ``proofs`` maps file names to descriptions.

    ``conditions`` is what the claim depends on besides the givens.
    """
    solved = claim != "none"
    return _PAGE.format(
        claim=_CLAIMS[claim],
        conditions=conditions,
        reason=_REASONS["unique" if solved else "none"],
        others=_OTHERS if claim == "minimal" else "",
        proofs="\n".join(f"- `{name}`: {what}" for name, what in proofs.items()),
        checks="\n".join(map(_commands, proofs)),
        solution=_SOLUTION if solved else "",
    )


def _commands(packed: str) -> str:
    """Return the commands by which other programs check a proof."""
    name = packed.removesuffix(".xz")
    hinted = name.removesuffix(".drup").removesuffix(".lrat") + ".lrat"
    checks = f"    xz -dc {packed} > /tmp/{name}\n"
    if name != hinted:
        checks += f"    drat-trim formula.cnf /tmp/{name} -L /tmp/{hinted}        # must print: s VERIFIED\n"
    return f"{checks}    cake_lpr formula.cnf /tmp/{hinted}        # must print: s VERIFIED UNSAT"


_SOLUTION = '- `{"block": "solution"}`: one clause: not all of the cells have the value that `solution.txt` gives them.\n'
_PAGE = """# A certificate

The puzzle in `puzzle.json` has {claim}

`puzzle.txt` shows its givens alone. The claim depends on everything in `puzzle.json`: {conditions}.

## Why you need not believe us
{reason}
{others}
{proofs}

A lemma is a clause that follows from the formula and the lemmas before it by *unit propagation*: assume that all of its literals
are false, follow clauses with one literal left, and meet a contradiction. The last lemma is the empty clause (a lone `0`). This
is DRUP, the format of the proofs of the SAT competitions, for which others have written checkers. LRAT is the same with hints:
each lemma has a number, and names the clauses to follow.

## Check it without our program
[drat-trim](https://github.com/marijnheule/drat-trim) (one file of C: `gcc -O2 drat-trim.c -o drat-trim`) checks a proof in DRUP
and adds hints. [cake_lpr](https://github.com/tanyongkiam/cake_lpr), which is itself formally verified, checks a proof in LRAT;
so does `lrat-check`, which comes with drat-trim. Unpack a proof elsewhere, as this folder must hold nothing else:

{checks}

A SAT solver of your choice (such as `cadical formula.cnf`) must say UNSATISFIABLE as well.

Our own checker, a folder of plain Python that shares no code with what made this one, reads the rules from `puzzle.json`,
rebuilds the formula and compares it, and checks every lemma:

    python -m sudoku_cp.proof.checker .             # where the package is installed
    python3 -m checker HERE                         # or, in the parent folder of a copy of its folder `checker`

## What is left to trust
That the formula expresses the puzzle. It is plain text (DIMACS), so you can look:

- `c var 5 r1c1=5`: variable 5 is true if the cell in row 1, column 1 holds 5. `c fixed`: the cell can hold nothing else.
  `auxiliary` variables only help to say a rule in clauses.
- `c block ...` says what some clauses state, and which they are: the first and the last, counted from 1 after the line `p cnf`;
  a long one continues on lines that begin with `c +`. Each clause is on a line of its own (a minus negates, 0 ends).
- `{{"block": "cells"}}`: each cell has at least one value, and no two.
- `{{"block": "rule", ...}}`: one part of a rule. Of a row: no value is in two of its cells, and, if there are as many cells as
  values, each value is in one of them. `rule` counts the rules of `puzzle.json` from 0.
- `{{"block": "given", ...}}`, `{{"block": "candidates", ...}}`: the givens, and values ruled out in a cell.
{solution}
`manifest.json` has the SHA-256 of every file, what made them, and in which versions.
"""
