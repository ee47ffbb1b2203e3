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
_FILES = r"(?:documents?|files?|passages?|sources?|texts?|results?|hits?|excerpts?|lines?)"
_ABOUT_THE_SEARCH = re.compile(  # a whole sentence
    rf"i (?:do not|don['’]t) know|i(?: have|['’]ve)? found (?:nothing|no (?:\w+ )?{_FILES}|none)\b[^,;]*|"
    rf"i(?: have|['’]ve)? found (?:\w+ )?(?:relevant |matching |related )?{_FILES}|"
    rf"(?:the|my|this) search(?:es)? (?:returned|found|brought|yielded) (?:nothing|none|no \w+|\w+ {_FILES})\b[^,;]*|"
    rf"no {_FILES[:-1]}|sentences?) that answers? (?:this|[“\"][^”\"]*[”\"]) (?:was|were) found\b[^,;]*|"
    rf"(?:nothing|none|no one) (?:in|of) (?:your|the|these|those) {_FILES} [^,;]+|"
    rf"it is (?:unclear|not clear) from (?:your|the|these) {_FILES} [^,;]+|"
    rf"note:? (?:that )?(?:the|all|your) {_FILES} (?:is|are) (?:written )?in \w+|"
    r"your question (?:has|is|asks|concerns|contains)\b[^,;]+|"
    r"(?:the answer|it|that|this) depends on (?:which|what|whether) [^,;]*\byou\b[^,;]*|"
    r"(?:the )?(?:following (?:table|list|overview)|(?:table|list|overview) below) "
    r"(?:shows?|lists?|sums? up|summari[sz]es|gives?|contains?) (?:the|all|these|those) \w+(?: \w+)?|"
    r"(?:as requested,? )?(?:a|the|my) (?:short |brief )?(?:summary|overview|list|table|answer) follows|"
    r"(?:sources?|references|quellen?|fuentes?|fonti|sources ?) ?:(?: ?[^\s,;]+\.[a-z]\w{0,4}[,;]?)+|"
    r"(?:dazu |darüber |hierzu )?(?:ich )?(?:habe|konnte) (?:ich )?[^,;]*\bnichts\b[^,;]*\b(?:gefunden|finden)|"
    r"(?:ich )(?:habe|konnte) [^,;]*\bnichts\b[^,;]*\b(?:gefunden|finden)|ich weiß es nicht|"
    r"in (?:den|ihren) (?:dokumenten|dateien|unterlagen|quellen) steht (?:dazu |darüber )?nichts\b[^,;]*|"
    r"no (?:he|hemos|se ha|se han) encontrado (?:nada|ning\w+)\b[^,;]*|no lo sé|je ne sais pas|non lo so|"
    r"non (?:ho|abbiamo|è stato|è stata) trovat\w (?:nulla|niente|alcun\w*|nessun\w*)\b[^,;]*",
    re.IGNORECASE,
)


def is_about_the_search(sentence: str) -> bool:
    """Return whether a whole sentence tells what was searched, found or is shown, not what a document says."""
    bare = re.sub(r"^(?:however|but|unfortunately|leider|sorry),? ", "", sentence.strip(" *_>|.!"), flags=re.IGNORECASE)
    return bool(_ABOUT_THE_SEARCH.fullmatch(bare)) and not _MORE.search(bare)


def unmentioned(sentence: str) -> str | None:
    """Return what a sentence says that a document does not mention; None if it says anything else or more."""
    sentence = sentence.strip(" *_>|")
    bare = re.sub(r"^(?:however|but|unfortunately),? ", "", sentence, flags=re.IGNORECASE)
    if _MORE.search(bare):
        return None
    active = _ACTIVE.search(bare) if _SUBJECT.match(bare) else None
    match = active or _PASSIVE.match(bare) or _GERMAN.search(bare)
    return next((each.strip(" .") for each in match.groups() if each), "") if match else None
