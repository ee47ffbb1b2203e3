"""Searches a library while another encoder encodes it again and is killed again and again.

    .venv/bin/python -m benchmarks.encoding.changeover LIBRARY --scratch FOLDER [--kills 8]

LIBRARY is changed: give a copy. Prints after each kill whether the answers of the earlier vectors are the same.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from desktop_rag.index.encoding.encoder_description import read_description, write_description
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

QUERIES = (
    "How is revenue recognised?",
    "What did the board decide about the dividend?",
    "climate change policy",
    "history of the city",
    "treatment of infection",
)
LONGEST_STEPS = 6
PROGRAM = """
import sys
from pathlib import Path
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.stop import Stop
library = Library(Path(sys.argv[1]))
catalog = Catalog.open(library.catalog)
sync = VectorSync(library.vectors, Path(sys.argv[2]), catalog, catalog.lineage())
while sync.encode_some(Stop()):
    print("step", flush=True)
    sync.follow()
"""


def main(arguments: Sequence[str]) -> int:
    """Kill and ask; return 1 if any answer changed."""
    parser = argparse.ArgumentParser(description="Search while the encoder of a library changes.")
    parser.add_argument("library", type=Path)
    parser.add_argument("--scratch", type=Path, required=True, help="where the other encoder is made")
    parser.add_argument("--kills", type=int, default=8)
    options = parser.parse_args(arguments)
    encoder, chance, failed = _another(options.scratch / "another"), random.Random(1), False
    before = _answers(options.library, encoder_folder())
    for kill in range(1, options.kills + 1):
        command = [sys.executable, "-c", PROGRAM, str(options.library), str(encoder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(chance.randint(1, LONGEST_STEPS)):
                child.stdout.readline()
            time.sleep(chance.random())
            child.kill()
        same = _answers(options.library, encoder) == before
        failed |= not same
        sys.stdout.write(f"kill {kill}: answers {'the same' if same else 'changed'}\n")
        sys.stdout.flush()
    return int(failed)


def _another(folder: Path) -> Path:
    """Return the shipped encoder with a prefix and a floor: its vectors are others."""
    if not folder.exists():
        folder.mkdir(parents=True)
        for file in encoder_folder().iterdir():
            (folder / file.name).symlink_to(file)
        (folder / "encoder.json").unlink()
        told = read_description(encoder_folder())
        write_description(folder, replace(told, id="another", passage_prefix="passage: ", score_floor=0.1))
    return folder


def _answers(library: Path, encoder: Path) -> list[tuple[float, list[tuple[int, float]]]]:
    """Return the coverage and the hits with their scores of each query."""
    with closing(SearchEngine(library, encoder)) as engine:
        results = [engine.search(SearchRequest(query, Mode.HYBRID, 10), Stop()) for query in QUERIES]
    return [(one.coverage, [(hit.chunk, round(hit.score, 6)) for hit in one.hits]) for one in results]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
