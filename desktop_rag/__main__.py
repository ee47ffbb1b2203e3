"""The entry point of the program: the window, the command line, and the hidden verbs of child processes.

Nothing heavy is imported before the verb is known: a reader child must start without the window's modules.
"""

import importlib
import multiprocessing
import sys

CHILD_VERBS = {
    "_indexer": "desktop_rag.index.indexer.indexer_process",
    "_searcher": "desktop_rag.retrieval.service.searcher",
    "_quoting": "desktop_rag.agent.extractive.model_process",
    "_reader": "desktop_rag.documents.sandbox.reader_child",
    "_painter": "desktop_rag.documents.render.painter",
    "_tesseract": "desktop_rag.documents.ocr.tesseract",
    "_model": "desktop_rag.llm.local_model.server_child",
    "_recogniser": "desktop_rag.documents.ocr.ocr_child",
}


def main() -> int:
    """Run the program with `sys.argv` and return its exit code."""
    multiprocessing.freeze_support()
    arguments = sys.argv[1:]
    if arguments[:1] == ["--portable"]:
        from desktop_rag.paths import use_portable_home

        if not use_portable_home():
            return 1
        del arguments[0]
    module = CHILD_VERBS.get(arguments[0]) if arguments else None
    if module is not None:
        code: int = importlib.import_module(module).main(arguments[1:])
        return code
    from desktop_rag.cli.program import VERBS, library_of_window, link_among, run_verb, window_parser

    if arguments and arguments[0] in VERBS:
        return run_verb(arguments)
    link = link_among(arguments)
    options = window_parser().parse_args([] if link else arguments)
    library = library_of_window(options.library)
    if library is None:
        return 1
    from desktop_rag.gui.window.screen_check import screen_problem

    if problem := screen_problem():
        sys.stderr.write(problem + "\n")
        return 1
    if options.demo:
        from desktop_rag.demo import run_demo

        return run_demo(library)
    from desktop_rag.app import run_window

    if options.background:
        return run_window(library, options.folders, background=True)
    if options.folders or link:
        return run_window(library, options.folders, link=link)
    return run_window(library, (), lambda app: app.introduction.offer())


if __name__ == "__main__":
    sys.exit(main())
