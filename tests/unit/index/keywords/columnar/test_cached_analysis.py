"""Analysing a text piece by piece gives the same terms as analysing it whole."""

from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import MAX_TERM, stem
from desktop_rag.index.keywords.cached_analysis import WordAnalyser
from desktop_rag.index.keywords.identifiers import indexed_terms

# What decides where a word ends: possessives, marks, joiners, scripts without spaces, lone surrogates.
_ALPHABET = "abYZ09_ .'’-“—\u00a0\u00ad\u0301\u200béİßſ東京ไทยा\u0939\ud800\U0001d400"
texts = (
    st.text(_ALPHABET, max_size=40) | st.text(max_size=20) | st.text(st.characters(exclude_categories=()), max_size=9)
)


def by_pieces(text: str, analyser: WordAnalyser) -> list[tuple[bytes, int]]:
    found = []
    position = 0
    for piece in analyser.spaced(text).split():
        cut = analyser.analyse(piece)
        assert cut == ((piece,), (0,), 1) or set(piece) - set(analyser.word_bytes) or len(piece) > MAX_TERM
        found += [(term, position + place) for term, place in zip(cut.terms, cut.places, strict=True)]
        position += cut.width
    return found


@given(texts)
@example("The tenant's x's's ‘s 's a's’s don't l’été's_“rock'n'roll”")
@example("東京tower東's 京 ")
@example("a parseHttpRequest, getUser.getUserName 京 mRNA")
def test_cached_analysis_yields_the_terms_of_the_text(text: str) -> None:
    reader = [(term.text.encode("utf-8", "replace"), term.position) for term in indexed_terms(text)]
    assert by_pieces(text, WordAnalyser()) == reader


@given(texts)
def test_stems_are_those_of_folded_words(text: str) -> None:
    reader = [(stem(term.text).encode("utf-8", "replace"), term.position) for term in indexed_terms(text)]
    assert by_pieces(text, WordAnalyser(stem)) == reader


def test_a_very_long_word_is_truncated() -> None:
    ((term, _),) = by_pieces("x" * 1000, WordAnalyser())
    assert len(term) == 128
