"""The templates of the lane kernel (`search`, `checking`): run once for each shape of grid, their code cached."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.backends.fast import template
from sudoku_cp.compile_cache import CachedModule, cache_dir_for

if TYPE_CHECKING:
    from types import ModuleType

    from sudoku_cp.backends.fast.machine import Machine
    from sudoku_cp.backends.fast.rules import Shape

HERE = Path(__file__).parent
SOURCES = ("asked", "checking", "columns", "kernels", "lanes", "machine", "rules", "search", "vectors")
"""Everything that a template's code is made of."""

_DURATIONS = {9: "some seconds", 16: "up to half a minute"}
"""How long it takes to compile a kernel for so many values at most."""


def template_code(name: str, shape: Shape, host: Machine) -> CachedModule:
    """Return the functions of a template for a shape of grid and a machine, compiled when they are first called.

    ``probing`` is the template ``search``, run for probes.
    """
    description = f"the {host.name} kernel{' of probes' * (name == 'probing')} for boxes of {shape.height}x{shape.width}"
    return CachedModule(
        lambda cache_dir: _run(name, shape, host, cache_dir),
        lambda: kernel_cache_dir(shape, host, name),
        description,
        _duration(shape),
    )


def _duration(shape: Shape) -> str:
    """Say how long a kernel is compiled: longer for more values, and longer again where others are at work."""
    values = shape.height * shape.width
    return next((words for most, words in _DURATIONS.items() if values <= most), "up to two minutes")


def kernel_cache_dir(shape: Shape, host: Machine, name: str = "search") -> Path | None:
    """Return the directory of a kernel, named after what it is made of; None where none can be made.

    That of probes is another, as the same functions of the same file are kept there.
    """
    full = f"{shape.height}x{shape.width}-{host.name}-{host.lanes(shape.bits)}" + f"-{name}" * (name == "probing")
    return cache_dir_for(full, [HERE / f"{source}.py" for source in SOURCES], host, shape)


def _run(name: str, shape: Shape, host: Machine, cache_dir: Path | None) -> ModuleType:
    """Run the template."""
    full = f"sudoku_cp.backends.fast.{name}_{shape.height}x{shape.width}"  # cached code finds its types by this name
    file = "search" if name == "probing" else name
    spec = spec_from_file_location(full, HERE / f"{file}.py")
    assert spec  # noqa: S101  # the file lies beside this one
    assert spec.loader  # noqa: S101
    code = sys.modules[full] = module_from_spec(spec)
    template.SHAPE, template.MACHINE, template.KEPT, template.PROBING = shape, host, cache_dir is not None, name == "probing"
    spec.loader.exec_module(code)
    return code
