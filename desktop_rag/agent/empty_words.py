"""Words that carry a sentence but never tell where an answer stands, by language."""

from desktop_rag.index.analysis import STOP_WORDS, fold

_ENGLISH = """who whom whose what which when where why how did does do done doing is was were been being am has have had
having can could would should shall may might must its his her him she he we you i me my our your us them from than so
any some about also other others many much more most one two get got give given tell say said name called kind type
people person thing things way during between after before while because each every all both few only own same very
just over under again further once here out up down off above below through until against among within without upon
per via etc please find show list know explain describe"""
_GERMAN = """wer wen wem wessen was welche welcher welches welchen wann wo woher wohin warum wieso weshalb wie viel
viele ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können der die das den dem des ein eine
einer eines einem einen und oder aber in im an am auf zu zum zur von vom mit für bei nach aus über unter durch nicht es
sie er wir ich man sich gibt"""
_FRENCH = """qui que quoi quel quelle quels quelles quand où pourquoi comment combien est sont était le la les un une
des du de et ou dans sur pour par avec au aux ce cette ces il elle ils elles on se sa son ses ne pas d l"""
_SPANISH = """quién qué cuál cuáles cuándo dónde cómo cuánto cuántos el la los las un una unos unas y o en con por para
del al de es son era fue no si su sus lo se"""
_ITALIAN = """chi che cosa quale quali quando dove perché come quanto quanti il lo la gli i le un una di da in nel nella
con per e o non è sono del della"""

ENGLISH = STOP_WORDS | frozenset(map(fold, _ENGLISH.split()))
_OTHERS = tuple(frozenset(map(fold, text.split())) for text in (_GERMAN, _FRENCH, _SPANISH, _ITALIAN))


def empty_words(words: list[str]) -> frozenset[str]:
    """Return the empty words of the language a question is written in; English ones when in doubt.

    "War", "die" and "son" are empty in one language and tell everything in another.
    """
    folded = [fold(word) for word in words]
    counts = [sum(word in language for word in folded) for language in _OTHERS]
    most = max(counts)
    if most < 2 or most <= sum(word in ENGLISH for word in folded):
        return ENGLISH
    return _OTHERS[counts.index(most)]
