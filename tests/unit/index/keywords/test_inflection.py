import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import fold
from desktop_rag.index.keywords.inflection import STEMMERS, _is_inflected, inflected_forms, stem_in, stems_in

FAMILIES = {
    "ar": ["الكتاب كتاب", "والحكومة الحكومة حكومة", "المدرسة مدرسة"],
    "cs": ["smlouva smlouvy smlouvu", "škola školy školou", "pracovník pracovníků", "nový nového nových"],
    "da": ["hus huset husene"],
    "de": ["Haus Häuser Häusern Hauses", "Vertrag Verträge Verträgen", "schön schöne schöner", "Straße Straßen"],
    "el": ["σπίτι σπίτια", "δρόμος δρόμοι δρόμου"],
    "es": ["canción canciones", "educación educaciones", "ciudad ciudades", "rápido rápida rápidos"],
    "fi": ["talo talon taloissa", "päivä päivää päivän"],
    "fr": ["cheval chevaux", "année années", "université universités", "national nationale nationaux"],
    "hi": ["किताब किताबें किताबों", "कर्मचारी कर्मचारियों"],
    "hu": ["szerződés szerződések szerződésben", "város városok várost", "munkavállaló munkavállalók"],
    "it": ["contratto contratti", "casa case", "nazionale nazionali"],
    "nl": ["huis huizen", "contract contracten"],
    "no": ["bil biler"],
    "pl": ["umowa umowy umowę umów", "pracownik pracownika pracowników", "historia historii historię"],
    "pt": ["nação nações", "contrato contratos"],
    "ru": ["договор договора договоров", "красный красная красные", "история истории историй"],
    "sv": ["hus huset husen", "bil bilar bilarna"],
    "tr": ["sözleşme sözleşmeler sözleşmenin sözleşmesi", "işçi işçiler işçinin", "kitap kitaplar kitabı"],
}


@pytest.mark.parametrize(("language", "family"), [(code, line) for code, lines in FAMILIES.items() for line in lines])
def test_the_forms_of_a_word_are_found_from_each_other(language: str, family: str) -> None:
    words = sorted({fold(word) for word in family.split()})
    others = sorted({*words, "zzz"})

    def vocabulary(beginning: str) -> list[str]:
        return [word for word in others if word.startswith(beginning)]

    for word in words:
        assert inflected_forms(word, language, vocabulary) == tuple(words)


def test_unrelated_words_are_not_forms() -> None:
    known = ["hauptstadt", "haus", "haustier", "hauser", "laus"]
    assert inflected_forms("haus", "de", lambda beginning: [w for w in known if w.startswith(beginning)]) == (
        "haus",
        "hauser",
    )


def test_two_letters_have_no_longer_forms() -> None:
    known = ["le", "les", "lea", "lease", "leases"]
    assert "les" not in inflected_forms("lease", "fr", lambda beginning: [w for w in known if w.startswith(beginning)])
    assert inflected_forms("rue", "fr", lambda _: ["rue", "rues", "ruine"]) == ("rue", "rues")


def test_numbers_and_short_words_have_no_forms() -> None:
    for term in ("ab", "2024", "b2b", "x" * 100):
        assert inflected_forms(term, "de", lambda _: ["ab", "2024", "b2b"]) == (term,)


@given(st.text(max_size=20).map(fold), st.sampled_from(sorted(STEMMERS)))
def test_a_word_is_always_among_its_forms(word: str, language: str) -> None:
    assert word in inflected_forms(word, language, lambda _: [word])
    assert isinstance(stem_in(word, language), str)


@pytest.mark.parametrize("language", ["ar", "el", "hi", "ru"])
def test_a_latin_word_has_no_forms_in_another_script(language: str) -> None:
    def vocabulary(beginning: str) -> list[str]:
        raise AssertionError(f"looked for words that begin with {beginning}")

    assert inflected_forms("houses", language, vocabulary) == ("houses",)


_KNOWN = sorted({fold(word) for lines in FAMILIES.values() for line in lines for word in line.split()})


@given(
    st.lists(st.one_of(st.sampled_from(_KNOWN), st.text(max_size=45).map(fold))),
    st.sampled_from([*STEMMERS, "en"]),
)
def test_many_words_have_the_stems_of_each(words: list[str], language: str) -> None:
    words = [word for word in words if _is_inflected(word)]
    assert stems_in(words, language) == [stem_in(word, language) for word in words]
