"""Changes to a certificate are detected, even if every hash is updated."""

from __future__ import annotations

import lzma
import re
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.proof.checker import certificate_files as files_module
from sudoku_cp.proof.checker import check
from sudoku_cp.proof.checker import proof_files as proof_module
from sudoku_cp.proof.checker.certificate_files import read_json
from sudoku_cp.proof.checker.certified_puzzle import read_puzzle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.proof.conftest import Folder

CASES: dict[str, tuple[str, Callable[[Folder], object], bool]] = {}
"""What is done, by what it is called: to which certificate, how, and whether the manifest is repaired afterwards."""


def case(name: str, *bases: str, repaired: bool = True) -> Callable[[Callable[[Folder], object]], Callable[[Folder], object]]:
    """Register a tampering for each of some certificates."""

    def decorated(spoil: Callable[[Folder], object]) -> Callable[[Folder], object]:
        for base in bases:
            CASES[f"{name} ({base})"] = base, spoil, repaired
        return spoil

    return decorated


def simple(name: str, base: str, spoil: Callable[[Folder], object], *, repaired: bool = True) -> None:
    """Register a tampering that is one expression."""
    CASES[f"{name} ({base})"] = base, spoil, repaired


# --- the manifest -------------------------------------------------------------------------------------------------


def manifest_with(**fields: Any) -> Callable[[Folder], object]:
    """Change fields of the manifest."""
    return lambda folder: folder.put("manifest.json", folder.json("manifest.json") | fields)


simple("another format", "4x4", manifest_with(format="sudoku-cp puzzle"))
simple("another version", "4x4", manifest_with(version=2))
simple("a version that is no number", "4x4", manifest_with(version=True))
simple("no proofs", "4x4", manifest_with(proofs=[]))
simple("unknown claim", "4x4", manifest_with(claim="easy"))
simple("unique becomes none", "4x4", manifest_with(claim="none"))
simple("none becomes unique", "none", manifest_with(claim="unique"))
simple("unique becomes minimal", "4x4", manifest_with(claim="minimal"))
simple("minimal becomes unique", "4x4, minimal", manifest_with(claim="unique"))
simple("a proof outside the folder", "4x4", manifest_with(proofs=[{"file": "../proof-x.drup.xz", "prover": "sat", "lemmas": 1}]))
simple("unknown field", "4x4", manifest_with(signed_by="me"))
simple("versions that are none", "4x4", manifest_with(versions=1))
simple("a version of something that is a number", "4x4", manifest_with(versions={"python": 3}))
simple("no versions", "4x4", lambda folder: folder.put("manifest.json", {**folder.json("manifest.json"), "versions": None}))
simple("the manifest is no JSON", "4x4", lambda folder: folder.files.update({"manifest.json": b"{"}), repaired=False)
simple("the manifest is a list", "4x4", lambda folder: folder.files.update({"manifest.json": b"[]"}), repaired=False)
simple("deep JSON", "4x4", lambda folder: folder.files.update({"puzzle.json": b"[" * 100_000}))
simple("a file too many", "4x4", lambda folder: folder.files.update({"notes.txt": b"trust me"}))
simple("a file too many, in silence", "4x4", lambda folder: folder.files.update({"notes.txt": b"trust me"}), repaired=False)


@case("a hash is wrong", "4x4", repaired=False)
def _(folder: Folder) -> None:
    folder.files["README.md"] += b"\n"


@case("the size is wrong", "4x4", repaired=False)
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    manifest["files"]["README.md"]["bytes"] += 1
    folder.put("manifest.json", manifest)


@case("a file is missing", "4x4", "4x4, minimal")
def _(folder: Folder) -> None:
    del folder.files["others.json" if "others.json" in folder.files else "solution.txt"]


@case("a file is missing, and named", "4x4", repaired=False)
def _(folder: Folder) -> None:
    del folder.files["README.md"]


@case("a proof with an unknown field", "4x4")
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    manifest["proofs"][0]["checked"] = True
    folder.put("manifest.json", manifest)


@case("a proof without its prover", "4x4")
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    del manifest["proofs"][0]["prover"]
    folder.put("manifest.json", manifest)


@case("a file with an unknown field", "4x4", repaired=False)
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    manifest["files"]["README.md"]["checked"] = True
    folder.put("manifest.json", manifest)


@case("another number of lemmas", "4x4")
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    manifest["proofs"][0]["lemmas"] += 1
    folder.put("manifest.json", manifest)


@case("two files are swapped", "4x4", repaired=True)
def _(folder: Folder) -> None:
    files = folder.files
    files["puzzle.txt"], files["solution.txt"] = files["solution.txt"], files["puzzle.txt"]


# --- the puzzle ---------------------------------------------------------------------------------------------------


def puzzle(change: Callable[[dict[str, Any]], object]) -> Callable[[Folder], object]:
    """Change the puzzle's JSON."""

    def spoil(folder: Folder) -> None:
        data = folder.json("puzzle.json")
        change(data)
        folder.put("puzzle.json", data)

    return spoil


simple("a given changed", "4x4", puzzle(lambda data: data["givens"].update(r1c1=4)))
simple("a given removed", "4x4", puzzle(lambda data: data["givens"].pop("r1c1")))
simple("a given added", "4x4", puzzle(lambda data: data["givens"].update(r1c3=3)))
simple("a given out of range", "4x4", puzzle(lambda data: data["givens"].update(r1c1=5)))
simple("a given as a text", "4x4", puzzle(lambda data: data["givens"].update(r1c1="1")))
simple("a cell twice", "4x4", puzzle(lambda data: data["givens"].update(R1C1=1)))
simple("a cell outside", "4x4", puzzle(lambda data: data["givens"].update(r5c5=1)))
simple("candidates removed", "candidates", puzzle(lambda data: data.pop("candidates")))
simple("a candidate removed", "candidates", puzzle(lambda data: data["candidates"].update(r1c2=[2])))
simple("a candidate added", "candidates", puzzle(lambda data: data["candidates"].update(r1c3=[3, 4])))
simple("boxes turned", "6x6", puzzle(lambda data: data["grid"].update(boxes=[3, 2])))
simple("boxes removed", "4x4", puzzle(lambda data: data["grid"].pop("boxes")))
simple("a region changed", "jigsaw", puzzle(lambda data: data["grid"]["regions"][0].__setitem__(2, 1)))
simple("a board moved", "two boards", puzzle(lambda data: data["grid"]["boards"][1].update(at=[0, 2])))
simple("a board removed", "two boards", puzzle(lambda data: data["grid"]["boards"].pop()))
simple("more values", "4x4", puzzle(lambda data: data["grid"].update(values=[1, 5])))
simple("another rule", "4x4", puzzle(lambda data: data.update(rules=["houses", "diagonals"])))
simple("no rules", "4x4", puzzle(lambda data: data.update(rules=[])))
simple("a rule dropped", "killer", puzzle(lambda data: data["rules"].pop()))
simple("rules in another order", "killer", puzzle(lambda data: data["rules"].reverse()))
simple("another total", "killer", puzzle(lambda data: data["rules"][1].update(total=8)))
simple("no total", "killer", puzzle(lambda data: data["rules"][1].pop("total")))
simple("another cell of a cage", "killer", puzzle(lambda data: data["rules"][1]["cells"].__setitem__(0, "r2c2")))
simple("a line turned round", "thermometer", puzzle(lambda data: data["rules"][1]["cells"].reverse()))
simple("another kind", "thermometer", puzzle(lambda data: data["rules"][1].update(kind="slow-thermometer")))
simple("an exemption dropped", "marks", puzzle(lambda data: data["rules"][1].pop("exempt")))
simple("another rule's field", "arrow", puzzle(lambda data: data["rules"][2].update(cells=["r1c1"])))
simple("one diagonal less", "diagonals", puzzle(lambda data: data["rules"].__setitem__(1, {"kind": "diagonals", "up": False})))
simple("a total as a text", "killer", puzzle(lambda data: data["rules"][1].update(total="7")))
simple("an unknown field", "4x4", puzzle(lambda data: data.update(hint="r1c1")))
simple("a label with true for 1", "4x4", lambda folder: folder.replace("formula.cnf", '"value": 1', '"value": true'))
simple("a label with 1.0 for 1", "4x4", lambda folder: folder.replace("formula.cnf", '"value": 1', '"value": 1.0'))
simple("candidates with 1.0 for 1", "candidates", lambda folder: folder.replace("formula.cnf", '"not": [1', '"not": [1.0'))
simple("drawn otherwise", "4x4", lambda folder: folder.replace("puzzle.txt", "1", "2"))
simple("drawn with a given too many", "4x4", lambda folder: folder.replace("puzzle.txt", ".", "4"))


@case("a given changed in the puzzle and the formula", "4x4", "hard")
def _(folder: Folder) -> None:
    data = folder.json("puzzle.json")
    name, value = next(iter(data["givens"].items()))
    other = value % 4 + 1
    data["givens"][name] = other
    folder.put("puzzle.json", data)
    folder.replace("formula.cnf", f'"cell": "{name}", "value": {value}', f'"cell": "{name}", "value": {other}')
    folder.replace("formula.cnf", f"\n{folder.variable(f'{name}={value}')} 0\n", f"\n{folder.variable(f'{name}={other}')} 0\n")


@case("another puzzle altogether", "4x4", "killer")
def _(folder: Folder) -> None:
    grid = folder.json("puzzle.json")["grid"]
    folder.put("puzzle.json", {"grid": grid, "givens": {"r1c1": 1}})


# --- the formula --------------------------------------------------------------------------------------------------


def block(kind: str, change: Callable[[list[str]], list[str]], constraint: str = "") -> Callable[[Folder], object]:
    """Change the clauses of the first block of a sort that has any (of a rule, of that sort of constraint)."""

    def spoil(folder: Folder) -> None:
        some = [
            label
            for label, lines in folder.blocks()
            if label["block"] == kind and lines and constraint in {"", label.get("constraint")}
        ]
        folder.change_blocks(lambda label, lines: change(lines) if label == some[0] else lines)

    return spoil


def flipped(lines: list[str]) -> list[str]:
    """Negate the first literal of the first clause."""
    return [lines[0][1:] if lines[0].startswith("-") else f"-{lines[0]}", *lines[1:]]


for sort, where in (("cells", "4x4"), ("rule", "4x4"), ("given", "4x4"), ("candidates", "candidates"), ("solution", "4x4")):
    simple(f"a clause of {sort} removed", where, block(sort, lambda lines: lines[1:]))
    simple(f"a clause of {sort} added", where, block(sort, lambda lines: [*lines, "1 2 0"]))
    simple(f"a clause of {sort} twice", where, block(sort, lambda lines: [*lines, lines[0]]))
    simple(f"a clause of {sort} changed", where, block(sort, flipped))
    simple(
        f"a block of {sort} removed",
        where,
        lambda folder, sort=sort: folder.put_blocks([one for one in folder.blocks() if one[0]["block"] != sort]),
    )
    simple(
        f"a block of {sort} twice",
        where,
        lambda folder, sort=sort: folder.put_blocks(
            [*folder.blocks(), next(one for one in folder.blocks() if one[0]["block"] == sort)]
        ),
    )
for where, constraint in (("killer", "DigitSet"), ("thermometer", "Table"), ("arrow", "Linear"), ("sandwich", "Automaton")):
    simple("a rule's clause cut short", where, block("rule", lambda lines: [f"{lines[0].split()[0]} 0", *lines[1:]], constraint))
    simple("a rule without its clauses", where, block("rule", lambda _: [], constraint))
    simple("a rule with a contradiction", where, block("rule", lambda lines: [*lines, "1 0", "-1 0"], constraint))


@case("a label changed", "4x4", "killer")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", '"part": "row 1"', '"part": "row 2"')


@case("a rule's number changed", "killer", "arrow")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", '"rule": 1, "kind"', '"rule": 0, "kind"')


@case("a rule that is not there", "killer")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", '"rule": 1, "kind"', '"rule": 7, "kind"')


@case("clauses of several rules, of which there are none", "killer", "4x4")
def _(folder: Folder) -> None:
    label = next(label for label, _ in folder.blocks() if label["block"] == "rule")
    folder.put_blocks([*folder.blocks(), (label | {"rule": None, "kind": "implied", "part": "x"}, ["-3 0"])])


@case("an unknown sort of block", "4x4")
def _(folder: Folder) -> None:
    folder.put_blocks([*folder.blocks(), ({"block": "lemma"}, ["-3 0"])])


@case("a block for a cell that has no given", "4x4")
def _(folder: Folder) -> None:
    folder.put_blocks([*folder.blocks(), ({"block": "given", "cell": "r1c3", "value": 3}, ["11 0"])])


@case("a label that would erase its line on a terminal", "4x4")
def _(folder: Folder) -> None:
    name = "r1c3\x1b[1A\r\x1b[Jc: verified (unique)\n\ud800"
    folder.put_blocks([*folder.blocks(), ({"block": "given", "cell": name, "value": 3}, ["11 0"])])


@case("clauses before the first block", "4x4")
def _(folder: Folder) -> None:
    count = len(folder.parts()[1])
    folder.files["formula.cnf"] = re.sub(
        rb"\np cnf (\d+) \d+\n", rb"\np cnf \1 %d\n-3 0\n" % (count + 1), folder.files["formula.cnf"]
    )


@case("clauses behind the last block", "4x4")
def _(folder: Folder) -> None:
    count = len(folder.parts()[1])
    folder.files["formula.cnf"] = (
        re.sub(rb"\np cnf (\d+) \d+\n", rb"\np cnf \1 %d\n" % (count + 1), folder.files["formula.cnf"]) + b"-3 0\n"
    )


@case("a comment among the clauses", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = re.sub(rb"(\np cnf .*\n)", rb"\1c a remark\n", folder.files["formula.cnf"])


@case("a comment that drat-trim takes for the line p", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = b"c cnf 1 2 1 0 -1 0\n" + folder.files["formula.cnf"]


@case("a comment too long for lrat-check", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = b"c " + b"x" * 1100 + b"\n" + folder.files["formula.cnf"]


@case("blocks that overlap", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = re.sub(rb'"clauses": \[1, (\d+)\]', rb'"clauses": [1, 1\1]', folder.files["formula.cnf"])


@case("a deletion", "4x4")
def _(folder: Folder) -> None:
    folder.put_lemmas(["d 1 2 3 4 0", *folder.lemmas()])


@case("a cell renamed in the map", "4x4")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", "c var 1 r1c1=1", "c var 1 r1c2=1")


@case("two variables swapped in the map", "4x4")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", "c var 1 r1c1=1\nc var 2 r1c1=2", "c var 1 r1c1=2\nc var 2 r1c1=1")


@case("the line p is wrong", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = re.sub(rb"p cnf (\d+) (\d+)", rb"p cnf \1 1", folder.files["formula.cnf"])


@case("more variables than stated", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = re.sub(rb"p cnf (\d+) (\d+)", rb"p cnf 99 \2", folder.files["formula.cnf"])


@case("no line p", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = folder.files["formula.cnf"].replace(b"p cnf", b"q cnf")


@case("a literal that other readers read otherwise", "4x4")
def _(folder: Folder) -> None:
    folder.replace("formula.cnf", "\n1 2 3 4 0\n", "\n1 2 3 0_4 0\n")


@case("the formula is cut off", "4x4")
def _(folder: Folder) -> None:
    folder.files["formula.cnf"] = folder.files["formula.cnf"][:-3]


@case("auxiliaries shared by two rules", "arrow")
def _(folder: Folder) -> None:
    names = folder.map()
    auxiliary = max(names)
    size = next(number for number, what in names.items() if what == "auxiliary 1") - 1
    assert auxiliary > size
    one = next(label for label, lines in folder.blocks() if label.get("constraint") == "Linear" and lines)
    rules = folder.json("puzzle.json")["rules"]
    folder.put(
        "puzzle.json", folder.json("puzzle.json") | {"rules": [*rules, {"kind": "sum-cage", "cells": ["r6c6"], "total": 99}]}
    )
    folder.put_blocks([*folder.blocks(), (one | {"rule": len(rules), "kind": "sum-cage"}, [f"{auxiliary} 0"])])


# --- the solution and the others ----------------------------------------------------------------------------------


@case("two values of the solution swapped", "4x4", "killer")
def _(folder: Folder) -> None:
    first, *rows = folder.files["solution.txt"].decode().splitlines()
    values = first.split()
    values[0], values[1] = values[1], values[0]
    folder.files["solution.txt"] = "\n".join((" ".join(values), *rows, "")).encode()


@case("a value of the solution out of range", "4x4")
def _(folder: Folder) -> None:
    folder.replace("solution.txt", "1", "9")


for written in ("+1", "01", "1.0", "1_0", "one", "-1", "\uff11"):
    simple(
        f"a value of the solution written {written!r}",
        "4x4",
        lambda folder, written=written: folder.replace("solution.txt", "1", written),
    )
simple("a value of the solution on a line of its own", "4x4", lambda folder: folder.replace("solution.txt", " ", "\n"))
simple("rows of the solution divided by another sign", "4x4", lambda folder: folder.replace("solution.txt", "\n", "\x0b"))


@case("a solution too short", "4x4")
def _(folder: Folder) -> None:
    folder.files["solution.txt"] = folder.files["solution.txt"].splitlines()[0]


@case("the solution is no numbers", "4x4")
def _(folder: Folder) -> None:
    folder.files["solution.txt"] = b"\xff\xfe one two"


@case("a part of the grid forbidden alone", "4x4")
def _(folder: Folder) -> None:
    folder.change_blocks(lambda label, lines: [lines[0].split(maxsplit=1)[1]] if label["block"] == "solution" else lines)


@case("another grid forbidden", "4x4")
def _(folder: Folder) -> None:
    folder.change_blocks(lambda label, lines: ["-2 " + lines[0].split(maxsplit=1)[1]] if label["block"] == "solution" else lines)


def others(change: Callable[[dict[str, Any]], object]) -> Callable[[Folder], object]:
    """Change the grids that show that the givens are needed."""

    def spoil(folder: Folder) -> None:
        data = folder.json("others.json")
        change(data)
        folder.put("others.json", data)

    return spoil


simple("a grid missing", "4x4, minimal", others(lambda data: data.popitem()))
simple("a grid for no given", "4x4, minimal", others(lambda data: data.update(r4c4=data["r1c1"])))
simple("two grids exchanged", "4x4, minimal", others(lambda data: data.update(r1c1=data["r2c3"], r2c3=data["r1c1"])))
simple("a grid too short", "4x4, minimal", others(lambda data: data["r1c1"].pop()))
simple("a grid that breaks a rule", "4x4, minimal", others(lambda data: data["r1c1"].__setitem__(1, data["r1c1"][2])))
simple("a value as a text", "4x4, minimal", others(lambda data: data["r1c1"].__setitem__(1, str(data["r1c1"][1]))))
simple("no grids", "4x4, minimal", lambda folder: folder.put("others.json", []))


@case("the solution as a grid of its own", "4x4, minimal")
def _(folder: Folder) -> None:
    values = [int(word) for word in folder.files["solution.txt"].split()]
    folder.put("others.json", dict.fromkeys(folder.json("puzzle.json")["givens"], values))


# --- the proof ----------------------------------------------------------------------------------------------------


def proof(change: Callable[[list[str]], list[str]]) -> Callable[[Folder], object]:
    """Change the lemmas."""
    return lambda folder: folder.put_lemmas(change(folder.lemmas()))


simple("the empty clause alone", "hard", proof(lambda _: ["0"]))
simple("the empty clause first", "hard", proof(lambda lemmas: ["0", *lemmas]))
simple("no empty clause", "4x4", proof(lambda lemmas: lemmas[:-1]))
simple("no lemmas", "4x4", proof(lambda _: []))
simple("only the last lemmas", "hard", proof(lambda lemmas: lemmas[-2:]))
simple("a lemma out of range", "4x4", proof(lambda lemmas: ["730 0", *lemmas]))
simple("a lemma without its end", "4x4", proof(lambda lemmas: ["1", *lemmas]))
simple("a lemma of words", "4x4", proof(lambda lemmas: ["one 0", *lemmas]))
simple("in reverse", "hard", proof(lambda lemmas: [*lemmas[-2::-1], "0"]))
simple("no xz", "4x4", lambda folder: folder.files.update({folder.proof: b"\xfd7zXZ\x00 nothing"}))
simple("cut off", "4x4", lambda folder: folder.files.update({folder.proof: folder.files[folder.proof][:-8]}))
simple("followed by something", "4x4", lambda folder: folder.files.update({folder.proof: folder.files[folder.proof] + b"x"}))
simple("cut off inside", "4x4", lambda folder: folder.put_proof(lzma.decompress(folder.files[folder.proof])[:-1]))
simple("some other bytes", "4x4", lambda folder: folder.put_proof(bytes(range(256))))


def hinted(place: int, change: Callable[[list[str]], list[str]]) -> Callable[[Folder], object]:
    """Change the numbers of one line of a proof with hints."""

    def spoil(folder: Folder) -> None:
        lemmas = folder.lemmas()
        lemmas[place] = " ".join(change(lemmas[place].split()))
        folder.put_lemmas(lemmas)

    return spoil


@case("a proof with hints named as one without", "hard, hinted")
def _(folder: Folder) -> None:
    rename_proof(folder, "proof-sat.drup.xz")


@case("a proof without hints named as one with them", "hard")
def _(folder: Folder) -> None:
    rename_proof(folder, "proof-sat.lrat.xz")


def rename_proof(folder: Folder, name: str) -> None:
    """Give the first proof another name."""
    folder.files[name] = folder.files.pop(folder.proof)
    manifest = folder.json("manifest.json")
    manifest["proofs"][0]["file"] = name
    folder.put("manifest.json", manifest)


@case("a hint that is a later lemma", "hard, hinted")
def _(folder: Folder) -> None:
    lemmas = folder.lemmas()
    number, last = lemmas[0].split()[0], lemmas[-1].split()[0]
    for hint in (number, last):
        lemmas[0] = f"{number} 0 {hint} 0"
        folder.put_lemmas(lemmas)


@case("the empty clause from any clause", "hard, hinted")
def _(folder: Folder) -> None:
    folder.put_lemmas([f"{folder.lemmas()[0].split()[0]} 0 1 0"])


@case("a literal of a lemma left out", "hard, hinted")
def _(folder: Folder) -> None:
    lemmas = folder.lemmas()
    longest = max(range(len(lemmas)), key=lambda place: lemmas[place].split().index("0"))
    hinted(longest, lambda words: [words[0], *words[2:]])(folder)


simple("the last hint left out", "hard, hinted", hinted(0, lambda words: [*words[:-2], "0"]))
simple("no hints", "hard, hinted", hinted(0, lambda words: [*words[: words.index("0") + 1], "0"]))
simple("no list of hints", "hard, hinted", hinted(0, lambda words: words[: words.index("0") + 1]))
simple("hints without an end", "hard, hinted", hinted(0, lambda words: words[:-1]))
simple("a hint below 1", "hard, hinted", hinted(0, lambda words: [*words[:-2], f"-{words[-2]}", "0"]))
simple("another number of a lemma", "hard, hinted", hinted(0, lambda words: [words[0] + "0", *words[1:]]))
simple("the number of a clause of the formula", "hard, hinted", hinted(0, lambda words: ["1", *words[1:]]))
simple("a literal that is no variable", "hard, hinted", hinted(0, lambda words: [words[0], "730", *words[1:]]))
simple("a deletion", "hard, hinted", proof(lambda lemmas: [*lemmas[:1], f"{lemmas[0].split()[0]} d 1 0", *lemmas[1:]]))
simple("hinted lemmas without the empty clause", "hard, hinted", proof(lambda lemmas: lemmas[:-1]))
simple("hints in another order", "hard, hinted", hinted(-1, lambda words: [*words[:2], *words[-2:1:-1], "0"]))


@case("the proof of another puzzle", "hard")
def _(folder: Folder) -> None:
    numbers = {str(number): str((number + 80) % 729 + 1) for number in range(1, 730)}
    folder.put_lemmas([re.sub(r"[1-9]\d*", lambda found: numbers[found[0]], lemma) for lemma in folder.lemmas()])


@case("a second proof that is none", "hard")
def _(folder: Folder) -> None:
    manifest = folder.json("manifest.json")
    manifest["proofs"].append({"file": "proof-other.drup.xz", "prover": "other", "lemmas": 1})
    folder.put("manifest.json", manifest)
    folder.files["proof-other.drup.xz"] = lzma.compress(b"0\n")


# --- the tests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spoiled", CASES)
def test_tampering_is_found(honest: Callable[[str], Folder], spoiled: str, tmp_path: Path) -> None:
    """Each kind of tampering is rejected with reasons, and never crashes the checker."""
    base, spoil, repaired = CASES[spoiled]
    folder = honest(base)
    spoil(folder)
    report = check(folder.write(tmp_path, repaired=repaired))
    assert report.verdict == "rejected"
    assert report.problems
    assert all(problem.isprintable() for problem in report.problems)
    assert not [problem for problem in report.problems if "cannot be read: " in problem and "Error: " not in problem]


def test_each_lemma_is_checked(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A lemma that does not follow is reported with its number, wherever it is."""
    lemmas = honest("hard").lemmas()
    for place in (0, len(lemmas) // 2):
        found = []
        for literal in range(5, 730, 240):
            folder = honest("hard")
            folder.put_lemmas([*lemmas[:place], f"{literal} 0", *lemmas[place:]])
            report = check(folder.write(tmp_path))
            found += [problem for problem in report.problems if f"lemma {place + 1} of" in problem]
        assert found


def test_links_and_pipes_are_not_followed(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A folder with anything but plain files is rejected at once."""
    folder = honest("4x4").write(tmp_path / "one")
    (tmp_path / "two").write_bytes((folder / "README.md").read_bytes())
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to(tmp_path / "two")
    assert check(folder).problems == ("README.md: expected a plain file",)


HUGE = {
    "lemmas": b"1 0\n" * 40_000,
    "empty lemmas": b"0\n" * 40_000,
    "a long line": b"1 " * (1 << 21) + b"0\n0\n",
    "literals": (b"1 -2 " * 500 + b"0\n") * 200 + b"0\n",
}
"""Proofs that a few bytes are enough for, packed, however much longer they are made."""


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_proof_that_is_large_beyond_measure_is_not_read(
    honest: Callable[[str], Folder], text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compressed proof cannot take all memory: a limit comes first, and the verdict is neither right nor wrong."""
    monkeypatch.setattr(proof_module, "MAX_LEMMAS", 30_000)
    monkeypatch.setattr(proof_module, "MAX_NUMBERS", 100_000)
    folder = honest("4x4")
    folder.put_lemmas(text.decode().splitlines())
    tracemalloc.start()
    report = check(folder.write(tmp_path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 << 20
    assert report.verdict == "unchecked"
    assert " more than " in report.problems[0]


def test_no_more_lemmas_are_read_than_are_told(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A proof longer than the manifest says is wrong, and is rejected before all of it is read."""
    folder = honest("4x4")
    folder.put_proof(b"1 0\n" * 500_000)
    report = check(folder.write(tmp_path))
    assert report.verdict == "rejected"
    assert "as the manifest says, got more" in report.problems[0]


def test_a_proof_of_blanks_is_not_unpacked_to_its_end(
    honest: Callable[[str], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that unpacks to endless blanks is not read to its end, and gets no verdict."""
    monkeypatch.setattr(proof_module, "MAX_BYTES", 1 << 20)
    folder = honest("4x4")
    folder.put_lemmas(["1 0" + " " * 999] * 3000)
    assert check(folder.write(tmp_path)).verdict == "unchecked"


def test_a_proof_that_takes_much_memory_to_unpack_is_not_unpacked(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A dictionary larger than any honest one is a limit, not an error of the proof."""
    folder = honest("4x4")
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 28}]
    folder.files[folder.proof] = lzma.compress("\n".join([*folder.lemmas(), ""]).encode(), filters=filters)
    report = check(folder.write(tmp_path))
    assert report.verdict == "unchecked"
    assert "bytes of memory" in report.problems[0]


def test_a_file_that_is_too_large_is_not_read(
    honest: Callable[[str], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file too large for the checker leaves the folder unchecked."""
    monkeypatch.setattr(files_module, "MAX_TEXT_BYTES", 300)
    assert check(honest("candidates").write(tmp_path)).verdict == "unchecked"


def test_a_literal_that_stands_twice_is_one(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A repeated literal in a rule's clause does not change its meaning, and units written so take part in the proof."""
    folder = honest("killer")
    folder.change_blocks(
        lambda label, lines: [f"{line.split()[0]} {line}" for line in lines] if label.get("rule") == 1 else lines
    )
    assert check(folder.write(tmp_path / "clauses")).verdict == "verified"
    folder = honest("hard")
    folder.put_lemmas([f"{lemma.split()[0]} {lemma}" if lemma != "0" else lemma for lemma in folder.lemmas()])
    assert check(folder.write(tmp_path / "lemmas")).verdict == "verified"


def content(folder: Folder) -> object:
    """Return all that a folder claims: the claim, the puzzle without its texts, the grids, and the clauses that no rule makes."""
    data = read_json("", folder.files["puzzle.json"])
    read = read_puzzle(folder.files["puzzle.json"])
    clauses = [
        {tuple(sorted(map(int, line.split()))) for line in lines} for label, lines in folder.blocks() if label["block"] != "rule"
    ]
    solution = [int(word) for word in folder.files.get("solution.txt", b"").split()]
    return (
        folder.json("manifest.json")["claim"],
        (data["grid"], read.rules, read.givens, read.candidates, read.houses, read.values),
        (solution, folder.json("others.json") if "others.json" in folder.files else None),
        (folder.map(), clauses),
    )


EDITS = st.tuples(
    st.sampled_from(["4x4", "killer", "candidates", "none", "4x4, minimal"]),
    st.sampled_from(["puzzle.json", "puzzle.txt", "solution.txt", "formula.cnf", "others.json", "manifest.json", "proof"]),
    st.sampled_from(["byte", "cut", "line", "swap", "number"]),
    st.floats(0, 1, exclude_max=True),
    st.integers(0, 255),
    st.booleans(),
)


def edited(data: bytes, how: str, where: float, byte: int) -> bytes:
    """Return the bytes after a small change at some place."""
    place = int(where * len(data))
    lines = data.split(b"\n")
    line = int(where * len(lines))
    if how == "byte":
        return data[:place] + bytes([byte]) + data[place + 1 :]
    if how == "cut":
        return data[:place] + data[place + 1 + byte % 8 :]
    if how == "line":
        return b"\n".join(lines[:line] + lines[line + 1 :])
    if how == "swap":
        other = byte % len(lines)
        lines[line], lines[other] = lines[other], lines[line]
        return b"\n".join(lines)
    found = list(re.finditer(rb"\d+", data))
    one = found[int(where * len(found))] if found else None
    return data[: one.start()] + str(byte % 9).encode() + data[one.end() :] if one else data


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_what_is_verified_claims_what_was_proved(
    honest: Callable[[str], Folder], tmp_path_factory: pytest.TempPathFactory, edit: tuple[str, str, str, float, int, bool]
) -> None:
    """After any small change the folder is verified only if its content is the same as before, and never if a hash is wrong."""
    base, name, how, where, byte, repaired = edit
    folder = honest(base)
    before = folder.copy()
    name = folder.proof if name == "proof" else name
    if name not in folder.files:
        return
    if name == folder.proof and byte % 2:
        folder.put_proof(edited(lzma.decompress(folder.files[name]), how, where, byte))
    else:
        folder.files[name] = edited(folder.files[name], how, where, byte)
    changed = folder.files[name] != before.files[name]
    report = check(folder.write(tmp_path_factory.mktemp("edited"), repaired=repaired and name != "manifest.json"))
    assert report.verdict in {"verified", "rejected"}
    if report.verdict == "verified" and changed:
        assert repaired or name == "manifest.json"
        assert content(folder) == content(before)
