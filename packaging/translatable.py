"""Collects what the window may show from the source code: texts that are translated, and sentences made elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ERRORS = "Sentences"  # the context of sentences that are made outside of the window
# Sentences of these modules are made by a function that is passed the translation.
PASSED = dict.fromkeys(("desktop_rag/agent/citations/marks.py", "desktop_rag/work/report.py"), "Wording")
PLURAL = "%Ln"
TRANSLATES = ("tr", "_tr", "_count", "translate")
# Texts with a space are sentences for the window there.
SENTENCE_PACKAGES = (
    "retrieval/explain",
    "retrieval/service/result_hints",
    "index/folders",
    "index/server_trouble",
    "index/team_status",
    "documents/formats/pdf/pdf_reader",
    "documents/ocr/ocr_engine",
    "documents/picture_notes",
    "credentials",
    "team/server/silences",
    "llm/doctor",
    "agent/run/endpoint_trial",
    "llm/probe",
    "work/cell_notes",
)
# Whole sentences are reasons there why a file cannot be read, or not all of it.
REASON_PACKAGES = (
    "documents/",
    "index/catalog/quarantine",
    "index/indexer/read_queue",
    "index/indexer/reader_pool",
    "index/recovery",
)
# All texts with a space are reasons there, or parts of one.
REASON_PARTS = (
    "documents/formats/containers/members",
    "documents/sandbox/limited_child",
    "documents/sandbox/reader_client",
)
UNREAD_KINDS = ("documents/file_types.py", "_UNSUPPORTED")  # the keys of this constant are named in reasons
NOT_SHOWN = ("ArgumentError", "ArgumentTypeError")  # errors that only programs and models read, in English
# The sentences that the program adds to an answer: constants of these modules.
ANSWER_NOTES = {
    "retrieval/retrievers/vector.py": ("EARLIER", "RENEWED", "STRANGE", "UNREADY"),
    "retrieval/service/result_hints.py": ("UNKNOWN_WORDS", "NOT_TOGETHER"),
    "agent/prompts.py": (
        "NO_SOURCE",
        "SIMILAR_PASSAGES",
        "SHOWN_PASSAGE",
        "SOURCE_NOT_READ",
        "QUOTED_PASSAGES",
        "NO_ANSWER",
        "NO_ANSWER_FOUND",
        "NO_STATEMENT",
        "NOT_FOUND_OPENING",
        "NOT_IN_DOCUMENTS",
        "NOT_TOGETHER",
        "NOTHING_FITS",
        "FROM_MEMORY",
        "KNOWS_NOTHING",
        "NOT_FOUND_PART",
        "NOT_FOUND_CHOSEN",
        "NOT_FOUND_PART_CHOSEN",
        "SEARCHED_FOR",
        "UNMENTIONED",
        "UNQUOTED",
        "APART",
        "CLOSEST",
        "CLOSEST_ACROSS",
        "CLOSEST_PASSAGES",
        "MORE_ROWS",
        "HOLDS",
        "HOLDS_CHOSEN",
        "STILL_INDEXED",
        "OTHER_LANGUAGE",
        "NEEDS_MODEL",
        "ONLY_ONE_SIDE",
        "UNSURE",
    ),
    "agent/tools/search_results.py": ("COVERED_SO_FAR",),
    "agent/extractive/answer.py": ("NOTE", "RESULT_NOTE", "NO_MODEL"),
}
_REASON = r"^[A-Z{].*[a-z)}]\.$|are not read yet|^an? [a-zA-Z- ]+$"  # a sentence, or what a file turned out to be
STEP_PACKAGE = "agent/"  # the package whose calls, results and notices are steps in the window
# Whose raised sentences are translated there, or never shown in the window.
NOT_SCANNED = ("gui/", "evaluation/", "cli/")


@dataclass(frozen=True, order=True)
class Message:
    """A text of the window in its context, the class or the module that shows it."""

    context: str
    source: str

    @property
    def plural(self) -> bool:
        """Whether the text has forms by number."""
        return PLURAL in self.source


KEYS = {Message("QShortcut", "Return")}  # names of keys that Qt's own German catalogue leaves in English


def messages(package: Path) -> set[Message]:
    """Return everything that the window may show."""
    found: set[Message] = set()
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        place = path.relative_to(package.parent).as_posix()
        if "tr(" in text or "translate(" in text:
            found.update(_of_module(_tree(path), PASSED.get(place, "")))
    return found | KEYS | {Message(ERRORS, sentence) for sentence in sentences(package)}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return what `ast.walk` yields, which is asked for many times."""
    return tuple(ast.walk(tree))


def _of_module(tree: ast.Module, context: str) -> Iterator[Message]:
    context = context or next(_wrapped(tree), "")
    owner: dict[ast.AST, str] = {}
    for node in _nodes(tree):  # parents come before their children
        for child in ast.iter_child_nodes(node):
            owner[child] = node.name if isinstance(node, ast.ClassDef) else owner.get(node, "")
    for node in _nodes(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node, owner.get(node, ""), context)
        elif (
            context
            and isinstance(node, ast.Constant)
            and PLURAL in str(node.value).partition("\n")[0].partition("`")[0]  # not in a docstring
            and not owner.get(node)
        ):
            yield Message(context, str(node.value))


def _of_call(call: ast.Call, owner: str, context: str) -> Iterator[Message]:
    name = _name(call.func)
    words = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
    if name not in TRANSLATES or not words:
        return
    if len(words) > 1 and isinstance(words[0], str) and isinstance(words[1], str) and words[1]:
        yield Message(words[0], words[1])  # QCoreApplication.translate("Context", "text")
    elif isinstance(call.func, ast.Attribute) and name == "tr":
        yield from (Message(owner, source) for source in _texts(call.args[0]))
    elif isinstance(call.func, ast.Name) and context:
        yield from (Message(context, source) for source in _texts(call.args[0]))


def _wrapped(tree: ast.Module) -> Iterator[str]:
    """Yield the context of `QCoreApplication.translate("Context", text)` with a variable text."""
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and _name(node.func) == "translate" and len(node.args) > 1:
            first, second = node.args[:2]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and isinstance(second, ast.Name):
                yield first.value


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may have: a constant, or either side of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


@cache
def sentences(package: Path) -> list[str]:
    """Return the sentences of the program's errors, `{0}` for what is filled in; the most definite first."""
    trees = {path: _tree(path) for path in sorted(package.rglob("*.py"))}
    errors = _error_classes(trees.values())
    found: set[str] = set()
    for path, tree in trees.items():
        module = path.relative_to(package).as_posix()
        if not module.startswith(NOT_SCANNED):
            found.update(_raised(tree, errors))
        if module.startswith(SENTENCE_PACKAGES + REASON_PARTS):
            found.update(_said(tree))
        elif module.startswith(REASON_PACKAGES):
            found.update(text for text in _said(tree) if re.search(_REASON, text))
        for note in ANSWER_NOTES.get(module, ()):
            found.update(_templates(_constants(tree)[note], {}))
        if module.startswith(STEP_PACKAGE):
            found.update(_step_texts(tree))
    return sorted({text for text in found if _readable(text)} | _unread_kinds(package, trees), key=_definite)


def answer_notes(package: Path) -> list[str]:
    """Return the sentences that the program adds to an answer, the most definite first."""
    modules = ((_constants(_tree(package / module)), names) for module, names in ANSWER_NOTES.items())
    found = {text for constants, names in modules for name in names for text in _templates(constants[name], {})}
    return sorted(found, key=_definite)


def _unread_kinds(package: Path, trees: Mapping[Path, ast.Module]) -> set[str]:
    """Return the names of kinds of files that are not read, which reasons contain."""
    module, name = UNREAD_KINDS
    tree = trees.get(package / module)
    kinds = _constants(tree)[name] if tree else None
    return {str(ast.literal_eval(key)) for key in kinds.keys if key} if isinstance(kinds, ast.Dict) else set()


def _readable(text: str) -> bool:
    """Return whether a text has words of its own, more than a single one unless something is counted or named."""
    return bool(re.search(r"[a-z]\W+[A-Za-z]|[a-z].*\{\w\}|\{\w\}.*[a-z]{2}|^1 [a-z]", text))


def _definite(text: str) -> tuple[int, str]:
    return -len(re.sub(r"\{\w\}", "", text)), text


def _error_classes(trees: Iterable[ast.Module]) -> set[str]:
    bases = {
        node.name: {_name(base) for base in node.bases}
        for tree in trees
        for node in _nodes(tree)
        if isinstance(node, ast.ClassDef) and node.name not in NOT_SHOWN
    }
    known = {"DesktopRagError"}
    while more := {name for name, of in bases.items() if of & known} - known:
        known |= more
    return known


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for target in (node.targets if isinstance(node, ast.Assign) else (node.target,))
        if isinstance(target, ast.Name)
    }


def _raised(tree: ast.Module, errors: set[str]) -> Iterator[str]:
    constants = _constants(tree)
    named = _named_in_functions(tree, errors)
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and _name(node.func) in errors:
            for argument in (*node.args, *(word.value for word in node.keywords)):
                yield from _templates(argument, constants)
                for value in named.get((id(node), _name(argument)), ()):
                    yield from _templates(value, constants)
                    for part in ast.walk(value) if isinstance(value, ast.JoinedStr) else ():
                        for inner in named.get((id(node), _name(part)), ()) if isinstance(part, ast.Name) else ():
                            yield from _templates(inner, constants)
        elif isinstance(node, ast.ClassDef) and node.name in errors:
            for line in node.body:
                if isinstance(line, ast.Assign) and _name(line.targets[0]) == "title":
                    yield from _templates(line.value, constants)


def _named_in_functions(tree: ast.Module, errors: set[str]) -> dict[tuple[int, str], list[ast.expr]]:
    """Return what the names in a call of an error may stand for: every value its function assigns to them."""
    found: dict[tuple[int, str], list[ast.expr]] = {}
    if not any(isinstance(node, ast.Call) and _name(node.func) in errors for node in _nodes(tree)):
        return found
    for function in _nodes(tree):
        if isinstance(function, ast.FunctionDef):
            inside = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.Call)]
            values: dict[str, list[ast.expr]] = {}
            for node in inside:
                if isinstance(node, ast.Assign):
                    values.setdefault(_name(node.targets[0]), []).append(node.value)
            for node in inside:
                if isinstance(node, ast.Call) and _name(node.func) in errors:
                    found |= {(id(node), name): assigned for name, assigned in values.items() if name}
    return found


def _said(tree: ast.Module) -> Iterator[str]:
    """Yield every text of a module that reads like a sentence or a part of one."""
    docstrings = {id(node.value) for node in _nodes(tree) if isinstance(node, ast.Expr)}
    parts = {id(value) for node in _nodes(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    logged = {
        id(argument)
        for node in _nodes(tree)
        if isinstance(node, ast.Call) and _name(node.func) in ("debug", "info", "warning", "error", "exception")
        for argument in node.args
    }
    for node in _nodes(tree):
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in docstrings | parts | logged:
            for text in _templates(node, {}):
                if re.search(r"[a-z] [a-z“{]", text) and not re.search(r"%s|\n", text):
                    yield text


def _step_texts(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of the steps of a run: what a call does, what came out, and counts of things."""
    for node in _nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name.endswith(("summarize", "_summary", "quoted")):
            for line in ast.walk(node):
                if isinstance(line, ast.Return | ast.Assign) and line.value is not None:
                    yield from _templates(line.value, {})
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) == "_HOW" and isinstance(node.value, ast.Dict):
            for value in node.value.values:  # what follows the queries of a search
                yield from (f"{{0}}{text}" for text in _templates(value, {}))
        elif isinstance(node, ast.Assign) and any(_name(target) == "summary" for target in node.targets):
            yield from _templates(node.value, {})
        elif isinstance(node, ast.Call) and _name(node.func) in {"ToolResult", "LimitReached"} and len(node.args) > 1:
            yield from _templates(node.args[1], {})
        elif isinstance(node, ast.Call) and _name(node.func) == "Remark" and len(node.args) > 2:
            yield from _templates(node.args[2], {})
        elif isinstance(node, ast.Call) and _name(node.func) == "plural" and isinstance(node.args[1], ast.Constant):
            noun = str(node.args[1].value)
            yield from (f"1 {noun}", f"{{n}} {noun}s")


def _templates(node: ast.expr, constants: dict[str, ast.expr]) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id in constants:
        yield from _templates(constants[node.id], {})
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts, count = [], 0
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
            else:
                parts.append(f"{{{count}}}")
                count += 1
        yield "".join(parts)
    elif isinstance(node, ast.IfExp):
        yield from _templates(node.body, constants)
        yield from _templates(node.orelse, constants)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _templates(value, constants)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        yield from _templates(node.func.value, constants)
    elif isinstance(node, ast.BinOp):
        yield from _templates(node.left, constants)
