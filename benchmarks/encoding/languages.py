"""Measures search across languages: questions in one language on passages in another, as XQuAD has them.

    .venv/bin/python -m benchmarks.encoding.languages FOLDER --encoder FOLDER --keep FOLDER [--pairs en-de de-en]

FOLDER has one collection per language with the same ids of questions and passages, translations of each other. Prints
R@10 and nDCG@10 of keyword, semantic and hybrid for each pair of question and passage language.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from desktop_rag.evaluation.datasets import read_collection
from desktop_rag.evaluation.retrieval.passage_library import index_passages
from desktop_rag.evaluation.retrieval.results import measured
from desktop_rag.evaluation.retrieval.retrieval_runner import rankings
from desktop_rag.evaluation.retrieval.systems import OurSearch
from desktop_rag.paths import private_folder, settings_file
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Settings, save

MODES = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID)
MEASURES = ("recall@10", "ndcg@10")


def main(arguments: Sequence[str]) -> int:
    """Measure and print a row for each pair; return the exit code."""
    options = _parser().parse_args(arguments)
    os.environ["DESKTOP_RAG_HOME"] = str(private_folder(options.keep / "home"))
    save(settings_file(), replace(Settings(), encoder=str(options.encoder.resolve())))
    _row("question → passages", *(f"{mode.value} {measure}" for mode in MODES for measure in MEASURES))
    for pair in options.pairs:
        asked, written = pair.split("-")
        passages = read_collection(options.folder / written)
        questions = read_collection(options.folder / asked).questions[:: options.every]
        made = index_passages(passages, options.keep, lambda _: None)
        with closing(SearchEngine(made.library, options.encoder)) as engine:
            systems = {mode.value: OurSearch(engine, mode, made) for mode in MODES}
            answers = rankings(systems, questions, lambda _: None)
        judged = {question.id: passages.judged[question.id] for question in questions}
        found = {name: measured(name, one, judged).measures for name, one in answers.items()}
        cells = [f"{fmean(found[mode.value][measure].values()):.3f}" for mode in MODES for measure in MEASURES]
        _row(f"{asked} → {written}", *cells)
    return 0


def _row(*cells: str) -> None:
    sys.stdout.write("\t".join(cells) + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure search across languages.")
    parser.add_argument("folder", type=Path, help="collections, one per language")
    parser.add_argument("--encoder", type=Path, required=True, help="the folder of the encoder")
    parser.add_argument("--keep", type=Path, required=True, help="where the libraries are kept")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth question")
    parser.add_argument("--pairs", nargs="+", default=["en-en"], metavar="ASKED-WRITTEN")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
