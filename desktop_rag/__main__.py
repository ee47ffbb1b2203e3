"""The entry point of the program: the window, the command line, and the hidden verbs of child processes.

Nothing heavy is imported before the verb is known: a reader child must start without the window's modules.
"""

import gc
import importlib
import sys
from pathlib import Path

CHILD_VERBS = {
    "_indexer": "desktop_rag.index.indexer.indexer_process",
    "_searcher": "desktop_rag.team.reader.any_searcher",
    "_quoting": "desktop_rag.agent.extractive.model_process",
    "_reader": "desktop_rag.documents.sandbox.reader_child",
    "_painter": "desktop_rag.documents.render.painter",
    "_tesseract": "desktop_rag.documents.ocr.tesseract",
    "_converter": "desktop_rag.documents.conversion.converter",
    "_encoder": "desktop_rag.index.encoding.conversion_child",
    "_model": "desktop_rag.llm.local_model.server_child",
    "_recogniser": "desktop_rag.documents.ocr.ocr_child",
}


def main() -> int:
    """Run the program with `sys.argv` and return its exit code."""
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()
    _dump_no_memory()
    arguments = sys.argv[1:]
    if arguments[:1] == ["--portable"]:
        from desktop_rag.paths import use_portable_home

        if not use_portable_home():
            return 1
        del arguments[0]
    module = CHILD_VERBS.get(arguments[0]) if arguments else None
    if module is not None:
        from desktop_rag.log_format import log_without_texts

        log_without_texts()
        gc.disable()  # modules stay: collections while they are imported find nothing
        child = importlib.import_module(module)
        gc.enable()
        code: int = child.main(arguments[1:])
        return code
    return _search(arguments) if arguments[:1] == ["search"] else _run(arguments)


def _dump_no_memory() -> None:
    """Have the system write no core dump of this process and its children: their memory holds documents and keys."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _run(arguments: list[str]) -> int:
    """Run another verb, or open the window."""
    from desktop_rag.cli.program import library_of_window, link_among, link_to_open, run_verb
    from desktop_rag.cli.verb_parsers import VERBS, window_parser

    if arguments[:1] == ["open"] and "--json" not in arguments:
        to_open = link_to_open(arguments)
        return _open_window(*to_open) if to_open else 1
    if arguments and arguments[0] in VERBS:
        return run_verb(arguments)
    link = link_among(arguments)
    options = window_parser().parse_args([] if link else arguments)
    if options.demo:
        return _show(options.library)
    library = library_of_window(options.library)
    if library is None:
        return 1
    if _has_no_screen():
        return 1
    from desktop_rag.app import run_window

    if options.background:
        return run_window(library, options.folders, background=True)
    if options.folders or link:
        return run_window(library, options.folders, link=link)
    return run_window(library, (), lambda app: app.introduction.offer())


def _search(arguments: list[str]) -> int:
    """Search without collecting garbage: nearly all objects of so short a run are modules, which stay to its end."""
    gc.disable()
    try:
        from desktop_rag.cli.program import run_verb

        return run_verb(arguments)
    finally:
        gc.freeze()  # or the interpreter would go through them once more as it ends
        gc.enable()


def _show(named: str | None) -> int:
    """Run the demonstration in the named library, by default in one that is removed with all its data."""
    if _has_no_screen():
        return 1
    import os
    import tempfile

    from desktop_rag.cli.program import library_of_window
    from desktop_rag.demo import run_demo

    with tempfile.TemporaryDirectory(prefix="desktop-rag-", ignore_cleanup_errors=True) as home:
        if named is None:
            os.environ.setdefault("DESKTOP_RAG_HOME", home)
        library = library_of_window(named)
        return run_demo(library) if library else 1


def _open_window(library: Path, link: str) -> int:
    """Show the place of a link in the window of a library, which is started if it is not open."""
    if _has_no_screen():
        return 1
    from desktop_rag.app import run_window

    return run_window(library, (), link=link)


def _has_no_screen() -> bool:
    """Return whether no window can be opened here, and print why."""
    from desktop_rag.gui.window.screen_check import screen_problem

    problem = screen_problem()
    sys.stderr.write(f"{problem}\n" if problem else "")
    return bool(problem)


if __name__ == "__main__":
    sys.exit(main())
