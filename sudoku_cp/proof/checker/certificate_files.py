"""The files of a certificate: those of the manifest and no others, each plain, with the size and hash that are listed there."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from typing import TYPE_CHECKING, Any

from .report import CLAIMS, FORMAT, VERSION, CheckFindings, CheckLimitReached, Rejected, Tick, is_number, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_FILE_BYTES, MAX_JSON_BYTES, CHUNK = 1 << 28, 1 << 24, 1 << 21
"""Larger files are not read, nor larger JSON; and how many bytes are read at once."""
FILES_OF_EVERY_CLAIM = {"README.md", "puzzle.json", "puzzle.txt", "formula.cnf"}
FILES_OF_CLAIM: dict[str, set[str]] = {"unique": {"solution.txt"}, "none": set(), "minimal": {"solution.txt", "others.json"}}
_MANIFEST = {"format", "version", "claim", "proofs", "versions", "files"}
_PROOF, _FILE = {"file", "prover", "lemmas"}, {"sha256", "bytes"}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_PROOF_NAME = re.compile(r"proof-[A-Za-z0-9_.-]{1,80}\.drup\.xz")


def read_bytes(path: Path, tick: Tick) -> tuple[bytes, str]:
    """Return the bytes of a plain file (not a link or a pipe, not too large) and its SHA-256."""
    try:
        about = path.lstat()
        require(stat.S_ISREG(about.st_mode), f"{path.name}: expected a plain file")
        most = MAX_JSON_BYTES if path.suffix == ".json" else MAX_FILE_BYTES
        if about.st_size > most:
            raise CheckLimitReached(f"{path.name}: larger than {most:,} bytes")
        pieces, digest = [], hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(min(CHUNK, about.st_size + 1)):
                pieces.append(piece)
                digest.update(piece)
                tick()
        return b"".join(pieces), digest.hexdigest()
    except OSError as error:
        raise Rejected(f"{path.name}: cannot be read ({error.strerror})") from error


def read_json(name: str, data: bytes) -> Any:
    """Parse JSON in which no object names a field twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), f"{name}: a field occurs twice in one object")
        return dict(pairs)

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{name}: expected JSON, got something else ({error!s:.80})") from error


def read_manifest(folder: Path, found: CheckFindings, tick: Tick) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return the entries of the proofs, and the bytes of every file that is as the manifest lists it."""
    manifest = read_json("manifest.json", read_bytes(folder / "manifest.json", tick)[0])
    require(isinstance(manifest, dict) and manifest.get("format") == FORMAT, f"manifest.json: expected the format {FORMAT!r}")
    version, claim, proofs, files = map(manifest.get, ("version", "claim", "proofs", "files"))
    require(is_number(version) and version == VERSION, f"manifest.json: expected version {VERSION}, got {version!r:.80}")
    require(claim in [*CLAIMS], f"manifest.json: expected one of the claims {', '.join(CLAIMS)}, got {claim!r:.80}")
    found.claim = claim
    found.problems += [f"manifest.json: {key!r:.80} is not one of its fields" for key in manifest.keys() - _MANIFEST]
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
    here = {path.name for path in folder.iterdir()} - {"manifest.json"}
    found.problems += [f"manifest.json: {name} is missing from its files" for name in sorted(wanted - files.keys())]
    found.problems += [f"manifest.json: {name} does not belong in such a certificate" for name in sorted(files.keys() - wanted)]
    found.problems += [f"{name}: is in the folder, but not in the manifest" for name in sorted(here - files.keys())]
    data: dict[str, bytes] = {}
    for name, about in sorted(files.items()):
        try:
            data[name] = _read_as_listed(folder / name, about, tick)
        except Rejected as bad:
            found.problems += bad.args
    return proofs, data


def _is_proof(entry: Any) -> bool:
    if not isinstance(entry, dict) or entry.keys() != _PROOF:
        return False
    file, prover, lemmas = map(entry.get, ("file", "prover", "lemmas"))
    named = isinstance(file, str) and _PROOF_NAME.fullmatch(file) and isinstance(prover, str) and prover
    return bool(named) and is_number(lemmas)


def _read_as_listed(path: Path, about: Any, tick: Tick) -> bytes:
    right = isinstance(about, dict) and about.keys() == _FILE
    require(right, f"manifest.json: expected the hash and the size of {path.name}")
    (data, digest), size = read_bytes(path, tick), about["bytes"]
    require(is_number(size) and size == len(data), f"{path.name}: expected {size!r:.40} bytes, got {len(data)}")
    require(digest == about["sha256"], f"{path.name}: its SHA-256 is not the one in the manifest")
    return data


def decode_lines(name: str, pieces: Iterable[bytes], tick: Tick) -> Iterator[str]:
    """Decode bytes that come in pieces, and yield texts of whole lines without the last line end of each."""
    rest = b""
    for piece in pieces:
        tick()
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
