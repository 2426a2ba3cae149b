"""Which definitions of this package make shards: those to which making one leads, found by following names.

Only these tell one study from another: tables, pictures and sentences about shards may change. A function, constant
or class counts as soon as its name stands in something that counts. A method counts if anything that counts reads an
attribute of its name, whatever object that belongs to, so rather too many are found than too few. Comments, docstrings
and the layout of the text do not count.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = __name__.partition(".")[0]
START = (f"{PACKAGE}.studies.running", "make")  # what every worker is asked for

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
Imports = dict[str, tuple[str, str]]  # a name -> the module and the name there that it stands for; "": the module


def definitions(plan: type) -> Mapping[str, str]:
    """The texts of all definitions on which the shards of a kind of plan depend, by module and name."""
    own = [kind for kind in plan.__mro__ if kind.__module__.partition(".")[0] == PACKAGE]
    return led_to(START, *((kind.__module__, kind.__name__) for kind in own))


@cache
def led_to(*starts: tuple[str, str]) -> Mapping[str, str]:
    """The texts of what some definitions lead to, each given by module and name; they are read once in a process."""
    reached = _Reached()
    for start in starts:
        reached.follow(*start)
    return dict(sorted(reached.texts.items()))


class _Reached:
    """What has been found so far."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.attributes: set[str] = set()
        self.methods: dict[str, list[tuple[str, str, ast.FunctionDef]]] = {}  # that nothing reads yet, by their names

    def follow(self, module: str, name: str) -> None:
        """Takes up a name at the top of a module, and all that it leads to; names from elsewhere are left out."""
        if module.partition(".")[0] != PACKAGE or f"{module}.{name}" in self.texts:
            return
        imports, known = _contents(module, _text(module))
        if name in known:
            self._take(module, name, known[name])
        elif name in imports:
            self.follow(*imports[name])

    def _take(self, module: str, name: str, node: Definition) -> None:
        if not isinstance(node, ast.ClassDef):
            self._keep(module, name, node)
            return
        methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        rest = [part for part in node.body if part not in methods] or [ast.Pass()]
        self._keep(module, name, ast.ClassDef(**{**vars(node), "body": rest}))
        for method in methods:
            found = (module, f"{name}.{method.name}", method)
            if method.name in self.attributes or method.name.startswith("__"):
                self._keep(*found)
            else:
                self.methods.setdefault(method.name, []).append(found)

    def _keep(self, module: str, name: str, node: Definition) -> None:
        self.texts[f"{module}.{name}"] = _without_docstring(node)
        imports, _ = _contents(module, _text(module))
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                self.follow(*imports.get(part.id, (module, part.id)))
            elif isinstance(part, ast.Attribute):
                self._read(part, imports)

    def _read(self, part: ast.Attribute, imports: Imports) -> None:
        """Follows what an attribute may be: something in a module, or any method of that name."""
        owner = imports.get(part.value.id) if isinstance(part.value, ast.Name) else None
        if owner and owner[0].partition(".")[0] != PACKAGE:
            return
        if owner and _is_module(of := ".".join(filter(None, owner))):
            self.follow(of, part.attr)
            return
        self.attributes.add(part.attr)
        for method in self.methods.pop(part.attr, []):
            self._keep(*method)


def _without_docstring(node: Definition) -> str:
    """A definition as text."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
        node = type(node)(**{**vars(node), "body": node.body[1:] or [ast.Pass()]})
    return ast.unparse(node)


def _text(module: str) -> str:
    spec = find_spec(module)
    assert spec and spec.origin, module  # it has been imported
    return Path(spec.origin).read_text(encoding="utf-8")


def _is_module(name: str) -> bool:
    return find_spec(name.rpartition(".")[0]) is not None and find_spec(name) is not None


@cache
def _contents(module: str, text: str) -> tuple[Imports, dict[str, Definition]]:
    """What a module imports, and what it defines at its top."""
    tree = ast.parse(text, module)
    return _imports(tree), {name: node for part in tree.body for name, node in _named(part)}


def _named(node: ast.stmt) -> Iterator[tuple[str, Definition]]:
    """The names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name, node
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from ((part.id, node) for part in ast.walk(target) if isinstance(part, ast.Name))


def _imports(tree: ast.AST) -> Imports:
    found: Imports = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.partition(".")[0]: (alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names}
    return found
