"""`desktop-rag encoder`: list, add, fetch, choose and remove sentence encoders."""

import argparse
import shutil
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from desktop_rag.cli.output import FOUND, NOTHING, USAGE, Output, shown_path
from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.conversion_child import add_encoder_confined
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_description import EncoderDescription, can_convert
from desktop_rag.index.encoding.encoder_download import Progress, fetch
from desktop_rag.index.encoding.encoder_store import AddOptions, keep_encoder
from desktop_rag.index.encoding.installed_encoders import (
    KNOWN,
    InstalledEncoder,
    KnownEncoder,
    encoder_at,
    find_encoder,
    installed_encoders,
    known_encoder,
    remove_encoder,
)
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.reencoding import reencoding
from desktop_rag.paths import added_encoders, data_home, private_folder, settings_file
from desktop_rag.settings import chosen_encoder, load, save
from desktop_rag.stop import Job, Stop
from desktop_rag.text.display import plural, printable
from desktop_rag.text.json_types import Json

if TYPE_CHECKING:
    from desktop_rag.index.encoding.conversion import EncoderStep

_SHOWN = 12  # languages
# What did not happen; search goes on with the encoder that is in use.
_FAILED = {
    "add": "No encoder was added",
    "get": "No encoder was added",
    "use": "The encoder was not changed",
    "remove": "The encoder was not removed",
    "list": EncoderError.title,
}


def encoder(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Run the action of `desktop-rag encoder`."""
    if options.action != "list" and not options.what:
        output.error("Wrong usage", f"desktop-rag encoder {options.action} needs a name or a folder.")
        return USAGE
    try:
        return _act(options, output, stop)
    except EncoderError as error:
        output.error(_FAILED[options.action], str(error))
        return NOTHING


def _act(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.action:
        case "add":
            given = AddOptions(options.name, options.query_prefix, options.passage_prefix, options.pooling)
            added = _added(add_encoder_confined(Path(options.what).absolute(), given, stop), output)
            return _show_added(added, output)
        case "get":
            return _get(known_encoder(options.what), output, stop, consented=options.yes)
        case "use":
            return _use(options.what, options.name, output)
        case "remove":
            _remove(options.what, consented=options.yes)
            return _list(output)
        case _:
            return _list(output)


def _list(output: Output) -> int:
    chosen = chosen_encoder()
    known = installed_encoders()
    if all(each.folder != chosen for each in known):
        known.append(_elsewhere(chosen, output))
    for each in known:
        _show(each, output, chosen=each.folder == chosen)
    names = {each.name for each in known}
    for offered in KNOWN:
        if offered.name not in names:
            _show_offered(offered, output)
    output.note("After a change all sentences are encoded again; until that is complete, the earlier vectors answer.")
    return FOUND


def _elsewhere(folder: Path, output: Output) -> InstalledEncoder:
    """Return the encoder in a folder outside the data folder, also if it is missing or damaged, which is noted."""
    try:
        return InstalledEncoder(folder.name, folder, _with_size(Encoder.load(folder), folder))
    except EncoderError as error:
        output.note(str(error))
        return encoder_at(folder)


def _show(one: InstalledEncoder, output: Output, *, chosen: bool) -> None:
    description = one.description
    if output.as_json:
        output.value(
            {
                "type": "encoder",
                "name": one.name,
                "path": printable(one.folder),
                "id": description.id,
                "dimensions": description.dimensions,
                "bytes": description.bytes,
                "languages": list(description.languages),
                "precision": description.precision,
                "agreement": description.agreement,
                "sentences_per_second": description.sentences_per_second,
                "chosen": chosen,
            }
        )
        return
    output.line(f"{'●' if chosen else '○'} {one.name}", "bold" if chosen else "")
    if known := next(
        (each for each in KNOWN if each.name == one.name and each.described.source == one.description.source), None
    ):
        output.line(f"    {known.use} {_cost(known)}")
    languages = ", ".join(description.languages[:_SHOWN]) + (" …" if len(description.languages) > _SHOWN else "")
    output.line(f"    {description.bytes / 1e6:.0f} MB · {languages or 'languages unknown'} · {shown_path(one.folder)}")


def _cost(known: KnownEncoder) -> str:
    """Say what an encoder costs beside the one that ships."""
    slower = f", {1 / known.speed:.1f} times as long to encode" if known.speed < 1 else ""
    return f"{known.memory} MB of memory while in use{slower}."


def _show_offered(known: KnownEncoder, output: Output) -> None:
    if output.as_json:
        facts: dict[str, Json] = {"type": "known_encoder", "name": known.name, "use": known.use}
        facts |= {"megabytes": known.megabytes, "memory_megabytes": known.memory, "speed": known.speed}
        output.value(facts | {"license": known.described.license, "download_bytes": known.download_bytes})
        return
    fetched, license_ = known.download_bytes / 1e6, known.described.license
    output.line(f"  {known.name}, not on this computer: desktop-rag encoder get {known.name}", "dim")
    output.line(f"    {known.use} {_cost(known)}", "dim")
    output.line(f"    {fetched:.0f} MB to fetch, {known.megabytes} MB afterwards · {license_}", "dim")


def _added(steps: "Generator[EncoderStep, None, InstalledEncoder]", output: Output) -> InstalledEncoder:
    adding = Job(steps)
    for step in adding:
        output.note(f"{step.value} …")
    return adding.result


def _show_added(added: InstalledEncoder, output: Output) -> int:
    _show(added, output, chosen=False)
    description = added.description
    output.note(
        f"Network: {description.precision or 'as given'}; its vectors agree with the published ones to a cosine of at "
        f"least {description.agreement:.4f}. {description.sentences_per_second:.0f} sentences a second on one thread. "
        f"Choose it with: desktop-rag encoder use {added.name}"
    )
    if not can_convert():
        output.note("It is kept as published, four times as large as in 8 bits: this build has no package onnx.")
    return FOUND


def _get(known: KnownEncoder, output: Output, stop: Stop, *, consented: bool) -> int:
    if not known.files or any(each.name == known.name for each in installed_encoders()):
        output.note(f"{known.name} is on this computer already. Choose it with: desktop-rag encoder use {known.name}")
        return FOUND
    host = urlsplit(known.files[0].address).hostname
    asked = f"{known.name} ({known.described.license}) is {known.download_bytes / 1e6:,.0f} MB from {host}"
    if not consented and not _consents(f"{asked}, which learns your address on the network. Fetch it? [y/N] "):
        output.error("Nothing was fetched", f"{asked}. Say yes, or give --yes.")
        return NOTHING
    folder = private_folder(added_encoders()) / f".fetched-{known.name}"
    shutil.rmtree(folder, ignore_errors=True)  # what a killed download left
    try:
        folder.mkdir()
        fetch(known.files, folder, stop, _ShownProgress(output))
        added = _added(add_encoder_confined(folder, AddOptions(known.name, known=known.described), stop), output)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _show_added(added, output)


def _consents(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


class _ShownProgress:
    """Notes the progress of a download at every tenth of it."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._shown = -1

    def __call__(self, progress: Progress) -> None:
        tenth = 10 * progress.done // max(progress.total, 1)
        if tenth != self._shown:
            self._shown = tenth
            self._output.note(f"{progress.done / 1e6:,.0f} of {progress.total / 1e6:,.0f} MB")


def _use(what: str, name: str | None, output: Output) -> int:
    """Choose an encoder by name, or by its folder, which is copied as `name`; one that fails is not chosen."""
    if any(each.name == what for each in installed_encoders()) or not Path(what).exists():
        folder = find_encoder(what).folder
    else:
        folder = Path(what).absolute()
    loaded = Encoder.load(folder)
    loaded.encode(["A sentence."])
    kept = keep_encoder(folder, name or folder.resolve().name, loaded.id)
    chosen = "" if kept.is_shipped else str(kept.folder)
    save(settings_file(), replace(load(settings_file()), encoder=chosen))
    _show(replace(kept, description=_with_size(loaded, kept.folder)), output, chosen=True)
    waiting = reencoding((known.library for known in _libraries()), loaded.id)
    minutes = waiting.minutes(loaded.description.sentences_per_second)
    about = f", about {plural(max(round(minutes), 1), 'minute')} of one thread" if minutes else ""
    if missing := waiting.sentences - waiting.ready:
        output.note(
            f"To encode again: {plural(missing, 'sentence')}{about}, when the indexer of a library next starts: close "
            "the window, or run `desktop-rag index`. Until that is complete, search uses the earlier vectors."
        )
    return FOUND


def _remove(name: str, *, consented: bool) -> None:
    """Delete an added encoder; without consent, raise `EncoderError` if search still uses its vectors."""
    found, chosen = find_encoder(name), encoder_at(chosen_encoder())
    others = {each.description.id for each in (chosen, *installed_encoders()) if each is chosen or each.name != name}
    if not consented and found.description.id not in others:
        used = [known.name for known in _libraries() if reencoding([known.library], found.description.id).ready]
        if used:
            raise EncoderError(
                f"Search uses its vectors in {', '.join(f'“{each}”' for each in used)} until those of the chosen "
                "encoder are complete: close the window, or run `desktop-rag index`. With --yes it is removed now, "
                "and search by meaning starts over."
            )
    remove_encoder(name, chosen.folder)


def _libraries() -> list[KnownLibrary]:
    return [known for known in Libraries(data_home()).all() if known.made and not known.is_missing()]


def _with_size(loaded: Encoder, folder: Path) -> EncoderDescription:
    description = loaded.description
    size = description.bytes or (folder / "model.onnx").stat().st_size
    return replace(description, id=loaded.id, dimensions=loaded.dimensions, bytes=size)
