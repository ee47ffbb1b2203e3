"""The encoders that are known by name: what each is for, and where its published files are.

Addresses name a revision or are pinned by the checksums of the files; nothing is fetched without asking.
"""

from dataclasses import dataclass

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder_description import EncoderDescription

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
