"""Compiles functions that only compiled code calls: they are optimised once, as parts of what calls them.

Numba makes a finished library of every function: it links the code of all that the function calls, optimises the whole and emits
machine code. Callers link that code and optimise it again, so that most of a kernel is optimised as often as its calls are
nested, and has machine code that nothing runs. `CalleeLibrary` leaves all that to the entry that Python calls.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a function and of what it calls, to be linked into a caller's; it has no address."""

    @property
    def codegen(self) -> Any:
        """What made this library; when it is finished, something that gives Numba the addresses of the function's objects."""
        return _NO_ENGINE if self._finalized else self._codegen

    def get_pointer_to_function(self, _name: str) -> int:
        """Finish the library; a null pointer means that it has no such function."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """Leave it to the caller's library."""

    def _finalize_final_module(self) -> None:
        """Emit no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


_NO_ENGINE = SimpleNamespace(set_env=lambda _name, _environment: None)


class CalleeCompiler(Compiler):  # type: ignore[misc]  # Numba has no types
    """Numba's compiler, with a library of this kind for each function."""

    def __init__(self, typing: Any, target: Any, library: Any, *signature_and_options: Any) -> None:
        """Take what Numba's has; ``library`` is None unless functions share one."""
        super().__init__(typing, target, library or CalleeLibrary(target.codegen(), "callee"), *signature_and_options)


compiled_callee = partial(
    njit,
    nogil=True,
    error_model="numpy",
    no_cpython_wrapper=True,  # wrappers for calls from Python and C would be a quarter of the compilation
    no_cfunc_wrapper=True,
    pipeline_class=CalleeCompiler,
)
"""Decorates, with options of ``njit``, what only compiled code calls."""
