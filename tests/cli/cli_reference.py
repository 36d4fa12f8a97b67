"""Writes docs/cli.md, the reference of the command line, from the parser: ``make docs-pages`` runs this file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from sudoku_cp.cli.parser import app_of_all_verbs

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
HEAD = """# Command-line reference

Every verb of `sudoku-cp` with its options, as `--help` shows them; `python -m sudoku_cp` is the same program. This page is
written by `make docs-pages`.

A PUZZLE is a puzzle as text, a file, a folder of files, or `-` for standard input; the format is recognised, and `.gz` and `.zst`
files are decompressed. Answers go to standard output, everything else to standard error.

| exit code | meaning |
|---:|:---|
| 0 | done, the answer is yes |
| 1 | done, the answer is no: not unique, no solution, a disagreement, a proof rejected |
| 2 | bad usage, bad input, or an output that cannot be written |
| 3 | a limit came before the answer |
| 4 | an engine failed, which is a defect |
| 130 | interrupted |

With many puzzles the worst code stands: 4, then 2, then 3, then 1.
"""
TABLE = ("| option | default | meaning |", "|:---|:---|:---|")


def reference() -> str:
    """Return the page, made from the parser's parameters."""
    group: Any = typer.main.get_command(app_of_all_verbs())
    context = group.make_context("sudoku-cp", [], resilient_parsing=True)
    names = group.list_commands(context)
    contents = [f"[{name}](#{name})" for name in names]
    own = [_row(parameter, context) for parameter in group.get_params(context)]
    index = f"Verbs: {', '.join(contents)}."
    return "\n".join([HEAD, *TABLE, *own, "", index, *(_section(name, group.commands[name], context) for name in names)])


def _section(name: str, command: Any, parent: Any) -> str:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    pieces = [piece.strip("{}") for piece in command.collect_usage_pieces(context)]
    usage = " ".join(["sudoku-cp", name, *pieces])
    rows = [_row(parameter, context) for parameter in command.get_params(context) if parameter.name != "help"]
    return "\n".join([f"\n## {name}\n", command.help, f"\n```\n{usage}\n```\n", *TABLE, *rows]) + "\n"


def _row(parameter: Any, context: Any) -> str:
    """Return the names, the default and the help of a parameter."""
    if parameter.param_type_name == "argument":
        names = f"`{parameter.make_metavar(context)}`"
    else:
        value = "" if parameter.is_flag else f" {parameter.make_metavar(context)}"
        names = ", ".join(
            f"`{name}{value if name.startswith('--') else ''}`"
            for name in sorted((*parameter.opts, *parameter.secondary_opts), key=_is_short)
        )
    return f"| {names} | {_default(parameter)} | {(parameter.help or '').replace('|', '&#124;')} |"


def _is_short(name: str) -> bool:
    return not name.startswith("--")


def _default(parameter: Any) -> str:
    shown = parameter.show_default
    if parameter.required:
        return "required"
    if isinstance(shown, str):
        return shown
    if shown is False or parameter.default in (None, "", (), False):
        return ""
    if parameter.default is True:
        return f"`{parameter.opts[0]}`"
    return f"`{parameter.default}`"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
