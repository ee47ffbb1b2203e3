"""Recognises statements that a document does not mention something; they are about the search, not about the world."""

import re

_VERBS = r"mention|specify|disclose|address|discuss|state|indicate"
_DONE = r"mentioned|specified|disclosed|addressed|discussed|stated|indicated"
_THINGS = r"mentions?|references?|information|statements?|indications?|provisions?|clauses?|details?|rules?"
_ASKED = r"anything|whether|who|what|when|where|why|how|which|if"
_ACTIVE = re.compile(
    rf"\b(?:(?:do(?:es)?|did)(?: not|n['’]t) (?:\w+ )??(?:{_VERBS}|say (?={_ASKED}))"
    rf"|(?:makes?|made|contains?|gives?|has|have|includes?) no (?:{_THINGS}) (?:of|on|about|for|to|that|regarding)"
    r"|mentions? (?:no|nothing (?:of|about))|(?:is|are) silent (?:on|about)|says? nothing (?:on|about|of)"
    rf"|there (?:is|are|was|were) no (?:{_THINGS}) (?:of|on|about|for|to|that|regarding)"
    r"|ne (?:mentionne|précise|indique|dit)(?:nt)? (?:pas|rien|aucun\w*)|no (?:menciona|indica|especifica|dice)n?)\b"
    r"(?P<object>[^.;]*)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"^(?P<object>[^.;,]{{2,80}}?) (?:is|are|was|were)(?: not|n['’]t| nowhere| never) (?:\w+ )?(?:{_DONE})\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?:erwähn(?:t|en)|nenn(?:t|en)) (?P<object>[^.;,]{2,80}?) nicht\b|"
    r"\b(?:enthält|enthalten|macht|machen) keine (?:Angaben?|Regelung(?:en)?|Aussagen?) (?:zu[rm]?|über|für)\b"
    r"(?P<object2>[^.;]*)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(  # of an active sentence: things, never persons
    r"^\W*(?:(?:however|but|unfortunately),? )?(?:the|this|that|these|those|it|they|neither|none|nothing|no|there|"
    r"le|la|les|l['’]|ce|cet|cette|el|los|las|este|esta)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"[;,:] (?:but|and|while|whereas|although|though|which|so|it|only|instead|aber|sondern|mais|pero)\b|"
    r"\b(?:but|whereas|although|instead|sondern|except)\b",
    re.IGNORECASE,
)


def unmentioned(sentence: str) -> str | None:
    """Return what a sentence says that a document does not mention; None if it says anything else or more."""
    sentence = sentence.strip(" *_>|")
    bare = re.sub(r"^(?:however|but|unfortunately),? ", "", sentence, flags=re.IGNORECASE)
    if _MORE.search(bare):
        return None
    active = _ACTIVE.search(bare) if _SUBJECT.match(bare) else None
    match = active or _PASSIVE.match(bare) or _GERMAN.search(bare)
    return next((each.strip(" .") for each in match.groups() if each), "") if match else None
