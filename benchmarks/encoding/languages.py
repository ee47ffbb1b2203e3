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
from desktop_rag.evaluation.retrieval.retrieval_page import measured
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
    parser = parser_of_pairs("Measure search across languages.")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth question")
    options = parser.parse_args(arguments)
    use_encoder(options)
    print_row("question → passages", *(f"{mode.value} {measure}" for mode in MODES for measure in MEASURES))
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
        print_row(f"{asked} → {written}", *cells)
    return 0


def use_encoder(options: argparse.Namespace) -> None:
    """Make the folder that is kept the program's own, with the encoder of the options in its settings."""
    os.environ["DESKTOP_RAG_HOME"] = str(private_folder(options.keep / "home"))
    save(settings_file(), replace(Settings(), encoder=str(options.encoder.resolve())))


def print_row(*cells: str) -> None:
    """Print the cells of a table's row, with tabs between them, at once."""
    sys.stdout.write("\t".join(cells) + "\n")
    sys.stdout.flush()


def parser_of_pairs(description: str) -> argparse.ArgumentParser:
    """Return a parser of the options of a measurement of pairs of languages."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path, help="collections, one per language")
    parser.add_argument("--encoder", type=Path, required=True, help="the folder of the encoder")
    parser.add_argument("--keep", type=Path, required=True, help="where the libraries are kept")
    parser.add_argument("--pairs", nargs="+", default=["en-de"], metavar="ASKED-WRITTEN")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
