"""Writes the release feed `latest.json`, which “Check for updates” reads: `python packaging/release_feed.py FOLDER`.

It names all files in the folder; `docs/releasing.md` describes the format, `desktop_rag/releases.py` reads it.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from project import HOMEPAGE, ROOT, VERSION, source_day

MOST_NOTES = 4_000  # characters, as the program reads them


def write(files: Iterable[Path], target: Path) -> Path:
    """Write the feed of a release with these files to `target` and return it."""
    listed = [
        {"name": file.name, "size": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
        for file in sorted(files)
    ]
    feed = {
        "format": 1,
        "version": VERSION,
        "date": source_day(),
        "page": f"{HOMEPAGE}/releases/tag/v{VERSION}" if HOMEPAGE else "",
        "notes": notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION),
        "files": listed,
    }
    target.write_text(json.dumps(feed, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return target


def notes(changelog: str, version: str) -> str:
    """Return what the change log says of a version, whole lines up to the most that a feed may hold."""
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    text = found[1].strip() if found else ""
    return text if len(text) <= MOST_NOTES else text[: text.rfind("\n", 0, MOST_NOTES - 1)] + "\n…"


if __name__ == "__main__":
    (folder,) = map(Path, sys.argv[1:])
    write((file for file in folder.iterdir() if file.is_file() and file.name != "latest.json"), folder / "latest.json")
