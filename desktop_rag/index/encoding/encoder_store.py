"""Adds sentence encoders to the data folder: from folders as model hubs publish them, archives, converted folders."""

import re
import shutil
import tempfile
import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.conversion import EncoderStep, convert
from desktop_rag.index.encoding.encoder import Encoder, sha256
from desktop_rag.index.encoding.encoder_description import (
    FILE,
    MODEL,
    TOKENIZER,
    EncoderDescription,
    read_description,
    write_description,
)
from desktop_rag.index.encoding.encoder_download import HubEncoder, read_hub_folder
from desktop_rag.index.encoding.installed_encoders import KNOWN, MAKING, NAME, InstalledEncoder, installed_encoders
from desktop_rag.paths import added_encoders, private_folder
from desktop_rag.stop import Stop

# What is taken out of an archive; everything else in it is ignored.
_WANTED = re.compile(
    r"(?:^|/)((?:onnx/)?(?:model\.onnx|tokenizer\.json)|model\.safetensors|config\.json|encoder\.json|modules\.json"
    r"|config_sentence_transformers\.json|sentence_bert_config\.json|1_Pooling/config\.json)$"
)
_MOST_UNPACKED = 4 << 30  # bytes


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What overrides the published folder; None: as it says. `known`: what was measured of this encoder before."""

    name: str | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    pooling: str | None = None
    known: EncoderDescription | None = None


def add_encoder(source: Path, options: AddOptions, stop: Stop) -> Generator[EncoderStep, None, InstalledEncoder]:
    """Convert, prove and describe the encoder in a folder or archive, and add it; raises `EncoderError`."""
    source = published_place(source)
    if not source.exists():
        raise EncoderError(f"{source} does not exist.")
    with _scratch() as scratch:
        folder = source
        if source.is_file():
            yield EncoderStep.READING
            folder = _unpacked(source, scratch / "published", stop)
        name = _free_name(options.name or (source.stem if source.is_file() else folder.resolve().name))
        made = scratch / "made"
        made.mkdir()
        if _is_converted(folder):
            yield EncoderStep.PROVING
            _copy_converted(folder, made)
        else:
            hub = read_hub_folder(folder, name)
            given = replace(options, known=options.known or _known(hub))
            yield from convert(_overridden(hub, given), made, stop, given.known)
        stop.check()
        return _placed(made, name)


def keep_encoder(folder: Path, name: str, encoder: str) -> InstalledEncoder:
    """Return the installed encoder with the id `encoder`; without one, copy its folder to the added encoders.

    In a folder elsewhere it could not be found any more when another one is chosen, while its vectors still answer.
    Raises `EncoderError`.
    """
    known = [each for each in installed_encoders() if each.description.id == encoder]
    if known:
        return next((each for each in known if each.folder == folder), known[0])
    with _scratch() as scratch:
        made = scratch / "made"
        made.mkdir()
        _copy_converted(folder, made)
        return _placed(made, _free_name(name))


def _placed(made: Path, name: str) -> InstalledEncoder:
    """Move a finished folder to the added encoders."""
    write_description(made, replace(read_description(made), name=name))
    target = added_encoders() / name
    made.replace(target)
    return InstalledEncoder(name, target, read_description(target))


def published_place(source: Path) -> Path:
    """Return the folder or archive of an encoder; for a file of weights, the folder that it was published in."""
    if source.suffix not in (".onnx", ".safetensors") or not source.is_file():
        return source
    return source.parent.parent if source.parent.name == "onnx" else source.parent


def _known(hub: HubEncoder) -> EncoderDescription | None:
    """Return what was measured of the encoder before, if its network is one that `encoder get` fetches."""
    if hub.onnx is None:
        return None
    size = hub.onnx.stat().st_size
    for known in KNOWN:
        if any(file.bytes == size and file.sha256 == sha256(hub.onnx) for file in known.files):
            return known.described
    return None


def _overridden(hub: HubEncoder, options: AddOptions) -> HubEncoder:
    if options.known is not None:
        known = options.known
        hub = replace(hub, query_prefix=known.query_prefix, passage_prefix=known.passage_prefix)
    if options.query_prefix is not None:
        hub = replace(hub, query_prefix=options.query_prefix)
    if options.passage_prefix is not None:
        hub = replace(hub, passage_prefix=options.passage_prefix)
    if options.pooling is not None:
        shape = replace(hub.shape, pooling=options.pooling) if hub.shape is not None else None
        hub = replace(hub, pooling=options.pooling, shape=shape)
    return hub


@contextmanager
def _scratch() -> Iterator[Path]:
    """Yield a new folder beside the encoders; what killed conversions have left is deleted first."""
    home = private_folder(added_encoders())
    try:
        with FileLock(home / ".lock", timeout=0):
            for left in home.glob(f"{MAKING}*"):
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=MAKING, dir=home) as folder:
                yield Path(folder)
    except Timeout as error:
        raise EncoderError("Another encoder is being added. Start again when it is ready.") from error
    except OSError as error:
        raise EncoderError(f"The encoder cannot be written to {home}: {error.strerror or error}.") from error


def _free_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise EncoderError(f"“{name}” cannot be the name of an encoder: use letters, digits, dots, - and _ (--name).")
    if any(each.name == name for each in installed_encoders()) or (added_encoders() / name).exists():
        raise EncoderError(
            f"There is an encoder “{name}” already. Remove it first, or add this one under another --name."
        )
    return name


def _is_converted(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (FILE, MODEL, TOKENIZER))


def _copy_converted(folder: Path, made: Path) -> None:
    for name in (FILE, MODEL, TOKENIZER):
        if name != FILE or (folder / name).is_file():  # without a description the default one is used
            shutil.copyfile(folder / name, made / name)
    loaded = Encoder.load(made)  # checks the checksum
    loaded.encode(["A sentence."])
    write_description(made, replace(loaded.description, id=loaded.id, bytes=(made / MODEL).stat().st_size))


def _unpacked(archive: Path, folder: Path, stop: Stop) -> Path:
    """Unpack the parts of an encoder from a zip archive; paths in it are not followed. Raises `EncoderError`."""
    left = _MOST_UNPACKED
    try:
        with zipfile.ZipFile(archive) as packed:
            for member in packed.infolist():
                wanted = _WANTED.search(member.filename)
                left -= member.file_size if wanted else 0
                if left < 0:
                    raise EncoderError(f"{archive.name} is too large: at most {_MOST_UNPACKED >> 30} GB.")
                if wanted is None:
                    continue
                stop.check()
                target = folder / wanted[1]
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(member) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise EncoderError(f"{archive.name} is no folder and no zip archive that can be read ({error}).") from error
    if not folder.is_dir():
        raise EncoderError(f"{archive.name} holds no sentence encoder: no model.safetensors or model.onnx is in it.")
    return folder
