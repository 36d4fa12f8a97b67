"""The question ``prove``: can anybody be shown that a puzzle has one solution, or none?"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, Problem, WrongAnswer, placed
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json
from sudoku_cp.questions.answer import NO, RAN_OUT, YES, PuzzleJson, QuestionAnswer, Solution, answer_field
from sudoku_cp.questions.answer_parts import cell_names
from sudoku_cp.questions.question import SMALL, CertificateSizes, Fields, Limited, Reading, Run, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.proof import Certificate
    from sudoku_cp.puzzle import Puzzle

CLAIMS = ("auto", "unique", "none", "minimal")
"""What can be claimed."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Proving(Limited, Reading):
    """What is claimed of puzzles, and how it is proved."""

    claim: Literal["auto", "unique", "none", "minimal"] = option(
        "unique, none, minimal (unique, and every given is needed), or auto: whichever is true.", "auto", metavar="CLAIM"
    )
    backend: str = option(
        "The provers, comma-separated: sat (sat:glucose4, ...), and native where houses are the only rules.",
        "sat",
        metavar="NAMES",
    )
    no_verify: bool = option("Do not check the certificate after it is written.", False)

    @property
    def provers(self) -> tuple[str, ...]:
        """The names of the provers."""
        return tuple(name.strip() for name in self.backend.split(",") if name.strip())

    def contradictions(self) -> Iterator[Problem]:
        """Yield that nobody can claim this, or that there is no such prover."""
        from sudoku_cp.proof.certificate import full_names  # noqa: PLC0415  # for answers alone

        if self.claim not in CLAIMS:
            yield Problem(f"expected one of {', '.join(CLAIMS)}, got {self.claim!r:.40}", ["claim"])
        try:
            full_names(self.provers)
        except InvalidInput as error:
            yield from (placed(problem, "backend") for problem in error.problems)

    def attempt(self, puzzle: Puzzle, limits: Limits) -> ProveAnswer:
        """Return the answer without the files of its certificate, which it has found if the claim is proved."""
        from sudoku_cp.proof import prove  # noqa: PLC0415  # for answers alone

        short, start = puzzle_to_short_json(puzzle), perf_counter()
        try:
            certificate = prove(puzzle, claim=self.claim, provers=self.provers, limits=limits)
        except NotProved as error:
            return ProveAnswer(
                puzzle=short,
                status="not proved",
                error=str(error),
                solutions=tuple(solution_to_short_json(puzzle, one) for one in error.solutions),
                unnecessary=tuple(cell_names(puzzle, error.unnecessary)),
            )
        except LimitReached as error:
            return ProveAnswer(puzzle=short, status="unknown", reason=error.reason, error=str(error))
        known = certificate.solution
        return ProveAnswer(
            puzzle=short,
            status="proved",
            claim=certificate.claim,
            solution=None if known is None else solution_to_short_json(puzzle, known),
            proofs=tuple(ProofJson(prover=one.prover, lemmas=one.lemmas, file=one.file) for one in certificate.proofs),
            seconds=round(perf_counter() - start, 6),
            found=certificate,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ProveQuestion(Proving):
    """Prove that a puzzle has one solution, or none, with a certificate that anyone can check with third-party programs.

    The exit code is 1 if the claim is false: two solutions are shown, or the givens that are not needed.
    """

    name = "prove"
    example: ClassVar[Fields] = {"puzzle": SMALL}

    def answer(self, subject: Puzzle, run: Run) -> ProveAnswer:
        """Prove, pack the certificate, and check it."""
        from sudoku_cp.questions.archives import pack  # noqa: PLC0415  # for answers alone

        clock = run.limits.started()
        answer = self.attempt(subject, run.limits)
        if answer.found is None:
            return answer
        files = answer.whole_certificate.files()
        text = b64encode(pack(files)).decode()
        if too_large := _too_large(text, files, run.certificate):
            return ProveAnswer(puzzle=answer.puzzle, status="unknown", reason="memory", error=too_large)
        if not self.no_verify and answer.is_quick_to_verify:
            with TemporaryDirectory(prefix="sudoku-cp-", ignore_cleanup_errors=True) as folder:
                for name, data in files.items():
                    (Path(folder) / name).write_bytes(data)
                answer = answer.with_verdict(Path(folder), clock.seconds_left)
        return replace(answer, certificate=text)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> ProveAnswer:
        """Return that nothing has been proved, or refuted."""
        return ProveAnswer(puzzle=body.get("puzzle", ""), status="unknown", error="the limit came first")


def _too_large(text: str, files: Mapping[str, bytes], most: CertificateSizes) -> str:
    """Return that a certificate is too large to be sent; nothing if ``verify`` takes it."""
    size = sum(map(len, files.values()))
    if len(text) <= most.text and size <= most.content:
        return ""
    got = f"the certificate has {len(text):,} characters ({size:,} bytes unpacked)"
    return f"{got}, at most {most.text:,} are sent; 'sudoku-cp prove' writes any"


@dataclass(frozen=True, eq=False, kw_only=True)
class ProofJson:
    """A proof of a certificate."""

    prover: str = answer_field()
    lemmas: int = answer_field(ge=0)
    file: str = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class ProveAnswer(QuestionAnswer):
    """The answer of ``prove``."""

    puzzle: PuzzleJson = answer_field()
    status: Literal["proved", "not proved", "unknown"] = answer_field()
    claim: Literal["unique", "none", "minimal"] | None = answer_field("", None)
    solution: Solution | None = answer_field("", None)
    proofs: tuple[ProofJson, ...] = answer_field("", ())
    seconds: float | None = answer_field("", None)
    verdict: str | None = answer_field("What the independent checker says of the certificate.", None)
    trusted: tuple[str, ...] = answer_field("", ())
    certificate: str | None = answer_field("The certificate: a tar.gz of its folder in base64.", None)
    error: str | None = answer_field("", None)
    solutions: tuple[Solution, ...] = answer_field("What refutes the claim.", ())
    unnecessary: tuple[str, ...] = answer_field("The givens that are not needed.", ())

    @property
    def whole_certificate(self) -> Certificate:
        """The certificate of a claim that is proved."""
        found: Certificate = self.found
        return found

    @property
    def is_quick_to_verify(self) -> bool:
        """Whether the checker, which is plain Python, takes the certificate by default."""
        from sudoku_cp.proof.prover import MOST_CELLS_VERIFIED  # noqa: PLC0415  # for answers alone

        return len(self.whole_certificate.puzzle.grid.cells) <= MOST_CELLS_VERIFIED

    def with_verdict(self, folder: Path, seconds: float | None) -> ProveAnswer:
        """Return the answer with the checker's verdict on a folder; raise `WrongAnswer` if it is rejected, a defect of ours."""
        from sudoku_cp.proof import verify  # noqa: PLC0415  # for answers alone

        report = verify(folder, seconds=seconds)
        if report.verdict == "rejected":
            raise WrongAnswer(f"expected a certificate that is verified, got in {folder}: {'; '.join(report.problems)}")
        return replace(self, verdict=report.verdict, trusted=tuple(report.trusted))

    @property
    def exit_code(self) -> int:
        """Yes for a claim that is proved, no for one that is refuted."""
        return {"proved": YES, "not proved": NO}.get(self.status, RAN_OUT)
