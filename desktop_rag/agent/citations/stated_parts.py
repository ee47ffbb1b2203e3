"""Finds what an uncited sentence states, apart from what it says about the search, the answer or the conversation.

Questions, greetings, offers and sentences that only report what the run searched, read or missed state nothing. What
follows them does: “I could not find the height, but the bridge collapsed”, “I searched and found that …”.
"""

import re

from desktop_rag.agent.citations.absence import is_about_the_search, unmentioned
from desktop_rag.text.normalize import words

MIN_TAIL = 3  # words after a citation, a courtesy or a report that are a statement of their own
MIN_CLAUSE = 4  # words of a clause whose verb is not known
MAX_COUNT = 12  # of what follows a heading: “The 3 clauses:”

_REPORT = re.compile(
    r"not found|(?:do(?:es)?|did|is|are|was|were|could|can)(?: not|n't|n’t|not) (?:\w+ ){0,2}"
    r"(?:say|state|mention|contain|specify|give|include|tell|answer|describe|find|found|list|provide|cover|hold)|"
    r"no (?:\w+ ){0,3}(?:mention|information|passage|document|source|evidence|record)|"
    r"\bsearch(?:es)?\b.{0,80}\b(?:returned|found|brought|yielded|shows?)\b|"
    r"(?:I|we) (?:have )?(?:searched|looked|read)\b|searched for|^Read: \d|^nothing\b|still being indexed|"
    r"\b(?:nichts?|kein\w*)\b.{0,60}\b(?:gefunden|finden|erwähnt|genannt|angegeben|enthalten|hervor|Angaben?|Informationen?)|"
    r"\bgesucht\b|\bne .{0,40}\bpas\b.{0,40}\b(?:mention|trouv|indiqu|précis)|aucun\w* (?:mention|information)|"
    r"\brien\b.{0,40}\btrouv|"
    r"\bno (?:se |he |hemos )?(?:menciona|indica|encuentra|encontrado|especifica)|ninguna (?:mención|información)",
    re.IGNORECASE,
)
_REPORT_SUBJECT = re.compile(
    r"\b(?:documents?|passages?|librar\w*|files?|sources?|texts?|excerpts?|I|we|searched|Dokument\w*|Unterlage\w*|"
    r"Bibliothek|Datei\w*|Quelle\w*|Text\w*|Passage\w*|gesucht|ich|je|fichiers?|textes?|documentos?|archivos?|"
    r"(?:he|hemos) encontrado)\b|"
    r"\bcited lines\b|: not found\W*$|^not found|^nothing\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^(?:hello|hi|hey|sure|certainly|of course|thanks?|thank you|you(?:['’]re| are) welcome|(?:great|good|excellent|"
    r"interesting) question|my pleasure|glad to|sorry|"
    r"i (?:do not|don['’]t) know\b|"
    r"i(?:['’]m| am) (?:sorry|afraid|unable|not able)|i (?:can ?not|can['’]t|could not|couldn['’]t|hope|can|could)\b|"
    r"as an? (?:ai|large language|language) |i(?:['’]ll| will) (?:now |first )?(?:search|look|open|read|check)\b|"
    r"let me |(?:please )?feel free|if you (?:need|want|have|would|['’]d)|"
    r"please (?:let|ask|provide|check|consult|clarify|specify|rephrase)|"
    r"here (?:is|are)\b|below (?:is|are)\b|happy to|would you|do you want|"
    r"(?:please )?note:? (?:that )?this (?:answer |summary )?is based on|"
    r"hallo|guten |gerne?\b|bitte (?:schön|sehr)|natürlich|leider kann|es tut mir leid|ich kann |ich hoffe|"
    r"lassen sie mich|falls sie|"
    r"wenn sie (?:weitere|noch|möchten)|hier (?:ist|sind)\b|"
    r"bonjour|de rien|avec plaisir|"
    r"bien sûr|désolé|je (?:ne )?peux|n['’]hésitez|si vous (?:avez|souhaitez|voulez)|voici\b|"
    r"hola|de nada|claro|lo siento|no puedo|puedo |si (?:necesita|desea|quiere)|aquí (?:está|están|tiene)\b)",
    re.IGNORECASE,
)
_POLITE_OPENING = re.compile(  # of a sentence that may go on with a statement
    r"^(?:(?:sure|certainly|of course|sorry|i(?:['’]m| am) (?:sorry|afraid)|natürlich|gerne?|es tut mir leid|"
    r"bien sûr|désolé|claro|lo siento)"
    r"(?:\s*[,;:–—]\s*(?:but |aber |mais |pero )?| (?:but|that|aber|dass|mais|pero) )|"
    r"i can (?:confirm|tell you|say)(?: that)? |i(?:['’]m| am) afraid )",
    re.IGNORECASE,
)
_BREAK = re.compile(  # between a report and a statement
    r"(?P<but>[,;–—]?\s+(?:but|although|(?:even )?though|however|yet|aber|jedoch|doch|obwohl|mais|pero|aunque|ma|però)"
    r",?\s+)|"
    r"(?P<that>\b(?:found|finds?|saw|sees?|seen|learn(?:ed|t)|conclude[ds]?|show(?:s|ed|n)?|sa(?:y|ys|id)|state[sd]?|"
    r"reads?|confirm(?:s|ed)?|reveal(?:s|ed)?|indicate[sd]?|gefunden|steht|sagt|zeigt|ergab|ergibt|trouvé|dit|"
    r"montre|indique|encontrado|dice|muestra|indica),?\s+(?:that|dass|que)\s+)|"
    r"(?P<pause>[:;–—]\s+)|"
    r"(?P<which>,\s+(?:which|who|that|der|die|das|qui|que|lo que)\s+)|"
    r"(?P<so>,?\s+(?:so|therefore|thus|hence|also|daher|donc|luego)\s+)|"
    r"(?P<and>,?\s+(?:and|und|et|y)\s+(?=(?:the|it|he|she|they|this|there|an?|der|die|das|es|er|sie|le|la|les|il|elle|"
    r"el|los|las)\b))",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|will|may|must|shall|can|cannot|could|should|would|ist|sind|war|waren|"
    r"hat|haben|hatten?|wird|werden|wurden?|darf|dürfen|muss|müssen|kann|können|sollen?|est|sont|était|étaient|ont|"
    r"paid|pays?|sold|bought|built|made|led|won|lost|went|came|gave|took|wrote|fell|rose|became|held|began|grew|kept|"
    r"sent|spent|costs?|owns?|belongs?|begins?|ends?|"
    r"peut|peuvent|doit|doivent|sera|fue|fueron|puede|pueden|debe|deben|está|están|tiene|[^\W\d_]{3,}ed)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:the|this|these|it|he|she|they|an?|its|his|her|their|der|die|das|ein|eine|es|er|sie|le|la|les|il|elle|un|une|"
    r"el|los|las|una|according|laut|selon|según)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|nothing|none|never|cannot|neither|nicht|nichts|kein\w*|ne|pas|rien|aucun\w*|nada|ningun\w*)\b|n['’]t\b|"
    r"\bn['’]",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_LIST = re.compile(  # what a colon follows that names no statement
    r"(?:search(?:ed)?|queries|terms|for|read|gesucht|nach|gelesen|sources?|quellen?|not found|missing|"
    r"nicht gefunden)\s*$",
    re.IGNORECASE,
)
_REMARK = re.compile(  # a clause about the answer, the search or what the user can do
    r"(?:puede preguntar\b|(?:you|we|sie|vous|usted|one) (?:\w+ ){0,3}"
    r"(?:check|look|find|ask|contact|consult|try|search|want|need|wish|"
    r"upload|add|attach|provide|share|rephrase|specify|see|read|open|verify|refer|prüfen|suchen|nachsehen|fragen|"
    r"vérifier|consulter|consultar)\b|"
    r"(?:could|can|did|do|does|was|were)(?: not|n['’]t)\b|found (?:nothing|no)\b|(?:\w+ )?related\b|"
    r"no (?:\w+ )?(?:results?|hits?|documents?|files?|passages?|sources?)\b|"
    r"(?:i|ich|je)\b(?! (?:have |do )?(?:know|think|believe|suppose|assume|weiß|glaube|denke|sais|crois|pense)\b)|"
    r"(?:the|your|an?|other) [^\W_]+ (?:may|might|could|can) (?:also )?help\b|"
    r"(?:it|they|this|that|the answer|the information|more|others?) (?:may|might|could|can) (?:also )?"
    r"(?:be|stand|exist|help)\b|(?:here|below) (?:is|are)\b|the following\b|let me\b|feel free\b|please\b|not\b|"
    r"only in\b|(?:that|this) (?:is|would be|does|doesn['’]t|means?)\b|"
    r"there (?:is|are|may be|might be) (?:\w+ ){0,2}(?:information|details?|passages?|documents?|files?|mentions?)\b|"
    r"(?:the|your|other|some|several|these|two|three|one|a few) (?:\w+ )?(?:documents?|files?|passages?|sources?|"
    r"texts?) (?:do |does )?(?:contain|have|has|give|include|mention|offer|provide)s? (?:\w+ ){0,2}"
    r"(?:information|details?)\b)",
    re.IGNORECASE,
)
_MOOT = re.compile(  # after “which”: about the question
    r"(?:is|are|was|were|has|have|had|does|did|will) (?:\w+ ){0,2}(?:why|what|needed|necessary|required|un\w+|possible|"
    r"asked|relevant|related|not|searched|read|found|available)\b|(?:would|could|should|may|might|can|means?)\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"[,–—]\s*(?:right|correct|yes|no|isn['’]t it|wasn['’]t it|aren['’]t they|weren['’]t they|doesn['’]t it|"
    r"did(?:n['’]t)? (?:it|they|he|she)|oder|nicht wahr|richtig|n['’]est-ce pas|no es así|verdad)\s*[?？]\s*$",
    re.IGNORECASE,
)
_TELLING_QUESTION = re.compile(
    r"(?:(?:is|was)n['’]t it (?:true|the case|so|a fact) that|is it not (?:true|the case) that|"
    r"did(?:n['’]t)? you know that|(?:wussten sie|wusstest du|ist es nicht so), dass|saviez-vous que|"
    r"n['’]est-il pas vrai que|sabías? que|¿?no es (?:cierto|verdad) que)\s+",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:what|which|who|whose|whom|when|where|why|how|whether|if|was|welche\w*|wer|wen|wem|wann|wo|wie|warum|ob|que|"
    r"quel\w*|qui|quand|où|comment|pourquoi|qué|cuál\w*|quién\w*|cuándo|dónde|cómo|there|here|il|hay|that|die|der|das)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NUMBERING = re.compile(r"(?:\d{1,2}[.)]|\d+(?:\.\d+)+[.)]?)\s+(?=[^\W\d_a-z])")
_YES_OR_NO = re.compile(r"\W*(?:yes|no|yep|nope|true|false|ja|nein|oui|non|sí|si|sì)\W*", re.IGNORECASE)


def stated_from(sentence: str) -> int | None:
    """Return the offset from which an uncited sentence states something; None if it makes no claim."""
    bare = sentence.strip(" *_>|")
    lead = len(sentence) - len(sentence.lstrip(" *_>|"))
    if bare.endswith(("?", "？")):
        return _asked_from(bare, lead)
    if bare.endswith((":", "：")) or len(list(words(bare))) < 2:
        return None
    if (polite := _POLITE_OPENING.match(bare)) and len(list(words(rest := bare[polite.end() :]))) >= MIN_TAIL:
        return 0 if stated_from(rest) is not None else None
    if not _is_aside(bare):
        return 0
    for pause in _BREAK.finditer(bare):
        rest = bare[pause.end() :]
        if _states(bare[: pause.start()], pause, rest) and (begin := stated_from(rest)) is not None:
            return lead + pause.end() + begin
    return None


def _asked_from(question: str, lead: int) -> int | None:
    """Return the offset from which a question tells what it seems to ask."""
    if _TAG.search(question):
        return 0
    told = _TELLING_QUESTION.match(question)
    return lead + told.end() if told else None


def _is_aside(bare: str) -> bool:
    """Return whether a sentence begins with a courtesy or a report on the search."""
    if _COURTESY.match(bare) and not _FIGURE.search(bare):
        return True
    reports = bool(_REPORT.search(bare) and _REPORT_SUBJECT.search(bare)) or is_about_the_search(bare)
    return reports or unmentioned(bare) is not None


def _states(report: str, pause: re.Match[str], rest: str) -> bool:
    """Return whether the clause after a pause states something."""
    count = len(list(words(rest)))
    if count < MIN_TAIL or _REMARK.match(rest):
        return False
    figure, verb = bool(_FIGURE.search(rest)), bool(_VERB.search(rest))
    clause = re.split(r"[,;:]|\b(?:and|und|et|y)\b", report)[-1] + pause[0]
    match pause.lastgroup:
        case "but":
            return figure or verb or (bool(_SUBJECT.match(rest)) and count >= MIN_CLAUSE)
        case "that":
            return not _NEGATION.search(clause)
        case "pause":
            return (figure or verb) and not _LIST.search(report)
        case "which":
            return (figure or verb) and not _MOOT.match(rest)
        case "and":
            return figure or (verb and not _NEGATION.search(report))
        case _:
            return figure


def label_from(label: str) -> int | None:
    """Return the offset from which a heading or lead-in may state something: a figure, or a clause with a verb."""
    numbering = _NUMBERING.match(label)
    bare = label[numbering.end() if numbering else 0 :]
    if bare.rstrip(" *_#").endswith(("?", "？")) or not (_FIGURE.search(bare) or is_clause(bare)):
        return None
    return len(label) - len(bare)


def is_clause(label: str) -> bool:
    """Return whether a heading is a sentence: “The bridge was demolished”, not “What was demolished”."""
    bare = label.strip(" *_#:")
    verb = _VERB.search(bare)
    return verb is not None and verb.start() > 0 and not any(map(_ASKING.match, bare[: verb.start()].split()))


def names_only(figure: str, *, clause: bool) -> bool:
    """Return whether a figure of a heading may count what follows, or is the year in its name: “Winter 2022”."""
    return figure.isdigit() and (int(figure) <= MAX_COUNT or (not clause and bool(_YEAR.fullmatch(figure))))


def is_yes_or_no(text: str) -> bool:
    """Return whether a text is nothing but “Yes.” or “No.”."""
    return bool(_YES_OR_NO.fullmatch(text))
