"""The encoders on this computer: the shipped one, and those added to the data folder, one folder each.

Reads only descriptions; the window lists encoders with it.
"""

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder_description import MODEL, EncoderDescription, read_description
from desktop_rag.paths import added_encoders, encoder_folder

# The encoders that are known by name: what each is for, and where its published files are.
#
# Addresses name a revision or are pinned by the checksums of the files; nothing is fetched without asking.

SHIPPED = "all-MiniLM-L6-v2"

# Those that multilingual-e5-small was trained on beside English, by its authors.
_E5_LANGUAGES = (
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr "
    "hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps "
    "pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
)


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file to fetch; `bytes` is its exact size."""

    path: str
    address: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class KnownEncoder:
    """An encoder by name; without `files` it ships with the program.

    `megabytes` are what it takes on the disk after the conversion, `memory` those in each process that uses it, `speed`
    is relative to the shipped one. `described` is what was measured, see docs/encoders.md.
    """

    name: str
    use: str
    megabytes: int
    memory: int
    speed: float
    described: EncoderDescription
    files: tuple[PublishedFile, ...] = ()

    @property
    def download_bytes(self) -> int:
        """Return the bytes to fetch."""
        return sum(file.bytes for file in self.files)


def _scaled(floor: float) -> tuple[float, float]:
    return floor, round(1 / (1 - floor), 3)


def _files(base: str, *files: tuple[str, int, str]) -> tuple[PublishedFile, ...]:
    return tuple(PublishedFile(path, f"{base}/{path}", size, checksum) for path, size, checksum in files)


_GTE_FLOOR, _GTE_SCALE = _scaled(0.73)
_E5_FLOOR, _E5_SCALE = _scaled(0.74)

KNOWN = (
    KnownEncoder(
        SHIPPED,
        "English; small and fast. Ships with the program.",
        24,
        90,
        1.0,
        EncoderDescription(name=SHIPPED, languages=("en",), license="Apache-2.0"),
    ),
    KnownEncoder(
        "multilingual-e5-small",
        "More than 90 languages, also a question in one and documents in another.",
        129,
        480,
        0.41,
        EncoderDescription(
            name="multilingual-e5-small",
            query_prefix="query: ",
            passage_prefix="passage: ",
            score_floor=_E5_FLOOR,
            score_scale=_E5_SCALE,
            semantic_weight=0.65,
            close=0.26,
            languages=tuple(_E5_LANGUAGES.split()),
            license="MIT",
            source="intfloat/multilingual-e5-small",
        ),
        _files(
            "https://huggingface.co/intfloat/multilingual-e5-small/resolve/614241f622f53c4eeff9890bdc4f31cfecc418b3",
            ("config.json", 655, "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959"),
            ("tokenizer.json", 17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"),
            ("onnx/model.onnx", 470_268_510, "ca456c06b3a9505ddfd9131408916dd79290368331e7d76bb621f1cba6bc8665"),
        ),
    ),
    KnownEncoder(
        "gte-small",
        "English, with a finer sense of meaning.",
        35,
        110,
        0.52,
        EncoderDescription(
            name="gte-small",
            score_floor=_GTE_FLOOR,
            score_scale=_GTE_SCALE,
            semantic_weight=0.65,
            close=0.23,
            close_to_few=0.45,
            close_to_word=0.44,
            languages=("en",),
            license="MIT",
            source="thenlper/gte-small",
        ),
        _files(
            "https://huggingface.co/Xenova/gte-small/resolve/main",
            ("config.json", 601, "73f82cfb2bab7b9b7da090b2a71dac32f7ca79b12b2824d4caf9ecf0769b44ae"),
            ("tokenizer.json", 711_661, "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
            ("onnx/model.onnx", 133_093_490, "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"),
        ),
    ),
)


def known_encoder(name: str) -> KnownEncoder:
    """Return the encoder of this name; raises `EncoderError`."""
    found = next((known for known in KNOWN if known.name == name), None)
    if found is None:
        names = ", ".join(known.name for known in KNOWN)
        raise EncoderError(f"No encoder is known as “{name}”. Known are {names}; others can be added from a folder.")
    return found


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
MAKING = ".making-"  # the beginning of the names of unfinished folders


@dataclass(frozen=True, slots=True)
class InstalledEncoder:
    """An encoder on this computer; `name` is that of its folder."""

    name: str
    folder: Path
    description: EncoderDescription

    @property
    def is_shipped(self) -> bool:
        """Return whether it came with the program."""
        return self.folder == encoder_folder()


def installed_encoders() -> list[InstalledEncoder]:
    """Return the shipped encoder, then the added ones by name; those whose description is damaged are left out."""
    found = [InstalledEncoder(SHIPPED, encoder_folder(), _described(encoder_folder()))]
    try:
        folders = sorted(path for path in added_encoders().iterdir() if NAME.fullmatch(path.name))
    except OSError:
        folders = []
    found += [InstalledEncoder(folder.name, folder, _described(folder)) for folder in folders if folder.is_dir()]
    return [each for each in found if each.description.id]


def encoder_at(folder: Path) -> InstalledEncoder:
    """Return the encoder in a folder as far as its description tells; the folder may be missing."""
    described = _described(folder)
    try:
        size = described.bytes or (folder / MODEL).stat().st_size
    except OSError:
        size = 0
    return InstalledEncoder(folder.name, folder, replace(described, bytes=size))


def find_encoder(name: str) -> InstalledEncoder:
    """Return the encoder of this name; raises `EncoderError`."""
    known = installed_encoders()
    found = next((each for each in known if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in known)
        raise EncoderError(
            f"There is no encoder “{name}” here. There are {names}; “desktop-rag encoder add” adds others."
        )
    return found


def remove_encoder(name: str, chosen: Path) -> None:
    """Delete an added encoder; raises `EncoderError` for the shipped one, and for the chosen one."""
    found = find_encoder(name)
    if found.is_shipped:
        raise EncoderError(f"{name} comes with the program and stays.")
    if found.folder == chosen:
        raise EncoderError(f"{name} is in use. Choose another one first: desktop-rag encoder use {SHIPPED}")
    doomed = found.folder.with_name(f"{MAKING}{name}")  # so that it is gone at once, also after a kill
    shutil.rmtree(doomed, ignore_errors=True)
    try:
        found.folder.replace(doomed)
        shutil.rmtree(doomed)
    except OSError as error:
        raise EncoderError(f"{found.folder} cannot be deleted: {error.strerror or error}.") from error


def _described(folder: Path) -> EncoderDescription:
    try:
        return read_description(folder)
    except EncoderError:
        return EncoderDescription()
