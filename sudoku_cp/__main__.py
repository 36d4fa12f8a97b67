"""``python -m sudoku_cp`` is ``sudoku-cp``."""

import gc


def main() -> None:
    """Run the command line."""
    # What is imported stays; looking for garbage in it meanwhile would cost a cold call 5 ms.
    gc.disable()
    from sudoku_cp.cli import main as run  # noqa: PLC0415

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
