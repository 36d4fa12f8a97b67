"""What callers hand in, checked by the annotations that stand beside it.

`checked` is put on the public functions, `CheckedFields` under the public dataclasses. Where a value fits its annotation it goes
through untouched, at the price of a type test. Where it does not, it is looked at again: a list becomes the tuple that is
wanted, and a number of NumPy's the number of Python's. What still does not fit raises `InvalidType`, which names every
parameter that is wrong, what was expected there and what came.

Annotations are read when a function is first called, so all their names must be there at run time; ruff knows (see
``lint.flake8-type-checking`` in pyproject.toml).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache, cached_property, wraps
from itertools import chain, repeat
from types import NoneType, UnionType
from typing import IO, Annotated, Any, Literal, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from sudoku_cp.errors import InvalidType

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Fits = Callable[[Any], bool]

SHOWN = 10
"""So many wrong parts of one value are named; of the rest it is only said that there are more."""


# --- what an annotation asks for ----------------------------------------------------------------------------------


class Kind(NamedTuple):
    """What an annotation asks for: in words (one of it, and many), and as tests.

    ``known`` are types whose every object fits, as far as any has been met: most values are through with one look there.
    ``fits`` is the whole test, ``opens`` the test of the outside alone; ``parts`` are what is inside, each with its place and the
    kind that it has to be.
    """

    words: str
    many: str
    known: set[type]
    fits: _Fits
    opens: _Fits
    parts: Callable[[Any], Iterator[tuple[str, Kind, Any]]] = lambda _: iter(())


ANYTHING = Kind("anything", "things", set(), lambda _: True, lambda _: True)

_PLAIN: Mapping[object, tuple[str, str, tuple[type, ...], tuple[type, ...]]] = {
    int: ("a whole number", "whole numbers", (int,), (bool,)),
    float: ("a number", "numbers", (float, int), (bool,)),
    bool: ("True or False", "truth values", (bool,), ()),
    str: ("a text", "texts", (str,), ()),
    NoneType: ("None", "None", (NoneType,), ()),
}
"""Builtins, in words, and what they are and are not: True and False are numbers to Python, and to nobody else."""


def _of_types(words: str, many: str, wanted: tuple[type, ...], but: tuple[type, ...] = ()) -> Kind:
    known: set[type] = set()

    def fits(value: Any) -> bool:
        if type(value) not in known and isinstance(value, wanted) and not isinstance(value, but):
            known.add(type(value))
        return type(value) in known

    return Kind(words, many, known, fits, fits)


def _object(wanted: type) -> Kind:
    such_as = getattr(wanted, "such_as", "")
    name = wanted.__name__
    if name.endswith("s"):  # Limits, Symbols, Wishes
        one = many = name
    else:
        one, many = f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", f"{name}s"
    return _of_types(f"{one}{', such as ' * bool(such_as)}{such_as}", many, (wanted,))


def _literal(*known: object) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, str | None) and value in known

    words = f"one of {', '.join(map(repr, known))}"
    return Kind(words, words, set(), fits, fits)


def _union(*hints: object) -> Kind:
    kinds = [kind_of(hint) for hint in hints]
    known: set[type] = set()

    def fits(value: Any) -> bool:
        if type(value) in known:
            return True
        fitting = next((kind for kind in kinds if kind.fits(value)), None)
        if fitting and type(value) in fitting.known:
            known.add(type(value))
        return fitting is not None

    def opens(value: Any) -> bool:
        return any(kind.opens(value) for kind in kinds)

    def parts(value: Any) -> Iterator[tuple[str, Kind, Any]]:
        return next(kind for kind in kinds if kind.opens(value)).parts(value)

    return Kind(_either(kind.words for kind in kinds), _either(kind.many for kind in kinds), known, fits, opens, parts)


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)}{' or ' * bool(others)}{last}"


def _all_fit(kind: Kind, values: Iterable[Any]) -> bool:
    return all(map(kind.fits, values))


def _each(kind: Kind) -> Callable[[Collection[Any]], bool]:
    """Return whether all values of a collection are of a kind; that of builtins is one call of C."""
    known = kind.known.issuperset
    return lambda values: known(map(type, values)) or _all_fit(kind, values)


def _places(values: Iterable[Any], kinds: Iterable[Kind]) -> Iterator[tuple[str, Kind, Any]]:
    return ((f"[{place}]", kind, value) for place, (kind, value) in enumerate(zip(kinds, values, strict=False)))


def _collection(wanted: Any, hint: object = Any) -> Kind:
    """Return the kind of a tuple, a sequence or an iterable; a text is one to Python, and was not meant as one."""
    inner = kind_of(hint)
    each = _each(inner)
    outside = _of_types("", "", (wanted,), (str, bytes))
    whole = _of_types("", "", (Collection,))

    def fits(value: Any) -> bool:
        # Of an iterator nothing can be seen before it is walked through.
        return outside.fits(value) and (not whole.fits(value) or each(value))

    def parts(value: Any) -> Iterator[tuple[str, Kind, Any]]:
        return _places(value, repeat(inner))

    name = wanted.__name__.lower()
    words = f"{'an' if name[0] in 'aeiou' else 'a'} {name} of {inner.many}"
    return Kind(words, f"{name}s of {inner.many}", set(), fits, outside.fits, parts)


def _tuple(*hints: object) -> Kind:
    if len(hints) == 2 and hints[1] is Ellipsis:  # noqa: PLR2004
        return _collection(tuple, hints[0])
    kinds = [kind_of(hint) for hint in hints]

    def opens(value: Any) -> bool:
        return isinstance(value, tuple) and len(value) == len(kinds)

    def fits(value: Any) -> bool:
        return opens(value) and all(kind.fits(one) for kind, one in zip(kinds, value, strict=True))

    words = f"({', '.join(kind.words for kind in kinds)})"
    return Kind(words, f"tuples {words}", set(), fits, opens, lambda value: _places(value, kinds))


def _mapping(wanted: Any, keys: object = Any, values: object = Any) -> Kind:
    one_key, one_value = kind_of(keys), kind_of(values)
    each_key, each_value = _each(one_key), _each(one_value)
    outside = _of_types("", "", (wanted,))

    def fits(value: Any) -> bool:
        return outside.fits(value) and each_key(value) and each_value(value.values())

    def parts(value: Any) -> Iterator[tuple[str, Kind, Any]]:
        yield from ((", keys", one_key, key) for key in value)
        yield from ((f"[{key!r:.20}]", one_value, one) for key, one in value.items())

    words = f"mapping of {one_key.many} to {one_value.many}"
    return Kind(f"a {words}", f"{words}s", set(), fits, outside.fits, parts)


def _callable(*_: object) -> Kind:
    return Kind("something that can be called", "functions", set(), callable, callable)


def _stream(*_: object) -> Kind:
    def fits(value: Any) -> bool:
        return hasattr(value, "read") or hasattr(value, "write")

    return Kind("an open file", "open files", set(), fits, fits)


@cache
def kind_of(hint: Any) -> Kind:
    """Return what an annotation asks for."""
    if hint in _PLAIN:
        return _of_types(*_PLAIN[hint])
    if hint in (Any, object):
        return ANYTHING
    origin, inside = get_origin(hint) or hint, get_args(hint)
    for shapes, make in _SHAPES:
        if origin in shapes:
            return make(*inside)
    if not isinstance(origin, type):
        raise TypeError(f"expected an annotation made of types, got {hint!r}")
    if issubclass(origin, Mapping):
        return _mapping(origin, *inside)
    return _collection(origin, *inside) if len(inside) == 1 and issubclass(origin, Iterable) else _object(origin)


_SHAPES: tuple[tuple[tuple[object, ...], Callable[..., Kind]], ...] = (
    ((Union, UnionType), _union),
    ((Literal,), _literal),
    ((Annotated,), lambda hint, *_: kind_of(hint)),
    ((tuple,), _tuple),
    ((Callable,), _callable),
    ((IO,), _stream),
)
"""How annotations that are no plain class are read."""


# --- checking -----------------------------------------------------------------------------------------------------


def _thawed(value: Any) -> Any:
    """Return what somebody else's numbers and lists are in plain Python: numbers, and tuples, which never change."""
    if isinstance(value, list | range | Iterator):
        return tuple(map(_thawed, value))
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_thawed, value))
    if isinstance(value, Mapping):
        return {_thawed(key): _thawed(one) for key, one in value.items()}
    if hasattr(value, "__array__") and hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return _thawed(value.tolist())
    return value


def _problems(where: str, kind: Kind, value: Any) -> Iterator[str]:
    """Yield what does not fit, as far inside as it can be named."""
    if kind.opens(value):
        for place, inner, part in kind.parts(value):
            if not inner.fits(part):
                yield from _problems(where + place, inner, part)
    else:
        yield f"{where}: expected {kind.words}, got {value!r:.80}"


def _read(where: str, kind: Kind, value: Any, problems: list[str]) -> Any:
    """Return the value as its kind wants it; write down what is wrong where it cannot be had so."""
    if kind.fits(value):
        return value
    plain = _thawed(value)
    if kind.fits(plain):
        return plain
    found = list(dict.fromkeys(_problems(where, kind, plain if kind.opens(plain) else value)))
    problems += found[:SHOWN]
    if len(found) > SHOWN:
        problems.append(f"{where}: and {len(found) - SHOWN} more")
    return value


class _Parameters:
    """The parameters of one function, as their annotations ask for them."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self._function, eval_str=True)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What is asked for, those that can be told by their place first."""
        fixed = [one for one in self._signature.parameters.values() if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}]
        return {one.name: ANYTHING if one.annotation is one.empty else kind_of(one.annotation) for one in fixed}

    @cached_property
    def _tests(self) -> tuple[tuple[_Fits, ...], dict[str, _Fits]]:
        placed = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in self._signature.parameters.values())
        tests = {name: kind.fits for name, kind in self.kinds.items()}
        return tuple(tests.values())[:placed], tests

    def fit(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
        """Say whether all arguments are as they should be. One too many, or of no such name, is Python's to refuse."""
        placed, tests = self._tests
        for test, value in zip(placed, args, strict=False):
            if not test(value):
                return False
        for name, value in named.items():  # noqa: SIM110  # a generator would take as long as all of this
            if name in tests and not tests[name](value):
                return False
        return True

    def read(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments as they should be, or raise `InvalidType` with everything that is wrong with them."""
        problems: list[str] = []
        name_of = self._function.__qualname__.removesuffix(".__init__")

        def one(name: str, value: Any) -> Any:
            return _read(f"{name_of}, {name}", self.kinds.get(name, ANYTHING), value, problems)

        names = chain(self.kinds, repeat(""))
        read = (
            [one(name, value) for name, value in zip(names, args, strict=False)],
            {name: one(name, named[name]) for name in named},
        )
        if problems:
            raise InvalidType(problems)
        return read


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Make a function refuse arguments that are not what its annotations say, with `InvalidType`, before it begins."""
    parameters = _Parameters(function)

    @wraps(function)
    def call(*args: Any, **named: Any) -> _T:
        if parameters.fit(args, named):
            return function(*args, **named)
        others, by_name = parameters.read(args, named)
        return function(*others, **by_name)

    return call


def each_checked(where: str, wanted: Callable[..., _T], values: Iterable[_T]) -> Iterator[_T]:
    """Yield the values of an iterable, which may be made while they are asked for, and refuse the first that is not wanted."""
    kind = kind_of(wanted)
    for place, value in enumerate(values):
        if not kind.fits(value):
            raise InvalidType(_problems(f"{where}[{place}]", kind, value))
        yield value


class CheckedFields:
    """A dataclass that refuses fields that are not what its annotations say, with `InvalidType`.

    One with more to refuse does so in its own ``__post_init__``, after calling this one.
    """

    def __post_init__(self) -> None:
        """Check every field; a list becomes the tuple that is wanted."""
        owner: Any = type(self)
        problems: list[str] = []
        for name, known, fits in _field_tests(owner):
            value = getattr(self, name)
            if type(value) not in known and not fits(value):
                kind = kind_of(get_type_hints(owner)[name])
                object.__setattr__(self, name, _read(f"{owner.__name__}, {name}", kind, value, problems))
        if problems:
            raise InvalidType(problems)


@cache
def _field_tests(owner: Any) -> tuple[tuple[str, set[type], _Fits], ...]:
    hints = get_type_hints(owner)
    kinds = {field.name: kind_of(hints[field.name]) for field in fields(owner)}
    return tuple((name, kind.known, kind.fits) for name, kind in kinds.items())
