"""The files of proofs: unpacked as if they were hostile, and parsed into lines of numbers."""

from __future__ import annotations

import lzma
import re
from typing import TYPE_CHECKING

from .certificate_files import CHUNK, decode_lines
from .dimacs_formula import CLAUSE_BYTES, LITERAL_BYTES, Clauses
from .report import CheckBudget, CheckLimitReached, Rejected, require

if TYPE_CHECKING:
    from collections.abc import Iterator


MAX_BYTES, MAX_NUMBERS, MAX_LEMMAS, MAX_MEMORY = 1 << 26, 1 << 22, 1 << 20, 1 << 26
"""The most bytes, numbers and lemmas of a proof that is read, and the memory that unpacking it may take."""


def check_limit(name: str, size: int, most: int, noun: str) -> None:
    """Raise `CheckLimitReached` if a proof is too large for this checker, which leaves open whether it is right."""
    if size > most:
        raise CheckLimitReached(f"{name}: more than {most:,} {noun}: let another program check it (README.md says how)")


def unpack(name: str, data: bytes | bytearray, budget: CheckBudget) -> Iterator[bytes]:
    """Decompress an xz file, chunk by chunk."""
    unpacker, size, ended = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MAX_MEMORY), 0, False
    while not ended:
        budget.tick()
        try:
            piece = unpacker.decompress(bytes(data), max_length=CHUNK)
        except lzma.LZMAError as error:
            if "emory" in str(error):  # "Memory usage limit exceeded"
                raise CheckLimitReached(f"{name}: unpacking it needs more than {MAX_MEMORY:,} bytes of memory") from error
            raise Rejected(f"{name}: expected an xz file ({error})") from error
        ended = unpacker.eof
        require(ended or not unpacker.needs_input, f"{name}: the xz file is cut off")
        data, size = b"", size + len(piece)
        check_limit(name, size, MAX_BYTES, "bytes")
        yield piece
    require(not unpacker.unused_data, f"{name}: the xz file continues after its end")


def read_numbers(name: str, data: bytes | bytearray, count: int, budget: CheckBudget) -> Iterator[list[int]]:
    """Yield the numbers of every line of a proof, which are ``count`` lines at most; no line is empty."""
    numbers = lines = 0
    check_limit(name, count, MAX_LEMMAS, "lemmas")
    for text in decode_lines(name, unpack(name, data, budget), budget):
        numbers += text.count(" ")
        lines += text.count("\n") + 1
        budget.hold(CLAUSE_BYTES * text.count("\n") + 2 * LITERAL_BYTES * text.count(" "))
        check_limit(name, numbers, MAX_NUMBERS, "numbers")
        require(lines <= count, f"{name}: expected {count} lemmas as the manifest says, got more")
        require(not re.search(r"[^-0-9 \n]", text), f"{name}: expected lines of numbers that end in 0")
        for line in text.split("\n"):
            budget.spend(2 + len(line) // 4)
            try:
                found = [*map(int, line.split())]
            except ValueError as error:
                raise Rejected(f"{name}: expected lines of numbers that end in 0") from error
            require(found, f"{name}: expected lines of numbers that end in 0")
            yield found


def require_lemmas(name: str, lemmas: Clauses, count: int) -> None:
    """Raise `Rejected` unless the last of ``count`` lemmas, and no other, is the empty clause."""
    require(lemmas and not lemmas[-1], f"{name}: it does not end with the empty clause")
    require([] not in lemmas[:-1], f"{name}: something follows the empty clause")
    require(len(lemmas) == count, f"{name}: expected {count} lemmas as the manifest says, got {len(lemmas)}")
