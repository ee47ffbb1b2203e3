"""Measures what an encoder takes of a searching process, and what is left of it after it was given back.

    .venv/bin/python -m benchmarks.encoding.memory LIBRARY ENCODER

LIBRARY has vectors of the encoder in the folder ENCODER. Prints megabytes of resident memory after searches by words,
after searches by meaning, after `release`, which is asked of an idle searcher, and after further searches by meaning.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psutil

from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

QUESTIONS = ("When does the lease end?", "Wer bezahlt die Reparatur des Daches?", "Who may sign the contract?")

STEPS = (
    ("words", Mode.KEYWORD),
    ("meaning", Mode.SEMANTIC),
    ("given back", None),
    ("meaning again", Mode.SEMANTIC),
)


def main(arguments: Sequence[str]) -> int:
    """Measure, print a line for each step, and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure what an encoder takes of a searching process.")
    parser.add_argument("library", type=Path, help="a library that has its vectors")
    parser.add_argument("encoder", type=Path, help="its folder")
    options = parser.parse_args(arguments)
    with closing(SearchEngine(options.library, options.encoder)) as engine:
        for step, mode in STEPS:
            if mode is None:
                engine.release()
            else:
                for question in QUESTIONS:
                    engine.search(SearchRequest(question, mode), Stop())
            sys.stdout.write(f"{step}\t{psutil.Process().memory_info().rss / 1e6:.0f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
