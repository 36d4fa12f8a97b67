"""The files of a certificate: there are no others, they are as the manifest says, and they are texts or JSON."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from typing import TYPE_CHECKING, Any

from .report import CLAIMS, FORMAT, VERSION, Bad, Findings, LimitReached, Tick, is_number, need

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LARGEST, LARGEST_JSON, PIECE = 1 << 28, 1 << 24, 1 << 21
"""No file of more bytes is read, and no JSON; and so many are read at once."""
ALWAYS = {"README.md", "puzzle.json", "puzzle.txt", "formula.cnf"}
FOR_CLAIM: dict[str, set[str]] = {"unique": {"solution.txt"}, "none": set(), "minimal": {"solution.txt", "others.json"}}
_MANIFEST = {"format", "version", "claim", "proofs", "versions", "files"}
_PROOF, _FILE = {"file", "prover", "lemmas"}, {"sha256", "bytes"}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_PROOF_NAME = re.compile(r"proof-[A-Za-z0-9_.-]{1,80}\.drup\.xz")


def read_bytes(path: Path, tick: Tick) -> tuple[bytes, str]:
    """Return what is in a plain file, which is neither a link, a pipe nor too large, and its SHA-256."""
    try:
        about = path.lstat()
        need(stat.S_ISREG(about.st_mode), f"{path.name}: expected a plain file")
        most = LARGEST_JSON if path.suffix == ".json" else LARGEST
        if about.st_size > most:
            raise LimitReached(f"{path.name}: larger than {most:,} bytes")
        pieces, digest = [], hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(min(PIECE, about.st_size + 1)):
                pieces.append(piece)
                digest.update(piece)
                tick()
        return b"".join(pieces), digest.hexdigest()
    except OSError as error:
        raise Bad(f"{path.name}: cannot be read ({error.strerror})") from error


def read_json(name: str, data: bytes) -> Any:
    """Return plain data, in which no object names a field twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), f"{name}: a field stands twice in one object")
        return dict(pairs)

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Bad(f"{name}: expected JSON, got something else ({error!s:.80})") from error


def read_manifest(folder: Path, found: Findings, tick: Tick) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return what is told of the proofs, and the bytes of every file that is as the manifest tells."""
    told = read_json("manifest.json", read_bytes(folder / "manifest.json", tick)[0])
    need(isinstance(told, dict) and told.get("format") == FORMAT, f"manifest.json: expected the format {FORMAT!r}")
    version, claim, proofs, files = map(told.get, ("version", "claim", "proofs", "files"))
    need(is_number(version) and version == VERSION, f"manifest.json: expected version {VERSION}, got {version!r:.80}")
    need(claim in [*CLAIMS], f"manifest.json: expected one of the claims {', '.join(CLAIMS)}, got {claim!r:.80}")
    found.claim = claim
    found.problems += [f"manifest.json: {key!r:.80} is no field of it" for key in told.keys() - _MANIFEST]
    right = isinstance(proofs, list) and proofs and all(map(_is_proof, proofs))
    need(right, "manifest.json: expected a list of proofs, each with its file, its prover and its lemmas, and nothing else")
    versions = told.get("versions", {})
    right = isinstance(versions, dict) and all(isinstance(one, str) for one in versions.values())
    need(right, "manifest.json: expected the versions of programs as texts")
    names = {proof["file"] for proof in proofs}
    if len(names) < len(proofs):
        found.problems.append("manifest.json: a proof is listed twice")
    right = isinstance(files, dict) and all(map(_PLAIN_NAME.fullmatch, files))
    need(right, "manifest.json: expected the files by their plain names")
    wanted = ALWAYS | FOR_CLAIM[claim] | names
    here = {path.name for path in folder.iterdir()} - {"manifest.json"}
    found.problems += [f"manifest.json: {name} is missing from its files" for name in sorted(wanted - files.keys())]
    found.problems += [f"manifest.json: {name} is no part of such a certificate" for name in sorted(files.keys() - wanted)]
    found.problems += [f"{name}: stands in the folder, but not in the manifest" for name in sorted(here - files.keys())]
    data: dict[str, bytes] = {}
    for name, about in sorted(files.items()):
        try:
            data[name] = _as_told(folder / name, about, tick)
        except Bad as bad:
            found.problems += bad.args
    return proofs, data


def _is_proof(told: Any) -> bool:
    if not isinstance(told, dict) or told.keys() != _PROOF:
        return False
    file, prover, lemmas = map(told.get, ("file", "prover", "lemmas"))
    named = isinstance(file, str) and _PROOF_NAME.fullmatch(file) and isinstance(prover, str) and prover
    return bool(named) and is_number(lemmas)


def _as_told(path: Path, about: Any, tick: Tick) -> bytes:
    right = isinstance(about, dict) and about.keys() == _FILE
    need(right, f"manifest.json: expected the hash and the size of {path.name}")
    (data, digest), size = read_bytes(path, tick), about["bytes"]
    need(is_number(size) and size == len(data), f"{path.name}: expected {size!r:.40} bytes, got {len(data)}")
    need(digest == about["sha256"], f"{path.name}: its SHA-256 is not the one in the manifest")
    return data


def texts(name: str, pieces: Iterable[bytes], tick: Tick) -> Iterator[str]:
    """Yield a text that comes in pieces as texts of whole lines, the last line end of each left out."""
    rest = b""
    for piece in pieces:
        tick()
        whole, end, rest = (rest + piece).rpartition(b"\n")
        if len(rest) > PIECE:
            raise LimitReached(f"{name}: a line of more than {PIECE:,} bytes")
        try:
            text = whole.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Bad(f"{name}: expected a text in UTF-8") from error
        if end:
            yield text
    need(not rest, f"{name}: the last line is cut off")
