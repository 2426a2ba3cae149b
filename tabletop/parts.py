"""Compiled functions as parts of others: what numba would make for each of them, and nobody needs.

A loop contains hundreds of small functions of the rules. numba gives each its machine code and a wrapper for calls
from Python as well, although its code is copied into the functions that call it: a third of the time to compile.
Here a function that is compiled because another one calls it stays a part: optimised code of the compiler, ready to
be copied. If Python calls it later, it is compiled once more with all that this needs.
"""

from typing import Any

from llvmlite import binding
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack

from tabletop.frozen import first_look, is_settled

PART = "part"  # how a library of a part is marked in the cache
_ENVIRONMENT = "_ZN08NumbaEnv"  # beginning of the names of variables that point to environments


def for_a_part() -> bool:
    """Whether what is compiled or loaded now is to become a part of a function that is being compiled."""
    return ConfigStack.top_or_none() is not None


def is_part(compiled: Any) -> bool:
    """Whether the result of a compilation is a part."""
    return isinstance(compiled.library, _PartLibrary)


class _PartLibrary(JITCodeLibrary):
    """Code that is copied into other libraries and never run itself."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What the cache keeps: there is no object code."""
        return self.name, PART, self._get_module_for_linking().as_bitcode()

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, code: bytes) -> "_PartLibrary":
        """The library from what the cache kept."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = binding.parse_bitcode(code)
        library._finalize_final_module()
        return library


class _EntryOfPart:
    """Stands for the address of a part, as numba looks up compiled functions by it."""


class _PartsCompiler(compiler.Compiler):
    """numba's compiler, which makes a part if another function is being compiled."""

    def define_pipelines(self) -> Any:
        """numba's steps, with the library for the code of a part."""
        if self.state.flags.no_compile:
            self.state.library = _PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


def from_payload(context: Any, payload: tuple[Any, ...]) -> Any:
    """The result of a compilation from what the cache kept, of a part or of another function."""
    (name, kind, code), descriptor, environment, signature, objectmode, lifted, note, reload, environments = payload
    if kind != PART:
        return compiler.CompileResult._rebuild(context, *payload)
    return compiler.compile_result(
        target_context=context,
        typing_context=context.typing_context,
        library=_PartLibrary.from_bitcode(context.codegen(), name, code),
        environment=environment,
        entry_point=_EntryOfPart(),
        fndesc=descriptor,
        type_annotation=note,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload,
        referenced_envs=environments,
    )


class Dispatcher(CPUDispatcher):
    """numba's compiled function, whose overloads are parts until Python calls them."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None) -> None:  # names of numba
        super().__init__(py_func, locals, targetoptions, _PartsCompiler)
        self._compiler._customize_flags = _flags_of_parts

    def compile(self, signature: Any) -> Any:
        """The entry point for a signature, compiled or loaded if there is none of the kind that is needed."""
        with global_compiler_lock:
            arguments, _ = normalize_signature(signature)
            existing = self.overloads.get(tuple(arguments))
            if existing is not None and is_part(existing) and not for_a_part():
                del self.overloads[tuple(arguments)]
            if not is_settled(self.py_func):
                first_look(self.py_func).holds()  # notes whether values have changed that go into the code
            return super().compile(signature)

    def add_overload(self, compiled: Any) -> None:
        """Notes the result of a compilation; only a whole function can be called from Python."""
        if not is_part(compiled):
            _set_environments(compiled)
            super().add_overload(compiled)
            return
        if compiled.entry_point is None:
            # Without what only numba's inspection would read: it is most of what a compilation leaves in memory.
            compiled = compiled._replace(entry_point=_EntryOfPart(), type_annotation="", metadata=None)
            self.targetctx.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        self.overloads[tuple(compiled.signature.args)] = compiled


_FORGOTTEN: list[Any] = []  # results of compilations that stay alive, as other code may point to them


def forget(compiled: Any) -> None:
    """Makes what is compiled from now on take up new values of globals; what contains the old ones stays as it is."""
    if isinstance(compiled, CPUDispatcher) and compiled._can_compile:
        _FORGOTTEN.extend(compiled.overloads.values())
        compiled._reset_overloads()


def _flags_of_parts(flags: Any) -> Any:
    flags.no_compile = flags.no_cpython_wrapper = for_a_part()
    return flags


def _set_environments(compiled: Any) -> None:
    """Tells the code of a whole function where the environments of its parts are."""
    for variable in compiled.library._final_module.global_variables:
        environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
        if environment is not None:
            compiled.library.codegen.set_env(variable.name, environment)
