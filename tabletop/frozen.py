"""What compiled code has frozen into it: numba makes constants of the globals and closure variables that it reads.

So the same source makes other code once a table was read from another file, or a number from the environment. A look
at a function notes its code and those values; looks at all that it leads to note what its compiled code contains.
What belongs to this package, to the compiler or to numpy is settled by the sources and versions, and not looked at.
"""

import dis
import hashlib
import inspect
from collections.abc import Callable, Iterable
from enum import Enum, EnumMeta
from functools import cache, partial
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any, TypeAlias

import numpy as np
from numba import types

SETTLED = {"tabletop", "numba", "llvmlite", "numpy", "builtins", "math", "cmath", "operator", "random"}
ATOMS = {NoneType, EllipsisType, bool, int, float, complex, str, bytes}
MUTABLE = (np.ndarray, np.void, tuple)  # what can change in its place, or can hold what does

Path: TypeAlias = tuple[str, ...]  # a global, and the attributes that are read of it at once: ("np", "pi")

_ABSENT = object()


def is_settled(value: Any) -> bool:
    """Whether a function, class or module can be no other one as long as this package and the compiler are the same."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in SETTLED
    named = type(value) is type or hasattr(value, "__name__")
    return named and str(getattr(value, "__module__", None)).partition(".")[0] in SETTLED


class Look:
    """What a function was like when it was looked at.

    values: of the globals and closure variables that its code reads, but for settled ones and for classes. calls: the
    functions among them, compiled or not. digest: hash of its code and the values; None if one of these cannot be
    hashed.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self._note(tuple((name,) for name in _names(function.__code__)))
        if self.digest is None or any(map(_is_followed, map(partial(_variable, function), _names(function.__code__)))):
            self._note(_paths(function.__code__))
        self._held = True

    def _note(self, paths: Iterable[Path]) -> None:
        self.values = {path: value for path in paths if _counts(value := _read(self.function, path))}
        self.calls = [value for value in self.values.values() if _function_of(value)]
        self._mutable = tuple(value for value in self.values.values() if isinstance(value, MUTABLE))
        self._content, self.digest = _known(self._mutable), self._hashed()

    def _hashed(self) -> str | None:
        own = self.function
        keywords = tuple(sorted((own.__kwdefaults__ or {}).items()))
        told = _known((own.__code__, own.__defaults__, keywords, tuple(self.values.items())))
        place = (own.__module__, own.__qualname__, own.__code__.co_firstlineno)
        return None if told is None else hashlib.sha256(repr((place, told)).encode()).hexdigest()

    def holds(self) -> bool:
        """Whether the values are still the same, and have been whenever this was asked: code of others may be left."""
        self._held = self._held and self._is_same()
        return self._held

    def _is_same(self) -> bool:
        if any(_read(self.function, path) is not value for path, value in self.values.items()):
            return False
        return not self._mutable or _known(self._mutable) == self._content


first_look = cache(Look)
"""The look at a function before it was compiled for the first time in this process."""


def looks(functions: Iterable[Any], look: Callable[[FunctionType], Look] = first_look) -> tuple[Look, ...]:
    """Looks at functions and at all that their code leads to, each once, in an order that is always the same."""
    found: dict[FunctionType, Look] = {}
    waiting = list(functions)
    while waiting:
        function = inspect.unwrap(waiting.pop())
        if function not in found and not is_settled(function):
            found[function] = look(function)
            waiting += found[function].calls
    return tuple(found.values())


def all_hold(seen: Iterable[Look]) -> bool:
    """Whether all functions that were looked at still have the same values; each is asked."""
    return not sum(not look.holds() for look in seen)


@cache
def _names(code: CodeType) -> tuple[str, ...]:
    """The globals and closure variables that code reads, and attributes: a few too many, but found at once."""
    within = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return tuple(dict.fromkeys([*code.co_names, *code.co_freevars, *within]))


@cache
def _paths(code: CodeType) -> tuple[Path, ...]:
    """The globals and closure variables that code reads, and these only; 0.1 ms for a function."""
    found: list[Path] = []
    reads_on = False
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF"):
            found.append((instruction.argval,))
            reads_on = True
        elif reads_on and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found[-1] += (instruction.argval,)
        else:
            reads_on = False
    within = [path for part in code.co_consts if isinstance(part, CodeType) for path in _paths(part)]
    return tuple(dict.fromkeys([*found, *within]))


def _read(function: FunctionType, path: Path) -> Any:
    """What stands at a path now: the compiler follows attributes of modules and enumerations only."""
    value = _variable(function, path[0])
    for name in path[1:]:
        if not _is_followed(value):
            break
        value = getattr(value, name, _ABSENT)
    return value


def _is_followed(value: Any) -> bool:
    """Whether what is read of a value is a constant, too."""
    return isinstance(value, ModuleType | EnumMeta) and not is_settled(value)


def _variable(function: FunctionType, name: str) -> Any:
    names = function.__code__.co_freevars
    if name in names and function.__closure__:
        return function.__closure__[names.index(name)].cell_contents
    return function.__globals__.get(name, _ABSENT)


def _counts(value: Any) -> bool:
    """Whether a value is to be noted; a class or a module itself is no value in compiled code."""
    is_no_value = value is _ABSENT or isinstance(value, ModuleType | BuiltinFunctionType) or type(value) is type
    return not (is_no_value or is_settled(value))


def _function_of(value: Any) -> FunctionType | None:
    """The function that a value is, or the one that was compiled."""
    inner = inspect.unwrap(value) if callable(value) else None
    return inner if isinstance(inner, FunctionType) else None


def _known(value: Any) -> Any:
    """What `_told` tells, or None if the content of a value is not known."""
    try:
        return _told(value)
    except TypeError:
        return None


def _told(value: Any) -> Any:
    """Words and tuples of words that only equal values have; TypeError for a value whose content is not known.

    A function is told by its name: what it contains is told by a look at it.
    """
    kind = type(value).__name__
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        layout = repr(value.dtype) if value.dtype.fields else value.dtype.str
        return kind, layout, value.shape, value.strides, hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, Enum):
        return kind, value.name, _told(value.value)
    if isinstance(value, tuple):
        return kind, *map(_told, value)
    if isinstance(value, frozenset):
        return kind, *sorted(map(_told, value), key=repr)
    if isinstance(value, CodeType):
        return kind, value.co_code, value.co_names, _told(value.co_consts)
    if function := _function_of(value):
        return kind, function.__module__, function.__qualname__
    if type(value) in ATOMS or isinstance(value, np.dtype | types.Type):
        return kind, repr(value)
    raise TypeError(f"a value of the type {kind} cannot be hashed")
