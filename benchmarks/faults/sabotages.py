"""Sabotages: deliberate errors of the indexer, each of which a campaign must notice.

Every sabotage edits a copy of the program. A campaign runs there until it finds damage; the number of its trials by
then is the dose that this error needs. Edits name the text they replace, so one that no longer fits is an error.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import MappingProxyType

import msgspec

from benchmarks.faults import notes_library
from benchmarks.faults.kills import Trial, every_operation, random_kills
from benchmarks.faults.outage import power_losses
from desktop_rag.errors import BenchError, LibraryError

_SOURCE = Path(__file__).parents[2]
_COPIED, _LINKED = ("benchmarks", "desktop_rag"), ("resources", "pyproject.toml")
_TIMEOUT_SECONDS = 3600.0  # of one campaign against one sabotage
_SETTLE_SECONDS = 60.0  # on a machine at rest; a sabotaged indexer may repair the same damage for ever


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in a module of `desktop_rag`; the old text occurs there exactly once."""

    module: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Sabotage:
    """An error, its edits, and the campaigns that may notice it, the one with the smallest dose first."""

    name: str
    edits: tuple[Edit, ...]
    campaigns: tuple[str, ...]


class Dose(msgspec.Struct, frozen=True):
    """The number of trials until damage was found, and the damage; empty if none was found."""

    trials: int
    damage: str


_WORD, _POWER = ("kills",), ("power",)
_COLUMNAR, _VECTORS = "index/keywords/columnar/", "index/vectors/"
_PASS = "pass"


def _one(name: str, module: str, old: str, new: str, campaigns: tuple[str, ...]) -> Sabotage:
    return Sabotage(name, (Edit(module, old, new),), campaigns)


_WRONG_DATA = (
    _one(
        "a keyword commit leaves out its last chunk",
        _COLUMNAR + "columnar_keywords.py",
        "for document in documents.values():",
        "for document in list(documents.values())[:-1]:",
        _WORD,
    ),
    _one(
        "every seventh chunk is indexed with another text",
        _COLUMNAR + "columnar_keywords.py",
        "fields.TEXT_EXACT: document.text,",
        'fields.TEXT_EXACT: document.text if document.chunk % 7 else "another text",',
        _WORD,
    ),
    _one(
        "the keyword index keeps what was removed",
        "index/indexer/keyword_sync.py",
        "self._writer.apply(documents, changes.removed, ",
        "self._writer.apply(documents, (), ",
        _POWER,
    ),
    _one(
        "the vector files keep what was removed",
        _VECTORS + "vector_sync.py",
        "writer.remove((*changes.removed, *changes.added))",
        "writer.remove(changes.added)",
        _POWER,
    ),
    _one(
        "a scan ignores the change time of a file",
        "index/folders/scan.py",
        "return before.inode == now.inode and (",
        "return before.inode == now.inode or (",
        _WORD,
    ),
    _one(
        "the keyword index moves its watermark before its data",
        "index/indexer/keyword_sync.py",
        "            self._writer.apply(documents, changes.removed,",
        "            self._writer.apply((), (), Watermark(changes.sequence, self._lineage))\n"
        "            self._writer.apply(documents, changes.removed,",
        _POWER,
    ),
    _one(
        "the vector files move their watermark before their rows",
        _VECTORS + "vector_sync.py",
        "            writer.remove((*",
        "            writer.publish(changes.sequence)\n            writer.remove((*",
        _POWER,
    ),
)

_MISSING_SYNCS = (
    _one(
        "no sync of a keyword segment",
        _COLUMNAR + "segments/segment_file.py",
        "os.fsync(self._file.fileno())",
        _PASS,
        _POWER,
    ),
    _one("no sync of a shard", _VECTORS + "shards.py", "sync_data(self._file.fileno())", _PASS, _POWER),
    _one(
        "no sync of the appended rows",
        _VECTORS + "vector_writer.py",
        "                self._tail.sync()\n            header",
        "                pass\n            header",
        _POWER,
    ),
    _one(
        "no sync of a full shard",
        _VECTORS + "vector_writer.py",
        "            self._tail.sync()\n            self._tail.close()",
        "            self._tail.close()",
        _POWER,
    ),
    _one("no sync of a merged shard", _VECTORS + "vector_writer.py", "self._target.sync()", _PASS, _POWER),
    _one(
        "no sync of the header of the vectors",
        _VECTORS + "shards.py",
        "    sync(fresh)\n",
        "",
        _POWER,
    ),
    _one("no sync of the bitmap of removed rows", _VECTORS + "shards.py", "    sync(folder / name)\n", "", _POWER),
    _one("no sync of a file replaced whole", "paths.py", "        os.fsync(descriptor)\n", "", _POWER),
    _one("no sync of the folder of a replaced file", "paths.py", "    sync_folder(path.parent)\n", "", _POWER),
    _one("no sync of a new folder's parent", "paths.py", "sync_folder(folder.parent)", _PASS, _POWER),
    _one(
        "no sync of the catalog before a copy follows it",
        "index/catalog/change_log.py",
        'self._database.execute("PRAGMA synchronous=FULL")',
        _PASS,
        _POWER,
    ),
    Sabotage(
        "no sync of the catalog at a checkpoint",
        (
            Edit("index/catalog/catalog_schema.py", "PRAGMA synchronous=NORMAL", "PRAGMA synchronous=OFF"),
            Edit("index/catalog/change_log.py", "PRAGMA synchronous=NORMAL", "PRAGMA synchronous=OFF"),
        ),
        _POWER,
    ),
)

_SWAPPED = (
    _one(
        "the header of the vectors is renamed before its sync",
        _VECTORS + "shards.py",
        "    sync(fresh)\n    fresh.replace(folder / HEADER)\n",
        "    fresh.replace(folder / HEADER)\n    sync(folder / HEADER)\n",
        _POWER,
    ),
    _one(
        "a replaced file is renamed before its sync",
        "paths.py",
        "            os.fsync(descriptor)\n        fresh.replace(path)\n",
        "            fresh.replace(path)\n            os.fsync(descriptor)\n",
        _POWER,
    ),
    _one(
        "the vectors are published before their rows are synced",
        _VECTORS + "vector_writer.py",
        "                self._tail.sync()\n            header = replace(",
        "                self._publish_header(replace(self._header, sequence=sequence, live=self._live()))\n"
        "                self._tail.sync()\n            header = replace(",
        _POWER,
    ),
    Sabotage(
        "the keyword index is committed before the catalog is synced",
        (
            Edit(
                "index/indexer/keyword_sync.py",
                "        self._change_log.sync_to_disk(changes.sequence)\n",
                "",
            ),
            Edit(
                "index/indexer/keyword_sync.py",
                "        self._mark_searchable()\n        self._maintain(self._writer.tend)\n        self._committed",
                "        self._change_log.sync_to_disk(changes.sequence)\n"
                "        self._mark_searchable()\n        self._maintain(self._writer.tend)\n        self._committed",
            ),
        ),
        _POWER,
    ),
)

SABOTAGES = (*_WRONG_DATA, *_MISSING_SYNCS, *_SWAPPED)
CONTROL = Sabotage("no sabotage", (), ("kills", "power"))  # the same copy, in which no campaign may find damage

CAMPAIGNS: Mapping[str, Callable[[Path, int, int], Iterable[Trial]]] = MappingProxyType(
    {
        "kills": random_kills,
        "operations": lambda base, trials, seed: islice(
            (
                trial
                for life in count()
                for trial in every_operation(base / str(life), seed + life, fresh=life % 2 == 0, step=7)
            ),
            trials,
        ),
        "power": lambda base, trials, seed: chain.from_iterable(
            power_losses(base / str(part), min(_STATES, trials - part), seed + part)
            for part in range(0, trials, _STATES)
        ),
    }
)
_STATES = 100  # of one recorded run


def sabotaged_copy(sabotage: Sabotage, folder: Path) -> Path:
    """Copy the program into `folder` and apply the edits; raise `BenchError` for one that does not fit."""
    for name in _COPIED:
        copytree(_SOURCE / name, folder / name, ignore=ignore_patterns("__pycache__"))
    for name in _LINKED:
        (folder / name).symlink_to(_SOURCE / name)
    for edit in sabotage.edits:
        file = folder / "desktop_rag" / edit.module
        text = file.read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            raise BenchError(f"The sabotage “{sabotage.name}” does not fit {edit.module} any more.")
        file.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
    return folder


def dose(program: Path, campaign: str, limit: int, seed: int) -> Dose:
    """Run a campaign on a copy of the program until it finds damage, for `limit` trials at most."""
    base = program / "libraries" / campaign
    base.mkdir(parents=True)
    command = [sys.executable, "-P", "-m", __name__, campaign, str(limit), str(seed), str(base)]
    environment = {**os.environ, "PYTHONPATH": str(program)}
    try:
        done = subprocess.run(command, env=environment, cwd=program, capture_output=True, timeout=_TIMEOUT_SECONDS)
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=Dose)
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"The campaign “{campaign}” did not end within an hour.") from error
    except (IndexError, msgspec.DecodeError) as error:
        raise BenchError(f"The campaign “{campaign}” failed: {done.stderr.decode(errors='replace')[-2000:]}") from error


def first_damage(trials: Iterable[Trial]) -> Dose:
    """Return the number of trials until the first damage, and that damage."""
    done = 0
    try:
        for trial in trials:
            done += trial.happened
            if trial.wrong:
                return Dose(done, f"{trial.what}: {trial.wrong}")
    except LibraryError as error:  # even without a fault the indexer is never done
        return Dose(done, str(error))
    return Dose(done, "")


def doses(sabotage: Sabotage, folder: Path, limit: int, seed: int) -> Generator[tuple[str, Dose]]:
    """Yield each campaign and its dose, until one has noticed the sabotage."""
    program = sabotaged_copy(sabotage, folder)
    for campaign in sabotage.campaigns:
        found = dose(program, campaign, limit, seed)
        yield campaign, found
        if found.damage:
            return


def main(arguments: list[str]) -> int:
    """Run one campaign of this copy of the program, and print its dose."""
    campaign, limit, seed, base = arguments
    notes_library.SETTLE_SECONDS = _SETTLE_SECONDS * max(1.0, os.getloadavg()[0])  # a slow indexer is no damage
    found = first_damage(CAMPAIGNS[campaign](Path(base), int(limit), int(seed)))
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
