"""The templates of the lane kernel (`search_template`, `check_template`): run once for each shape of grid, their code cached."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.backends.fast.kernel import template_parameters
from sudoku_cp.compile_cache import CachedModule, cache_dir_for

if TYPE_CHECKING:
    from types import ModuleType

    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

SOURCES = Path(__file__).parent / "kernel"
"""The source files of the templates' code."""

_DURATIONS = {9: "some seconds", 16: "up to half a minute"}
"""How long it takes to compile a kernel, by the largest number of values."""


def template_code(name: str, layout: BoardLayout, instruction_set: InstructionSet) -> CachedModule:
    """Return the functions of a template for a layout and an instruction set, compiled when they are first called.

    ``name`` is ``search``, ``check``, or ``probing``: the search template run for probes.
    """
    kind = f"{instruction_set.name} kernel{' of probes' * (name == 'probing')}"
    description = f"the {kind} for boxes of {layout.height}x{layout.width}"
    return CachedModule(
        lambda cache_dir: _run(name, layout, instruction_set, cache_dir),
        lambda: kernel_cache_dir(layout, instruction_set, name),
        description,
        _duration(layout),
    )


def _duration(layout: BoardLayout) -> str:
    """Return how long a kernel takes to compile: longer for more values, and on a busy machine."""
    values = layout.height * layout.width
    return next((words for most, words in _DURATIONS.items() if values <= most), "up to two minutes")


def kernel_cache_dir(layout: BoardLayout, instruction_set: InstructionSet, name: str = "search") -> Path | None:
    """Return the directory of a kernel, named after its parameters; None if it cannot be made.

    The kernel for probes has its own, as it caches the same functions of the same file.
    """
    lanes, suffix = instruction_set.lanes(layout.bits), "-probing" if name == "probing" else ""
    full = f"{layout.height}x{layout.width}-{instruction_set.name}-{lanes}{suffix}"
    return cache_dir_for(full, sorted(SOURCES.glob("*.py")), instruction_set, layout)


def _run(name: str, layout: BoardLayout, instruction_set: InstructionSet, cache_dir: Path | None) -> ModuleType:
    """Run the template and return it as a module."""
    full = f"sudoku_cp.backends.fast.kernel.{name}_{layout.height}x{layout.width}"  # cached code finds its types by this name
    file = "check_template.py" if name == "check" else "search_template.py"
    spec = spec_from_file_location(full, SOURCES / file)
    assert spec  # noqa: S101  # the file lies beside this one
    assert spec.loader  # noqa: S101
    code = sys.modules[full] = module_from_spec(spec)
    template_parameters.LAYOUT, template_parameters.INSTRUCTION_SET = layout, instruction_set
    template_parameters.CACHED, template_parameters.PROBING = cache_dir is not None, name == "probing"
    spec.loader.exec_module(code)
    return code
