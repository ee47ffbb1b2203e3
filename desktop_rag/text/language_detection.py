"""Detects the language of a document from its script and its most common words.

Detectors for a hundred languages need a hundred megabytes or most of a second in every reader process; for a
whole document, forty languages and a few words of each give the same result.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import filterfalse
from types import MappingProxyType

from desktop_rag.text.language_profiles import ARABIC, CYRILLIC, DEVANAGARI, EVERY, LATIN, LanguageProfile

# Question words (who, what, when …), which match texts that ask, not answers; in English also verbs that ask.

_ASKING = tuple("?？؟;")  # at the end of a question, also a Greek one …
_BEHIND = " \t\n\u00a0\u3000\"'”’“»«›)）]」』!！"  # … and what may follow


def is_asked(text: str) -> bool:
    """Return whether a text ends as a question does, also within quotation marks: who sang “Where is it?”."""
    return text.rstrip(_BEHIND).endswith(_ASKING)


QUESTION_WORDS = MappingProxyType(
    {
        code: frozenset(words.split())
        for code, words in {
            "ar": "ما ماذا من متى أين كيف كم لماذا هل أي لمن",
            "cs": "kdo co kdy kde kam proč jak jaký jaká jaké kolik který která které čí",
            "da": "hvem hvad hvornår hvor hvorfor hvordan hvilken hvilket hvilke hvis",
            "de": "wer wen wem wessen was wann wo woher wohin worin warum wieso weshalb wie wieviel wieviele viele "
            "welche welcher welches welchen welchem",
            "el": "ποιος ποια ποιο ποιοι ποιες ποιον ποιων τι πότε πού γιατί πώς πόσο πόσα πόσοι πόσες",
            "en": "who whom whose what when where why how which is are was were do does did has have can will",
            "es": "quién quiénes qué cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas",
            "fi": "kuka ketä kenen mikä mitä minkä milloin missä mistä mihin miksi miten kuinka moni paljon",
            "fr": "qui que quoi quel quelle quels quelles quand où pourquoi comment combien",
            "hi": "कौन किस किसने किसे किसका क्या कब कहाँ कहां क्यों कैसे कितना कितने कितनी कौनसा",
            "hu": "ki kit kinek mi mit mikor hol hova honnan miért hogyan mennyi hány melyik milyen",
            "id": "siapa apa kapan mana dimana mengapa bagaimana berapa",
            "it": "chi che cosa quale quali quando dove perché come quanto quanta quanti quante",
            "nl": "wie wat wanneer waar waarom hoe hoeveel welk welke wiens",
            "no": "hvem hva når hvor hvorfor hvordan hvilken hvilket hvilke",
            "pl": "kto kogo komu co czego kiedy gdzie skąd dokąd dlaczego jak jaki jaka jakie ile ilu który która "
            "które czyj czy",
            "pt": "quem que qual quais quando onde aonde porque como quanto quanta quantos quantas",
            "ro": "cine ce care când unde cum câți câte cât câtă",
            "ru": "кто кого кому что чего когда где куда откуда почему зачем как какой какая какое какие сколько "
            "который чей",
            "sv": "vem vad när var varför hur vilken vilket vilka",
            "tr": "kim kimi kime kimin ne neyi nedir zaman nerede nereye nereden neden niçin nasıl kaç hangi mi mı mu "
            "mü",
        }.items()
    }
)

_SAMPLE, _SAMPLES = 2000, 3  # sample size in characters, and number of positions the sample is drawn from
_LEAST_LETTERS = 20
_LEAST_OF_QUERY, _LEAST_WORDS, _LEAST_SHARE = 2, 3, 0.15  # letters and words of a query, share of common words
_LEAST_SCORE = 0.06  # fewer common words mean a list of names, or an unknown language
_LEAST_ADDED, _LEAST_ADDED_SHARE = 2, 1 / 3  # words with letters beyond the alphabet, where no word is common
_LEAD = 1.03  # minimum ratio to the score of the next language
_FOREIGN, _MOST_LOST = 20.0, 0.6  # penalty for letters that the language does not have; some occur in names

# A word with its vowel signs and accents, which are no letters to \w.
_WORD = re.compile(r"[^\s\d!-/:-@\[-`{-~¡«»¿“”„‘’‚…–—।॥،؛؟]+")
_APART = str.maketrans(dict.fromkeys(filterfalse(_WORD.fullmatch, map(chr, range(128))), " "))
_SCRIPTS = (  # first and last letter of each script, and the language or languages that use it
    (0x0041, 0x024F, LATIN),
    (0x0370, 0x03FF, "el"),
    (0x0400, 0x052F, CYRILLIC),
    (0x0531, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"),
    (0x0600, 0x077F, ARABIC),
    (0x0900, 0x097F, DEVANAGARI),
    (0x0980, 0x09FF, "bn"),
    (0x0A00, 0x0A7F, "pa"),
    (0x0A80, 0x0AFF, "gu"),
    (0x0B00, 0x0B7F, "or"),
    (0x0B80, 0x0BFF, "ta"),
    (0x0C00, 0x0C7F, "te"),
    (0x0C80, 0x0CFF, "kn"),
    (0x0D00, 0x0D7F, "ml"),
    (0x0D80, 0x0DFF, "si"),
    (0x0E00, 0x0E7F, "th"),
    (0x0E80, 0x0EFF, "lo"),
    (0x0F00, 0x0FFF, "bo"),
    (0x1000, 0x109F, "my"),
    (0x10A0, 0x10FF, "ka"),
    (0x1200, 0x139F, "am"),
    (0x1780, 0x17FF, "km"),
    (0x1E00, 0x1EFF, LATIN),
    (0x3040, 0x30FF, "ja"),
    (0x3400, 0x9FFF, "zh"),
    (0xAC00, 0xD7AF, "ko"),
)
_LETTERS_A_WORD = {"zh": 2.0, "ja": 2.0}  # weight of a letter relative to one of an alphabet
_ASCII = bytes(range(128))
_NO_ASCII_LETTERS = bytes(byte for byte in range(256) if not chr(byte).isalpha() or byte > 127)
_JAPANESE_SHARE = 0.1  # minimum share of kana among the letters: Chinese has none


def detect(text: str) -> str:
    """Return the language of `text` as its ISO 639-1 code, or "" if uncertain."""
    sample = _sample(text)
    letters = _letters(sample)
    script = _script(letters)
    return script if isinstance(script, str) else _best(sample, letters, script)


def language_of_query(query: str) -> str:
    """Return the language of a few words as its ISO 639-1 code, or "" if uncertain.

    In alphabets that several languages share, it needs common words or question words; a question word counts once
    more as the first word: “ile” is Polish there (“how much”), but Turkish elsewhere (“with”).
    """
    script = _script(_letters(query), _LEAST_OF_QUERY)
    if isinstance(script, str):
        return script
    words = _words(query)
    if len(words) < _LEAST_WORDS:
        return ""
    scores = word_scores(query, script)
    for place, word in enumerate(words):
        asking = [code for code in script if word in QUESTION_WORDS.get(code, ())]
        for code in asking:
            counted = (word not in script[code].words) + (place == 0)
            scores[code] += counted / len(words) / len(asking) ** 0.5
    scores = _without_foreign_letters(scores, _letters(query), script)
    best, other = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
    doubtful = scores[best] < _LEAD * scores[other]
    return best if scores[best] >= _LEAST_SHARE and not doubtful else ""


def spoken(text: str, declared: str) -> str:
    """Return the declared language of a text, unless the text is clearly in another one.

    Many programs declare the language of their menus. A language unknown here is accepted.
    """
    if declared and _primary(declared) not in _known():
        return declared
    found = detect(text)
    return declared if not found or found == _primary(declared) else found


def word_scores(text: str, profiles: Mapping[str, LanguageProfile]) -> dict[str, float]:
    """Return, per language, the share of words in `text` that are common in it; shared words count less.

    `profiles` are some of `language_profiles`.
    """
    words = Counter(_words(text))
    total = max(1, words.total())
    scores = dict.fromkeys(profiles, 0.0)
    speakers = _speakers(tuple(profiles))
    for word in words.keys() & speakers.keys():
        codes = speakers[word]
        for code in codes:
            scores[code] += words[word] / total / len(codes) ** 0.5
    return scores


@cache
def _speakers(codes: tuple[str, ...]) -> dict[str, list[str]]:
    """Return in which of these languages each word is common."""
    speakers: dict[str, list[str]] = {}
    for code in codes:
        for word in EVERY[code].words:
            speakers.setdefault(word, []).append(code)
    return speakers


@cache
def _own_letters(codes: tuple[str, ...]) -> frozenset[str]:
    """Return the letters beyond the alphabet that any of these languages has."""
    return frozenset[str]().union(*(EVERY[code].letters for code in codes))


@cache
def _known() -> frozenset[str]:
    """Return the languages that can be detected."""
    scripts = (what for _, _, what in _SCRIPTS)
    return frozenset(code for what in scripts for code in ([what] if isinstance(what, str) else what))


def _words(text: str) -> list[str]:
    """Return the words in lower case; those of ASCII are divided without a pattern, which takes four times as long."""
    text = text.lower()
    return text.translate(_APART).split() if text.isascii() else _WORD.findall(text)


def _primary(declared: str) -> str:
    return declared.lower().partition("-")[0]


def _sample(text: str) -> str:
    """Return samples from the beginning, the middle and the end: the first page is often untypical."""
    if len(text) <= _SAMPLE * _SAMPLES:
        return text
    step = (len(text) - _SAMPLE) // (_SAMPLES - 1)
    return "\n".join(text[place * step : place * step + _SAMPLE] for place in range(_SAMPLES))


def _letters(sample: str) -> dict[str, int]:
    """Return how often each letter occurs, with all of ASCII as one: they are most, and tell nothing apart."""
    data = sample.encode("utf-8", "surrogatepass")
    others = Counter(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    letters = {char: count for char, count in others.items() if char.isalpha()}
    plain = len(data.translate(None, _NO_ASCII_LETTERS))
    return {"a": plain, **letters} if plain else letters


@lru_cache(maxsize=1 << 12)
def _script_of(letter: str) -> int:
    """Return the index of a letter's script; -1 for other scripts."""
    return next((place for place, (first, last, _) in enumerate(_SCRIPTS) if first <= ord(letter) <= last), -1)


def _script(letters: Mapping[str, int], least: int = _LEAST_LETTERS) -> "str | Mapping[str, LanguageProfile]":
    """Return the languages written in the script of most letters."""
    counts: dict[int, float] = {}
    for letter, count in letters.items():
        place = _script_of(letter)
        counts[place] = counts.get(place, 0) + count
    total = sum(counts.values())
    if total < least:
        return ""
    weighted = {
        place: count * (_LETTERS_A_WORD.get(what, 1.0) if isinstance(what := _SCRIPTS[place][2], str) else 1.0)
        for place, count in counts.items()
        if place >= 0
    }
    if not weighted:
        return ""
    found = _SCRIPTS[max(weighted, key=weighted.__getitem__)][2]
    kana = sum(count for place, count in counts.items() if place >= 0 and _SCRIPTS[place][2] == "ja")
    return "ja" if found == "zh" and kana > _JAPANESE_SHARE * total else found


def _best(sample: str, letters: Mapping[str, int], profiles: Mapping[str, LanguageProfile]) -> str:
    scores = _without_foreign_letters(word_scores(sample, profiles), letters, profiles)
    best, other = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
    if scores[best] < _LEAST_SCORE:
        return _only_with_letters(sample, profiles)
    return best if scores[best] >= _LEAD * scores[other] else ""


def _only_with_letters(sample: str, profiles: Mapping[str, LanguageProfile]) -> str:
    """Return the language of a short note without common words: the only one that has all letters beyond the alphabet.

    In a few of the words they are those of a name.
    """
    own = _own_letters(tuple(profiles))
    words = _words(sample)
    added = [letters for word in words if (letters := own.intersection(word))]
    if len(added) < max(_LEAST_ADDED, _LEAST_ADDED_SHARE * len(words)):
        return ""
    having = [code for code, profile in profiles.items() if profile.letters.issuperset(frozenset[str]().union(*added))]
    return having[0] if len(having) == 1 else ""


def _without_foreign_letters(
    scores: Mapping[str, float], letters: Mapping[str, int], profiles: Mapping[str, LanguageProfile]
) -> dict[str, float]:
    """Return the scores, those of languages without some of the letters reduced."""
    own = _own_letters(tuple(profiles))
    added = {letter: count for letter, count in letters.items() if letter in own}
    total, every = sum(letters.values()), sum(added.values())
    kept = dict(scores)
    for code in [code for code, score in scores.items() if score] if added else ():
        foreign = every - sum(added[letter] for letter in profiles[code].letters & added.keys())
        kept[code] *= 1 - min(_MOST_LOST, _FOREIGN * foreign / total)
    return kept
