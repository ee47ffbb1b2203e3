"""Content words of a text as stems, without stop words, with irregular forms mapped to their base form."""

import re
from functools import lru_cache

from whoosh.lang.stopwords import stoplists

from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem, terms
from desktop_rag.text.dates import ENGLISH_MONTHS, MONTH_NAME
from desktop_rag.text.language_profiles import WITHOUT_UMLAUTS

_ENGLISH = """who whom whose what which when where why how did does do done doing is was were been being am has have had
having can could would should shall may might must its his her him she he we you i me my our your us them from than so
any some about also other others many much more most one two get got give given tell say said name called kind type
people person thing things way during between after before while because each every all both few only own same very
just over under again further once here out up down off above below through until against among within without upon
per via etc please find show list know explain describe
still yet already"""
# The words that ask, and some more: Whoosh's lists of stop words have few of them.
_FURTHER = {
    "de": "wer wen wem wessen wann warum wieso weshalb woher wohin wieviel viel viele steht stehen gibt ab beim ins",
    "fr": "qui quoi quel quelle quels quelles quand où pourquoi comment combien",
    "es": "quién quiénes qué cuál cuáles cuándo dónde cómo cuánto cuántos cuánta cuántas",
    "it": "chi che cosa quale quali quando dove perché come quanto quanti",
}

ENGLISH = STOP_WORDS | frozenset(map(fold, _ENGLISH.split()))
_OTHERS = tuple(
    frozenset(
        fold(form) for word in (*stoplists[code], *words.split()) for form in (word, word.translate(WITHOUT_UMLAUTS))
    )
    for code, words in _FURTHER.items()
)

_IRREGULAR = """
arise arose arisen/awake awoke/bear bore borne born/beat beaten/become became/begin began begun/bend bent/bind bound/
bite bit bitten/bleed bled/blow blew blown/break broke broken/breed bred/bring brought/build built/burn burnt/
buy bought/catch caught/choose chose chosen/come came/deal dealt/dig dug/draw drew drawn/dream dreamt/
drink drank drunk/drive drove driven/eat ate eaten/fall fell fallen/feed fed/feel felt/fight fought/find found/
flee fled/fly flew flown/forbid forbade forbidden/forget forgot forgotten/freeze froze frozen/go went gone goes/
grow grew grown/hang hung/hear heard/hide hid hidden/hold held/keep kept/know knew known/lay laid/lead led/leave left/
lend lent/lie lay lain/light lit/lose lost/make made/mean meant/meet met/pay paid payable/
ride rode ridden/ring rang rung/
rise rose risen/run ran/say said/see saw seen/seek sought/sell sold/send sent/shake shook shaken/shine shone/
shoot shot/show shown/shrink shrank/sing sang sung/sink sank sunk/sit sat/sleep slept/slide slid/speak spoke spoken/
spend spent/spin spun/stand stood/steal stole stolen/stick stuck/strike struck/swear swore sworn/sweep swept/
swim swam swum/swing swung/take took taken/teach taught/tear tore torn/tell told/think thought/throw threw thrown/
understand understood/wake woke/wear wore worn/win won/write wrote written/die died death/child children/man men/
woman women/foot feet/person people/mouse mice/goose geese/tooth teeth/long length/high height/wide width/deep depth/
strong strength/vet veterinary veterinarian/one 1/two 2/three 3/four 4/five 5/six 6/seven 7/eight 8/nine 9/ten 10/
first 1st/second 2nd/third 3rd/fourth 4th/fifth 5th/sixth 6th/seventh 7th/eighth 8th/ninth 9th/tenth 10th
"""
_BASE = {
    form: group.split()[0]
    for group in "".join(_IRREGULAR.split("\n")).split("/")
    if group
    for form in group.split()[1:]
}
# “May” is a stop word unless it stands in a date.
_MAY = re.compile(r"\bMay\b(?=,?\s+\d)|(?<=\d\s)May\b|(?<=\bin\s)May\b|(?<=\bof\s)May\b|(?<=\bsince\s)May\b")
_ISO_DATE = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])-([0-3]\d)\b")
_DAY_WITH_ZERO = re.compile(rf"\b0([1-9])(?=\.? (?:{MONTH_NAME})\b)", re.IGNORECASE)  # 05 March


@lru_cache(maxsize=1 << 14)
def stems(text: str, stop_words: frozenset[str] = ENGLISH) -> tuple[str, ...]:
    """Return the distinct stems of a text's content words, in order; ISO dates are written out first."""
    text = _ISO_DATE.sub(lambda date: f"{date[1]} {ENGLISH_MONTHS[int(date[2]) - 1]} {int(date[3])}", text)
    text = _MAY.sub("Maytime", text)
    text = _DAY_WITH_ZERO.sub(r"\1", text)
    found = (base(term.text) for term in terms(text, query=True) if term.text not in stop_words)
    return tuple(dict.fromkeys(word for word in found if len(word) > 1 or not word.isascii() or word.isdigit()))


def stop_words_of(words: list[str]) -> frozenset[str]:
    """Return the stop words of the language a question is written in; English ones when in doubt.

    "War", "die" and "son" are stop words in one language and content words in another.
    """
    folded = [fold(word) for word in words]
    counts = [sum(word in language for word in folded) for language in _OTHERS]
    if max(counts) <= sum(word in ENGLISH for word in folded):
        return ENGLISH
    return _OTHERS[counts.index(max(counts))]


@lru_cache(maxsize=1 << 16)
def base(term: str) -> str:
    """Return the base form of a folded word: "write" for wrote and writing."""
    return stem(_BASE.get(term, term))
