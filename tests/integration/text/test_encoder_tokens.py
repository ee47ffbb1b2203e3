"""The estimate of tokens against the encoder's own tokenizer."""

import pytest
from tokenizers import Tokenizer

from desktop_rag.paths import encoder_folder
from desktop_rag.text.language_detection import detect
from desktop_rag.text.sentences import density, estimate_tokens
from tests.integration.documents.conftest import PROSE
from tests.unit.text.test_language_detection import ARTICLE

NEWS = (
    "The committee said on Thursday that 1,250 households had applied for the programme since March 2021, a rise of "
    "37.5 percent. Dr. Eleanor Whitfield, who chairs it, called the figures “encouraging but incomplete”."
)
SCIENCE = (
    "Photosynthetic organisms convert electromagnetic radiation into chemical energy; chlorophyll absorbs mostly in "
    "the blue (450 nm) and red (660 nm) regions, whereas carotenoids dissipate excess excitation as heat."
)
TALE = "Once upon a time there lived a fisherman and his wife in a hut by the sea, and every day he went out to fish."


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(encoder_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    return tokenizer


@pytest.mark.parametrize("text", [PROSE, NEWS, SCIENCE, TALE])
def test_english_prose_is_estimated_within_a_fifth(tokenizer: Tokenizer, text: str) -> None:
    truth = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert 0.8 * truth <= estimate_tokens(text) <= 1.2 * truth


@pytest.mark.parametrize(
    "code", ["de", "fr", "es", "pt", "it", "sv", "pl", "cs", "tr", "ru", "uk", "el", "he", "zh", "ja"]
)
def test_other_languages_are_estimated_within_two_fifths(tokenizer: Tokenizer, code: str) -> None:
    text = ARTICLE[code] * 2
    truth = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert detect(text) == code
    assert 0.6 * truth <= estimate_tokens(text) * density(code) <= 1.4 * truth
