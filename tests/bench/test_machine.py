"""The machine is described, and the kernel runs with narrower vectors than the processor has, so that one run compares them."""

from __future__ import annotations

import re

import pytest

from sudoku_cp.backends.fast.kernel import instruction_set
from sudoku_cp.bench import machine
from sudoku_cp.bench.machine import WIDTHS, available_widths, describe_machine, environment_without_wider, parse_cpuinfo


@pytest.mark.parametrize(
    ("flags", "found"), [("sse2 avx2 avx512bw avx512vl", WIDTHS), ("sse2 avx2 avx512f", WIDTHS[1:]), ("", WIDTHS[2:])], ids=str
)
def test_the_widest_set_comes_first(monkeypatch, flags: str, found: tuple[str, ...]) -> None:
    """Every narrower set is there too."""
    monkeypatch.setattr(machine, "processor_fields", lambda: {"flags": flags})
    assert available_widths() == found


def test_this_processor_is_seen_as_the_kernel_sees_it() -> None:
    """The first set is the one that the kernel uses."""
    assert available_widths()[0] == instruction_set.host_instruction_set().name


@pytest.mark.parametrize("width", available_widths()[1:])
def test_wider_sets_can_be_left_out(monkeypatch, width: str) -> None:
    """Under the environment of a narrower set the kernel chooses that one."""
    features = environment_without_wider(width)["NUMBA_CPU_FEATURES"]
    monkeypatch.setattr(instruction_set.config, "CPU_FEATURES", features)
    assert instruction_set.host_instruction_set().name == width


def test_the_machine_is_described() -> None:
    """Processor, instruction sets, system and versions are texts."""
    told = describe_machine()
    assert list(told) == ["processor", "instructions", "kernel", "load", "system", "versions"]
    assert all(told.values())
    assert re.search(r"sudoku_cp \S+.*numpy \d", told["versions"])
    assert parse_cpuinfo("model name\t: Some CPU\nflags\t\t: avx2\n\nmodel name\t: Another") == {
        "model name": "Some CPU",
        "flags": "avx2",
    }
