"""What is answered: a model for the object of each question, which is the object of the command line's ``--json``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.service.shapes.documents import PuzzleTold

Reason: TypeAlias = Literal["deadline", "nodes", "cancelled", "crashed", "memory"]
"""Why a question has no answer, or only a part of one."""
Status: TypeAlias = Literal["unique", "multiple", "none", "solved", "unknown"]
Solution: TypeAlias = str | dict[str, int]
"""A line of text, or values by cell."""
CellValue: TypeAlias = tuple[str, int]
CellValues: TypeAlias = dict[str, list[int]]
Count: TypeAlias = Annotated[int, Field(ge=0)]


class Answer(BaseModel):
    """What every answer may say."""

    model_config = ConfigDict(extra="forbid")

    warnings: list[str] = Field([], description="What of the text was not read, because it is not a rule.")


class LimitedAnswer(Answer):
    """An answer that a limit may have kept from being complete."""

    reason: Reason | None = Field(None, description="The limit that came first, if one did. It never means 'no'.")


# --- solutions ---------------------------------------------------------------------------------------------------


class FoundAnswer(LimitedAnswer):
    """What solving finds."""

    puzzle: PuzzleTold
    status: Status
    solutions: list[Solution]
    count: Count = Field(description="The solutions found; all of them if 'exact'.")
    exact: bool
    backend: str
    seconds: float
    stated_solution: Literal["right", "wrong"] | None = Field(None, description="Whether the solution that came with it is one.")
    counters: dict[str, int] = {}


class SolveAnswer(FoundAnswer):
    """The answer of ``solve``."""

    truncated: bool = Field(default=False, description="Whether more solutions were found than are told.")


class EstimateTold(BaseModel):
    """An estimate of the number of solutions; the interval covers it with 95 %."""

    model_config = ConfigDict(extra="forbid")

    estimate: Count
    stderr: float | None
    iterations: Count
    ci95_lower: Count
    ci95_upper: Count | None


class CountAnswer(LimitedAnswer):
    """The answer of ``count``; of an estimate it has no status and no solutions."""

    puzzle: PuzzleTold
    count: Count = Field(description="The number of solutions if 'exact', otherwise how many there are at least.")
    exact: bool
    status: Status | None = None
    solutions: list[Solution] = []
    backend: str | None = None
    seconds: float | None = None
    stated_solution: Literal["right", "wrong"] | None = None
    counters: dict[str, int] = {}
    estimate: EstimateTold | None = None


class ConflictTold(BaseModel):
    """Givens and rules that cannot all hold."""

    model_config = ConfigDict(extra="forbid")

    givens: list[str] = Field(examples=[["r1c1=5", "r1c2=5"]])
    rules: list[str]
    candidates: list[str] = []
    minimal: bool = Field(description="None of them can be left out.")
    smallest: bool = Field(description="No fewer clash.")


class RuleTold(BaseModel):
    """A rule of the puzzle."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    part: str
    index: Count


class CheckAnswer(FoundAnswer):
    """The answer of ``check``."""

    conflict: ConflictTold | None = Field(None, description="Why there is no solution.")
    differ: dict[str, tuple[int, int]] | None = Field(None, description="The cells in which two solutions differ.")
    frozen: list[str] | None = Field(None, description="What is the same in all solutions.")
    additions: list[str] | None = Field(None, description="Further givens that would leave one solution.")
    fewest: bool | None = None
    minimal: bool | None = Field(None, description="Whether every given is needed.")
    unnecessary: list[str] | None = Field(None, description="Givens that can be left out, each alone.")
    unnecessary_rules: list[RuleTold] | None = None
    unnecessary_candidates: list[str] | None = None
    undecided: list[str] = []


class CandidatesAnswer(LimitedAnswer):
    """The answer of ``candidates``; a ``partial`` one is an item on the way."""

    puzzle: PuzzleTold
    status: Status
    solutions: list[Solution]
    count: Count
    exact: bool
    candidates: CellValues = Field(description="The values of each cell that occur in some solution.")
    cap: int | None = None
    counts: dict[str, dict[str, int]] | None = Field(None, description="In how many solutions each occurs, up to 'cap'.")
    forced: dict[str, int] = Field(description="The cells that have the same value in all solutions.")
    impossible: CellValues
    undecided: CellValues
    complete: bool
    backend: str
    calls: Count
    seconds: float
    partial: bool = False


class TallyTold(BaseModel):
    """How an engine did."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    solved: Count
    statuses: dict[str, int]
    median: float
    p95: float
    max: float
    total: float
    nodes: Count


class VerdictTold(BaseModel):
    """What an engine says of a puzzle."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    status: str
    solutions: list[Solution] | None = None
    error: str | None = None


class DisagreementTold(BaseModel):
    """A puzzle on which engines differ, and the least that still shows it."""

    model_config = ConfigDict(extra="forbid")

    index: Count
    puzzle: PuzzleTold
    verdicts: list[VerdictTold]
    shrunk: PuzzleTold
    shrunk_verdicts: list[VerdictTold]


class CompareAnswer(LimitedAnswer):
    """The answer of ``compare``."""

    puzzles: Count
    agreed: bool | None = Field(description="Whether engines agreed on all puzzles compared; null if there was none.")
    disagreed: Count
    unknown: Count
    refused: Count
    backends: list[TallyTold]
    disagreements: list[DisagreementTold]


class TreeTold(BaseModel):
    """A path tree as columns: an entry a node, the root first, then the guesses in the order of the search."""

    model_config = ConfigDict(extra="forbid")

    stopped: str | None
    kinds: list[str]
    fates: list[str]
    cells: list[str] = Field(description="The name of each cell; what a number beyond them stands for is no cell of the board.")
    parent: list[int] = Field(description="The index of the node before; -1 for the root.")
    depth: list[int] = Field(description="The number of guesses.")
    cell: list[int]
    value: list[int]
    kind: list[int] = Field(description="An index of 'kinds'.")
    fate: list[int] = Field(description="An index of 'fates'.")
    forced: list[list[int]] = Field(description="Cell, value and index of 'reasons' of each placement that followed.")
    contradiction: list[int] = Field(description="The index in 'reasons' of what refuted it at once, or -1.")
    reasons: list[str]


class TraceAnswer(FoundAnswer):
    """The answer of ``trace``."""

    tree: TreeTold | None = None
    truncated: bool = Field(default=False, description="Whether the tree grew larger than is told.")


# --- proofs ------------------------------------------------------------------------------------------------------


class ProofTold(BaseModel):
    """A proof of a certificate."""

    model_config = ConfigDict(extra="forbid")

    prover: str
    lemmas: Count
    file: str


class ProveAnswer(LimitedAnswer):
    """The answer of ``prove``."""

    puzzle: PuzzleTold
    status: Literal["proved", "not proved", "unknown"]
    claim: Literal["unique", "none", "minimal"] | None = None
    solution: Solution | None = None
    proofs: list[ProofTold] = []
    seconds: float | None = None
    verdict: str | None = Field(None, description="What the independent checker says of the certificate.")
    trusted: list[str] = []
    certificate: str | None = Field(None, description="The certificate: a tar.gz of its folder in base64.")
    error: str | None = None
    solutions: list[Solution] = Field([], description="What refutes the claim.")
    unnecessary: list[str] = Field([], description="The givens that are not needed.")


class VerifyAnswer(BaseModel):
    """The answer of ``verify``."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["verified", "rejected", "absent", "unchecked"]
    claim: Literal["unique", "none", "minimal"] | None
    problems: list[str]
    trusted: list[str]
    facts: dict[str, Any]


# --- what a person could deduce ----------------------------------------------------------------------------------


class ExplainerTold(BaseModel):
    """Sudoku Explainer's rating."""

    model_config = ConfigDict(extra="forbid")

    er: float
    ep: float
    ed: float
    hardest: str


class ProofSizeTold(BaseModel):
    """The sizes of proofs."""

    model_config = ConfigDict(extra="forbid")

    largest: float
    squares: float
    rounds: Count
    hard: Count
    search: bool


class ScoreTold(BaseModel):
    """HoDoKu's score."""

    model_config = ConfigDict(extra="forbid")

    score: Count
    level: str


class WaysTold(BaseModel):
    """How many steps there were at each moment of the path."""

    model_config = ConfigDict(extra="forbid")

    bottleneck: Count | None
    narrow: Count
    steps: list[Count]


class RateAnswer(LimitedAnswer):
    """The answer of ``rate``; a scale that is missing has its reason in ``missing``."""

    status: Literal["ok", "multiple", "none", "unknown"]
    se: ExplainerTold | None = None
    proof_size: ProofSizeTold | None = None
    hodoku: ScoreTold | None = None
    word: str | None = None
    ways: WaysTold | None = None
    missing: dict[str, str] = {}


class StepTold(BaseModel):
    """A step that a person could take, with what proves it."""

    model_config = ConfigDict(extra="forbid")

    technique: str
    code: str
    eliminations: list[CellValue]
    placements: list[CellValue]
    values: list[int]
    cells: list[str]
    needs_uniqueness: bool
    proof: list[str]
    text: str


class PositionAnswer(LimitedAnswer):
    """What is known of a position."""

    solutions: Status = Field(description="How many solutions the puzzle has.")
    wrong_values: list[CellValue] = []
    wrong_eliminations: list[CellValue] = []


class HintAnswer(PositionAnswer):
    """The answer of ``hint``: nothing that its level does not tell."""

    status: Literal["step", "wrong", "none", "solved", "stuck", "unknown"]
    level: int
    clash: ConflictTold | None = None
    place: str | None = None
    technique: str | None = None
    code: str | None = None
    cells: list[str] | None = None
    step: StepTold | None = None
    values: dict[str, int] | None = None
    candidates: CellValues | None = None
    text: str


class StepsAnswer(PositionAnswer):
    """The answer of ``steps``."""

    status: Literal["ok"]
    steps: list[StepTold]
    complete: bool = Field(description="Whether it ended by itself, and not at a limit.")


class FactTold(BaseModel):
    """A line of an explanation."""

    model_config = ConfigDict(extra="forbid")

    fact: str
    uses: list[tuple[str, int, bool]]
    forces: list[tuple[str, int, bool]]
    text: str


class ExplanationTold(BaseModel):
    """Why a cell cannot hold a value, or that it can."""

    model_config = ConfigDict(extra="forbid")

    cell: str
    value: int | str
    answer: str
    reason: Reason | None = None
    text: list[str] = []
    size: Count | None = None
    smallest: bool | None = None
    by_cases: bool | None = None
    proof: list[str] = []
    lines: list[FactTold] = []
    solution: Solution | None = None


class ExplainAnswer(Answer):
    """The answer of ``explain``."""

    answers: list[ExplanationTold]


# --- new puzzles -------------------------------------------------------------------------------------------------


class GeneratedTold(BaseModel):
    """A new puzzle."""

    model_config = ConfigDict(extra="forbid")

    puzzle: PuzzleTold
    solution: Solution | None = None
    seed: Count
    number: Count
    givens: Count
    symmetry: str | None = None
    difficulty: str | None = None
    tries: Count
    proved_by: str | None = None
    reason: str | None = None
    missed: Any = None


class GenerateAnswer(LimitedAnswer):
    """The answer of ``generate``; each puzzle is an item on the way too."""

    puzzles: list[GeneratedTold]
    count: Count
    wanted: Count
    seed: Count | None
    tries: Count
    seconds: float


# --- what solves nothing -----------------------------------------------------------------------------------------


class ConvertAnswer(LimitedAnswer):
    """The answer of ``convert``."""

    status: Literal["written", "refused", "unknown"]
    left_out: list[str] = Field([], description="What the format has no place for.")
    error: str | None = None
    text: str | None = None


class LayersTold(BaseModel):
    """What a page needs to draw a puzzle itself; lengths are in hundredths of a cell."""

    model_config = ConfigDict(extra="forbid")

    box: tuple[int, int, int, int]
    cells: list[tuple[int, int]]
    values: list[int]
    signs: list[str]
    givens: dict[str, int]
    under: str
    lines: str
    over: str
    outside: str
    legend: str
    parts: dict[str, dict[str, str]]
    labelled: list[int]


class PictureAnswer(LimitedAnswer):
    """The answer of ``picture``: one of the two."""

    svg: str | None = None
    layers: LayersTold | None = None


class PrintAnswer(LimitedAnswer):
    """The answer of ``print``."""

    pdf: str | None = Field(None, description="The sheets as PDF in base64.")


class RuleListed(BaseModel):
    """A kind of rule."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    meaning: str
    fields: dict[str, str]
    example: dict[str, Any]
    values: tuple[int, int]
    elsewhere: dict[str, str]


class RulesAnswer(BaseModel):
    """Every kind of rule."""

    model_config = ConfigDict(extra="forbid")

    rules: list[RuleListed]


class FormatListed(BaseModel):
    """A format of puzzles."""

    model_config = ConfigDict(extra="forbid")

    format: str
    reads: bool
    writes: bool
    summary: str


class FormatsAnswer(BaseModel):
    """Every format."""

    model_config = ConfigDict(extra="forbid")

    formats: list[FormatListed]


class BackendListed(BaseModel):
    """An engine."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    installed: bool
    takes: list[str]
    summary: str


class BackendsAnswer(BaseModel):
    """Every engine that is known."""

    model_config = ConfigDict(extra="forbid")

    backends: list[BackendListed]


class LimitsAnswer(BaseModel):
    """How much may be asked: sizes, seconds, and how often."""

    model_config = ConfigDict(extra="forbid")

    limits: dict[str, float]
