"""The files of a certificate: those of the manifest and no others, each plain, with the size and hash that are listed there."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from typing import TYPE_CHECKING, Any

from .report import CLAIMS, FORMAT, VERSION, CheckBudget, CheckFindings, CheckLimitReached, Rejected, is_number, require, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_FILE_BYTES, MAX_TEXT_BYTES, CHUNK = 1 << 27, 1 << 23, 1 << 20
"""Formulas and proofs that are larger are not read, nor any other file that is; and how many bytes are read at once."""
MAX_NAMES = 20
"""The most names of files in the folder that are listed in one problem."""
FILES_OF_EVERY_CLAIM = {"README.md", "puzzle.json", "puzzle.txt", "formula.cnf"}
FILES_OF_CLAIM: dict[str, set[str]] = {"unique": {"solution.txt"}, "none": set(), "minimal": {"solution.txt", "others.json"}}
_MANIFEST = {"format", "version", "claim", "proofs", "versions", "files"}
_PROOF, _FILE = {"file", "prover", "lemmas"}, {"sha256", "bytes"}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_PROOF_NAME = re.compile(r"proof-[A-Za-z0-9_.-]{1,80}\.(drup|lrat)\.xz")


def read_bytes(path: Path, budget: CheckBudget) -> tuple[bytearray, str]:
    """Return the bytes of a plain file (not a link or a pipe, not too large) and its SHA-256."""
    try:
        about = path.lstat()
        require(stat.S_ISREG(about.st_mode), f"{path.name}: expected a plain file")
        most = MAX_FILE_BYTES if path.suffix in {".cnf", ".xz"} else MAX_TEXT_BYTES
        if about.st_size > most:
            raise CheckLimitReached(f"{path.name}: larger than {most:,} bytes")
        budget.hold(about.st_size)
        data, digest = bytearray(), hashlib.sha256()
        with path.open("rb") as file:
            while len(data) <= about.st_size and (piece := file.read(min(CHUNK, about.st_size + 1))):
                data += piece
                digest.update(piece)
                budget.tick()
        return data, digest.hexdigest()
    except OSError as error:
        raise Rejected(f"{path.name}: cannot be read ({error.strerror})") from error


JSON_BYTES = {b"{": 300, b"[": 100, b",": 40, b'"': 35}
"""The memory that each of these signs stands for at most in JSON: an object or array, an element, half a text."""


def read_json(name: str, data: bytes | bytearray, budget: CheckBudget) -> Any:
    """Parse JSON in which no object names a field twice."""
    budget.hold(4 * len(data) + sum(size * data.count(sign) for sign, size in JSON_BYTES.items()))

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        budget.spend(1 + len(pairs))
        found = dict(pairs)
        require(len(found) == len(pairs), f"{name}: a field occurs twice in one object")
        return found

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{name}: expected JSON, got something else ({error!s:.80})") from error


def read_manifest(folder: Path, found: CheckFindings, budget: CheckBudget) -> tuple[list[dict[str, Any]], dict[str, bytearray]]:
    """Return the entries of the proofs, and the bytes of every file that belongs here and is as the manifest lists it.

    Other files are named as problems and not read, however many there are.
    """
    manifest = read_json("manifest.json", read_bytes(folder / "manifest.json", budget)[0], budget)
    require(isinstance(manifest, dict) and manifest.get("format") == FORMAT, f"manifest.json: expected the format {FORMAT!r}")
    version, claim, proofs, files = map(manifest.get, ("version", "claim", "proofs", "files"))
    require(is_number(version) and version == VERSION, f"manifest.json: expected version {VERSION}, got {shown(version)}")
    require(claim in [*CLAIMS], f"manifest.json: expected one of the claims {', '.join(CLAIMS)}, got {shown(claim)}")
    found.claim = claim
    found.problems += [f"manifest.json: {shown(key)} is not one of its fields" for key in manifest.keys() - _MANIFEST]
    right = isinstance(proofs, list) and proofs and all(map(_is_proof, proofs))
    require(right, "manifest.json: expected a list of proofs, each with its file, its prover and its lemmas, and nothing else")
    versions = manifest.get("versions", {})
    right = isinstance(versions, dict) and all(isinstance(one, str) for one in versions.values())
    require(right, "manifest.json: expected the versions of programs as texts")
    names = {proof["file"] for proof in proofs}
    if len(names) < len(proofs):
        found.problems.append("manifest.json: a proof is listed twice")
    right = isinstance(files, dict) and all(map(_PLAIN_NAME.fullmatch, files))
    require(right, "manifest.json: expected the files by their plain names")
    wanted = FILES_OF_EVERY_CLAIM | FILES_OF_CLAIM[claim] | names
    found.add_problems(f"manifest.json: {name} is missing from its files" for name in sorted(wanted - files.keys()))
    foreign = sorted(files.keys() - wanted)
    found.problems += [f"manifest.json: {_list_names(foreign)} not belong in such a certificate"] if foreign else []
    unlisted = _unlisted_names(folder, files.keys() | {"manifest.json"}, budget)
    found.problems += [f"{name}: is in the folder, but not in the manifest" for name in unlisted]
    data: dict[str, bytearray] = {}
    for name in sorted(wanted & files.keys()):
        try:
            data[name] = _read_as_listed(folder / name, files[name], budget)
        except Rejected as bad:
            found.add_problems(bad.args)
    return proofs, data


def _list_names(names: list[str]) -> str:
    """Return the first names with the verb that follows them."""
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    return f"{', '.join(names[:MAX_NAMES])}{more} {'do' if len(names) > 1 else 'does'}"


def _unlisted_names(folder: Path, listed: set[str], budget: CheckBudget) -> list[str]:
    """Return the names of files that are not ``listed``, the first by name of those seen; after many, no more are looked for."""
    found: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            budget.spend(10)
            found += [ascii(entry.name)[1:-1][:100]] if entry.name not in listed else []
            if len(found) > MAX_NAMES:
                return [*sorted(found)[:MAX_NAMES], "and more"]
    return sorted(found)


def _is_proof(entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.keys() != _PROOF:
        return False
    file, prover, lemmas = map(entry.get, ("file", "prover", "lemmas"))
    named = isinstance(file, str) and _PROOF_NAME.fullmatch(file) and isinstance(prover, str) and prover
    return bool(named) and is_number(lemmas)


def _read_as_listed(path: Path, about: Any, budget: CheckBudget) -> bytearray:
    right = isinstance(about, dict) and about.keys() == _FILE
    require(right, f"manifest.json: expected the hash and the size of {path.name}")
    (data, digest), size = read_bytes(path, budget), about["bytes"]
    require(is_number(size) and size == len(data), f"{path.name}: expected {size!r:.40} bytes, got {len(data)}")
    require(digest == about["sha256"], f"{path.name}: its SHA-256 is not the one in the manifest")
    return data


def decode_lines(name: str, pieces: Iterable[bytes | bytearray], budget: CheckBudget) -> Iterator[str]:
    """Decode bytes that come in pieces, and yield texts of whole lines without the last line end of each."""
    rest = b""
    for piece in pieces:
        budget.tick()
        whole, end, rest = (rest + piece).rpartition(b"\n")
        if len(rest) > CHUNK:
            raise CheckLimitReached(f"{name}: a line of more than {CHUNK:,} bytes")
        try:
            text = whole.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Rejected(f"{name}: expected a text in UTF-8") from error
        if end:
            yield text
    require(not rest, f"{name}: the last line is cut off")
