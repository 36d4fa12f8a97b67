"""Run-time checks of arguments against their annotations.

`checked` decorates public functions, `CheckedFields` is a base of public dataclasses. A value that fits its annotation passes
untouched, at the cost of a type test. Otherwise it is converted to plain Python: a list to the expected tuple, a NumPy number to
a Python one. A value that still does not fit raises `InvalidType`, which lists every wrong parameter, what was expected and what
was given.

Annotations are evaluated when a function is first called, so their names must be importable at run time; ruff is configured for
that (see ``lint.flake8-type-checking`` in pyproject.toml).

Why not a library: importing beartype, typeguard or pydantic takes 80 to 150 ms of CPU, this module 2 ms. beartype looks at one
element of a container chosen at random, takes True for an int, refuses a list for a tuple, and its messages show Python types.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from enum import Enum
from functools import cache, cached_property, wraps
from itertools import chain, repeat
from types import NoneType, UnionType
from typing import IO, Annotated, Any, Literal, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from sudoku_cp.errors import InvalidType

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Fits = Callable[[Any], bool]

MAX_LISTED_PROBLEMS = 10
"""How many wrong parts of one value are listed at most; the rest are only counted."""


# --- what an annotation requires ----------------------------------------------------------------------------------


class TypeSpec(NamedTuple):
    """What an annotation requires: in words (singular, and plural), and as tests.

    ``known`` are types seen so far whose objects all fit: most values pass with one look-up there. ``fits`` is the whole test,
    ``opens`` the test of the container alone; ``parts`` yields what is inside, each with its place and spec. For a tuple
    of any length, ``known_inside`` are the ``known`` types of its elements.
    """

    words: str
    many: str
    known: set[type]
    fits: _Fits
    opens: _Fits
    parts: Callable[[Any], Iterator[tuple[str, TypeSpec, Any]]] = lambda _: iter(())
    known_inside: set[type] | None = None


ANYTHING = TypeSpec("anything", "things", set(), lambda _: True, lambda _: True)

_BUILTIN_SPECS: Mapping[object, tuple[str, str, tuple[type, ...], tuple[type, ...]]] = {
    int: ("a whole number", "whole numbers", (int,), (bool,)),
    float: ("a number", "numbers", (float, int), (bool,)),
    bool: ("True or False", "truth values", (bool,), ()),
    str: ("a text", "texts", (str,), ()),
    NoneType: ("None", "None", (NoneType,), ()),
}
"""Builtins: in words, and the types that they accept and refuse (True and False are ints to Python, but not here)."""


def _spec_of_types(words: str, many: str, wanted: tuple[type, ...], but: tuple[type, ...] = ()) -> TypeSpec:
    known = set(wanted)

    def fits(value: Any) -> bool:
        if type(value) not in known and isinstance(value, wanted) and not isinstance(value, but):
            known.add(type(value))
        return type(value) in known

    return TypeSpec(words, many, known, fits, fits)


def _spec_of_class(wanted: type) -> TypeSpec:
    such_as = getattr(wanted, "such_as", "")
    name = wanted.__name__
    if name.endswith("s"):  # such as Limits, Symbols
        one = many = name
    else:
        one, many = f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", f"{name}s"
    return _spec_of_types(f"{one}, such as {such_as}" if such_as else one, many, (wanted,))


def _spec_of_literal(*known: object) -> TypeSpec:
    def fits(value: Any) -> bool:
        # True equals 1, but whoever names numbers does not mean it.
        alike = (one for one in known if isinstance(value, type(one)) and isinstance(value, bool) == isinstance(one, bool))
        return any(value == one for one in alike)

    words = f"one of {', '.join(map(repr, known))}"
    return TypeSpec(words, words, set(), fits, fits)


def _spec_of_union(*hints: object) -> TypeSpec:
    specs = [type_spec(hint) for hint in hints]
    known: set[type] = set()

    def fits(value: Any) -> bool:
        if type(value) in known:
            return True
        fitting = next((spec for spec in specs if spec.fits(value)), None)
        if fitting and type(value) in fitting.known:
            known.add(type(value))
        return fitting is not None

    def opens(value: Any) -> bool:
        return any(spec.opens(value) for spec in specs)

    def parts(value: Any) -> Iterator[tuple[str, TypeSpec, Any]]:
        return next(spec for spec in specs if spec.opens(value)).parts(value)

    return TypeSpec(
        _join_with_or(spec.words for spec in specs), _join_with_or(spec.many for spec in specs), known, fits, opens, parts
    )


def _join_with_or(words: Iterable[str]) -> str:
    """Return alternatives, each once: files of text and of bytes are open files both."""
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last


def _all_fit(spec: TypeSpec, values: Iterable[Any]) -> bool:
    return all(map(spec.fits, values))


def _make_each_test(spec: TypeSpec) -> Callable[[Collection[Any]], bool]:
    """Return the test that all values of a collection fit; for builtins, and tuples of them, it is a call or two in C."""
    known = spec.known.issuperset
    if spec.known_inside is not None:
        tuples, inside = {tuple}.issuperset, spec.known_inside.issuperset
        return lambda values: (
            (tuples(map(type, values)) and inside(map(type, chain.from_iterable(values)))) or _all_fit(spec, values)
        )
    return lambda values: known(map(type, values)) or _all_fit(spec, values)


def _numbered_parts(values: Iterable[Any], specs: Iterable[TypeSpec]) -> Iterator[tuple[str, TypeSpec, Any]]:
    return ((f"[{place}]", spec, value) for place, (spec, value) in enumerate(zip(specs, values, strict=False)))


def _spec_of_collection(wanted: Any, hint: object = Any) -> TypeSpec:
    """Return the spec of a tuple, a sequence or an iterable; a text, a sequence to Python, does not fit."""
    inner = type_spec(hint)
    each = _make_each_test(inner)
    outside = _spec_of_types("", "", (wanted,), (str, bytes))
    whole = _spec_of_types("", "", (Collection,))

    def fits(value: Any) -> bool:
        # The elements of an iterator cannot be tested without consuming it.
        return outside.fits(value) and (not whole.fits(value) or each(value))

    def parts(value: Any) -> Iterator[tuple[str, TypeSpec, Any]]:
        return _numbered_parts(value, repeat(inner))

    name = wanted.__name__.lower()
    words = f"{'an' if name[0] in 'aeiou' else 'a'} {name} of {inner.many}"
    known_inside = inner.known if wanted is tuple else None
    return TypeSpec(words, f"{name}s of {inner.many}", set(), fits, outside.fits, parts, known_inside)


def _spec_of_tuple(*hints: object) -> TypeSpec:
    if len(hints) == 2 and hints[1] is Ellipsis:  # noqa: PLR2004
        return _spec_of_collection(tuple, hints[0])
    specs = [type_spec(hint) for hint in hints]

    def opens(value: Any) -> bool:
        return isinstance(value, tuple) and len(value) == len(specs)

    def fits(value: Any) -> bool:
        return opens(value) and all(spec.fits(one) for spec, one in zip(specs, value, strict=True))

    words = f"({', '.join(spec.words for spec in specs)})"
    return TypeSpec(words, f"tuples {words}", set(), fits, opens, lambda value: _numbered_parts(value, specs))


def _spec_of_mapping(wanted: Any, keys: object = Any, values: object = Any) -> TypeSpec:
    one_key, one_value = type_spec(keys), type_spec(values)
    each_key, each_value = _make_each_test(one_key), _make_each_test(one_value)
    outside = _spec_of_types("", "", (wanted,))

    def fits(value: Any) -> bool:
        return outside.fits(value) and each_key(value) and each_value(value.values())

    def parts(value: Any) -> Iterator[tuple[str, TypeSpec, Any]]:
        yield from ((", keys", one_key, key) for key in value)
        yield from ((f"[{key!r:.20}]", one_value, one) for key, one in value.items())

    inside = f"of {one_key.many} to {one_value.many}"
    return TypeSpec(f"a mapping {inside}", f"mappings {inside}", set(), fits, outside.fits, parts)


def _spec_of_callable(*_: object) -> TypeSpec:
    return TypeSpec("something that can be called", "functions", set(), callable, callable)


def _spec_of_stream(*_: object) -> TypeSpec:
    def fits(value: Any) -> bool:
        return hasattr(value, "read") or hasattr(value, "write")

    return TypeSpec("an open file", "open files", set(), fits, fits)


@cache
def type_spec(hint: Any) -> TypeSpec:
    """Return the spec of an annotation."""
    if hint in _BUILTIN_SPECS:
        return _spec_of_types(*_BUILTIN_SPECS[hint])
    if hint in (Any, object):
        return ANYTHING
    origin, inside = get_origin(hint) or hint, get_args(hint)
    if alias := getattr(origin, "__value__", None):  # a type alias of PEP 695, as NumPy's NDArray from 2.5 on
        return type_spec(alias[inside] if inside else alias)
    for shapes, make in _SPEC_MAKERS:
        if origin in shapes:
            return make(*inside)
    if not isinstance(origin, type):
        raise TypeError(f"expected an annotation made of types, got {hint!r}")
    if issubclass(origin, Mapping):
        return _spec_of_mapping(origin, *inside)
    return _spec_of_collection(origin, *inside) if len(inside) == 1 and issubclass(origin, Iterable) else _spec_of_class(origin)


_SPEC_MAKERS: tuple[tuple[tuple[object, ...], Callable[..., TypeSpec]], ...] = (
    ((Union, UnionType), _spec_of_union),
    ((Literal,), _spec_of_literal),
    ((Annotated,), lambda hint, *_: type_spec(hint)),
    ((tuple,), _spec_of_tuple),
    ((Callable,), _spec_of_callable),
    ((IO,), _spec_of_stream),
)
"""The spec makers of annotations that are not plain classes."""


# --- checking -----------------------------------------------------------------------------------------------------


def _to_plain_python(value: Any) -> Any:
    """Convert foreign numbers and lists to plain Python: numbers, and tuples, which are immutable."""
    if isinstance(value, list | range | Iterator):
        return tuple(map(_to_plain_python, value))
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_to_plain_python, value))
    if isinstance(value, Mapping):
        return {_to_plain_python(key): _to_plain_python(one) for key, one in value.items()}
    if hasattr(value, "__array__") and hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return _to_plain_python(value.tolist())
    return value


def _problems(where: str, spec: TypeSpec, value: Any) -> Iterator[str]:
    """Yield what does not fit, located as deep inside as possible."""
    if spec.opens(value):
        for place, inner, part in spec.parts(value):
            if not inner.fits(part):
                yield from _problems(where + place, inner, part)
    else:
        yield f"{where}: expected {spec.words}, got {value!r:.80}"


def _coerce(where: str, spec: TypeSpec, value: Any, problems: list[str]) -> Any:
    """Return the value converted to fit its spec; append to ``problems`` if it cannot be."""
    if spec.fits(value):
        return value
    plain = _to_plain_python(value)
    if spec.fits(plain):
        return plain
    found = list(dict.fromkeys(_problems(where, spec, plain if spec.opens(plain) else value)))
    problems += found[:MAX_LISTED_PROBLEMS]
    if len(found) > MAX_LISTED_PROBLEMS:
        problems.append(f"{where}: and {len(found) - MAX_LISTED_PROBLEMS} more")
    return value


class _Parameters:
    """The parameters of one function with the specs of their annotations."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self._function, eval_str=True)

    @cached_property
    def specs(self) -> dict[str, TypeSpec]:
        """The specs by parameter name, positional ones first."""
        fixed = [one for one in self._signature.parameters.values() if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}]
        return {one.name: ANYTHING if one.annotation is one.empty else type_spec(one.annotation) for one in fixed}

    @cached_property
    def _tests(self) -> tuple[tuple[_Fits, ...], dict[str, _Fits]]:
        placed = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in self._signature.parameters.values())
        tests = {name: spec.fits for name, spec in self.specs.items()}
        return tuple(tests.values())[:placed], tests

    def fit(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
        """Return whether all arguments fit. Surplus and unknown ones are left for Python to refuse."""
        placed, tests = self._tests
        for test, value in zip(placed, args, strict=False):
            if not test(value):
                return False
        for name, value in named.items():  # noqa: SIM110  # a generator would take as long as all of this
            if name in tests and not tests[name](value):
                return False
        return True

    def read(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments converted to fit, or raise `InvalidType` with everything that is wrong with them."""
        problems: list[str] = []
        name_of = self._function.__qualname__.removesuffix(".__init__")

        def one(name: str, value: Any) -> Any:
            return _coerce(f"{name_of}, {name}", self.specs.get(name, ANYTHING), value, problems)

        names = chain(self.specs, repeat(""))
        read = (
            [one(name, value) for name, value in zip(names, args, strict=False)],
            {name: one(name, named[name]) for name in named},
        )
        if problems:
            raise InvalidType(problems)
        return read


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Decorate a function so that arguments that do not fit their annotations raise `InvalidType` before it runs."""
    parameters = _Parameters(function)

    @wraps(function)
    def call(*args: Any, **named: Any) -> _T:
        if parameters.fit(args, named):
            return function(*args, **named)
        others, by_name = parameters.read(args, named)
        return function(*others, **by_name)

    return call


def each_checked(where: str, wanted: Callable[..., _T], values: Iterable[_T]) -> Iterator[_T]:
    """Yield the values of an iterable lazily, and raise `InvalidType` at the first that is not of the ``wanted`` type."""
    spec = type_spec(wanted)
    for place, value in enumerate(values):
        if not spec.fits(value):
            raise InvalidType(_problems(f"{where}[{place}]", spec, value))
        yield value


class CheckedFields:
    """A base class of dataclasses: fields that do not fit their annotations raise `InvalidType`.

    A subclass with further checks makes them in its own ``__post_init__``, after calling this one.
    """

    def __post_init__(self) -> None:
        """Check every field; a list is converted to the expected tuple."""
        problems: list[str] = []
        for name, value in _coerced_fields(self, problems):
            object.__setattr__(self, name, value)
        if problems:
            raise InvalidType(problems)


def coerce_fields(value: _T, problems: list[str]) -> _T:
    """Return a dataclass with its fields converted to fit their annotations; append to ``problems`` what cannot be."""
    changes = dict(_coerced_fields(value, problems))
    return value if problems or not changes else replace(value, **changes)  # type: ignore[type-var]


def _coerced_fields(owner: Any, problems: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the fields that do not fit, with what could be converted."""
    kind: Any = type(owner)
    for name, known, fits in _field_tests(kind):
        value = getattr(owner, name)
        if type(value) not in known and not fits(value):
            yield name, _coerce(f"{kind.__name__}, {name}", type_spec(get_type_hints(kind)[name]), value, problems)


@cache
def _field_tests(owner: Any) -> tuple[tuple[str, set[type], _Fits], ...]:
    hints = get_type_hints(owner)
    specs = {field.name: type_spec(hints[field.name]) for field in fields(owner)}
    return tuple((name, spec.known, spec.fits) for name, spec in specs.items())


# --- results in one line -----------------------------------------------------------------------------------------


LONGEST_REPR = 120
"""The most characters of a representation."""
_LONGEST_VALUE = 40
_FEWEST_ITEMS = 4


class ShortRepr:
    """A base class for dataclasses with ``repr=False``: plain values are shown, long collections counted, the rest left out."""

    def __repr__(self) -> str:
        """Return the name of the class with its fields, in at most `LONGEST_REPR` characters."""
        text = f"{type(self).__name__}("
        for number, one in enumerate(fields(self)):  # type: ignore[arg-type]  # a dataclass
            shown = f"{', ' * (number > 0)}{one.name}={_short(getattr(self, one.name))}"
            if len(text) + len(shown) > LONGEST_REPR - len(", ...)"):
                return f"{text}, ...)"
            text += shown
        return f"{text})"


def shortened(text: str, most: int) -> str:
    """Return a text cut behind a word, if it is too long; a single word is cut within."""
    if len(text) <= most:
        return text
    kept = text[: most - 3]
    return f"{kept if text[most - 3] == ' ' or ' ' not in kept else kept[: kept.rfind(' ')]}..."


def _short(value: Any) -> str:
    """Return a value in a few characters: ``<81 items>``, ``Puzzle(...)``."""
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple | list | dict | set | frozenset) and len(value) > _FEWEST_ITEMS:
        return f"<{len(value):,} items>"
    text = repr(value)
    if len(text) <= _LONGEST_VALUE:
        return text
    if isinstance(value, tuple | list | dict | set | frozenset):
        return f"<{len(value):,} item{'s' * (len(value) != 1)}>"
    return repr(shortened(value, _LONGEST_VALUE)) if isinstance(value, str) else f"{type(value).__name__}(...)"
