"""Folders of documents for benchmarks, written from passages; the same passages always give the same folder."""

import random
from itertools import islice
from pathlib import Path

FILES_A_FOLDER = 100
SEED = 2


def write_folder(folder: Path, passages: list[str], files: int) -> None:
    """Write all `passages` into `files` text and Markdown files of very different sizes, a hundred per folder."""
    chance = random.Random(SEED)
    shares = [chance.lognormvariate(0, 1) for _ in range(files)]  # file sizes follow roughly a log-normal distribution
    left = iter(passages)
    given, until = 0, 0.0
    for number, share in enumerate(shares):
        until += share / sum(shares) * len(passages)
        count = max(1, round(until) - given) if number < files - 1 else len(passages)
        given += count
        write_file(folder, number, list(islice(left, count)) or [passages[number % len(passages)]])


def write_file(folder: Path, number: int, passages: list[str]) -> Path:
    """Write one file with a unique line, so that no two are identical, and return its path."""
    file = place_of(folder, number)
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f"# Document {number}" if file.suffix == ".md" else f"Document {number}"
    file.write_text("\n\n".join([head, *passages]) + "\n", encoding="utf-8")
    return file


def place_of(folder: Path, number: int) -> Path:
    """Return the path of a file."""
    return folder / f"part {number // FILES_A_FOLDER:03}" / f"document {number:05}.{('txt', 'md')[number % 2]}"
