"""Sentences on four subjects in many languages, on which an encoder is calibrated, proved and described.

Each language has a question and its passage on each subject, so unrelated pairs, answers, and translations are known.
"""

from dataclasses import dataclass

from desktop_rag.paths import resources

PROOF = 3  # the subject that no range is measured on

# What passages contain beside prose: numbers, tables, code, addresses.
OTHER = (
    "In 2019 the company sold 4,812 units at $39.95 each; margins fell to 12.5 %.",
    "def read(path: Path) -> bytes: return path.read_bytes()",
    "| year | revenue | change |\n| 2021 | 1,204 | +4.1 % |",
    "https://example.org/a/b?c=1 <info@example.org> +49 30 1234567",
    "Dr. Eleanor Whitfield, Chair; Minutes of 12/03/2021, item 4.2 (b)",
    "ok",
    "SELECT name, count(*) FROM file GROUP BY name HAVING count(*) > 1;",
    "x² + y² = z²; ∫ f(x) dx; α ≤ β; 5 µm; 20 °C; № 7; … — “quoted” ‘words’",
)


@dataclass(frozen=True, slots=True)
class SamplePair:
    """A question and the passage that answers it; `subject` counts from 0 and is the same in all languages."""

    language: str
    subject: int
    question: str
    passage: str


def sample_pairs() -> list[SamplePair]:
    """Return the pairs, those of a language together."""
    pairs: list[SamplePair] = []
    for line in (resources() / "encoder_samples.tsv").read_text(encoding="utf-8").splitlines():
        language, question, passage = line.split("\t")
        subject = sum(pair.language == language for pair in pairs)
        pairs.append(SamplePair(language, subject, question, passage))
    return pairs
