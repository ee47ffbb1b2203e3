"""The persons, organisations and things that a question asks about, and whether sentences are about them.

“What is the salary of Maren Quist?” is not answered from the contract of another person, in which no one called Quist
occurs, though it has a salary; and an answer to it says if none of its quotations mentions a salary.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, TITLES_AND_FORMS, word_set
from desktop_rag.agent.citations.checks.claim_names import is_code, place_groups
from desktop_rag.agent.citations.claim_words import is_ordinary, split_words
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import COMPARED_PRICES, AnswerType, has_type
from desktop_rag.agent.extractive.content_words import ENGLISH, IRREGULAR, related, stems, stop_words_of
from desktop_rag.agent.extractive.numbered_things import untold_numbers
from desktop_rag.agent.extractive.quantities.row_conditions import Demands, is_negated
from desktop_rag.agent.extractive.quantities.validity import asked_period, holding_since
from desktop_rag.agent.extractive.question_analysis import ASKED, AnalysedQuestion
from desktop_rag.agent.extractive.question_splitting import LINE_ITEM
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, weights_of
from desktop_rag.agent.extractive.structured.definitions import asked_term
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, fold_text
from desktop_rag.text.dates import ENGLISH_MONTHS, mentions

MIN_GIVEN = 3  # letters of a given name
NAME_PREFIX = 5  # letters that all inflected forms of a name share
_WORD = re.compile(r"[^\W_][\w’'-]*")
_HAS_DIGIT = re.compile(r"\d")  # FY2023 is no name
YEARS = range(1400, 2101)  # other numbers may be written otherwise: of 4,000 a question has the words 4 and 000
MIN_SPELLED = 6  # letters of a word that may be spelled otherwise: licence, license
_NO_THINGS = word_set(
    "difference total sum altogether average cost costs reason reasons example examples part parts type types way ways "
    "use uses purpose role happen happens happened occur occurs prefer prefers belong belongs include includes contain "
    "contains consist consists exist exists involve involves cause causes require requires apply applies allow allows "
    "differ differs live lives compare work works meaning main major important exactly currently usually "
    "money geld take takes took wohnen wohnt wohnte "
    "make makes made come comes came due lie lies located situated reside resides resided residing "
    "define defined definition describe explain list name tell show end ends begin begins start starts ende beginnt "
    "now new newest current latest recent recently soon still early earlier higher lower become becomes became "
    "typically document documents file files mail mails email emails number numbers name names times mal"
)
# Words that say in what or how something is told, not what: “according to the paper”, “laut Notiz”.
_NOT_TOLD = word_set(
    "code function method script class module paper article text page pages section chapter table sheet spreadsheet "
    "report note notes letter message presentation slide slides pdf according ask asks asked asking question answer "
    "mention mentions mentioned state states stated say says said write writes written measured now currently today "
    "laut gemäß zufolge dokument dokumente dokumenten datei dateien mail mails text texte artikel seite seiten "
    "abschnitt kapitel tabelle bericht notiz notizen brief nachricht funktion methode klasse frage antwort nenne "
    "nennt genannt erwähnt erwähnen gesagt geschrieben schreibt gemessen jetzt heute derzeit"
)
_RATE = re.compile(r"\d\W*(?:[a-z]{3}|euros?|dollars?|percent|prozent|[€$£%])? ?(?:per|pro|je) [a-z]+")
_GENERIC = frozenset(stems("number name date amount kind value"))
CALENDAR = frozenset(
    stems(" ".join((*ENGLISH_MONTHS, "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Easter Christmas")))
)
_ALTERNATIVES = re.compile(r"(\w+),? (?:or|oder|ou) (\w+)")
_IS = re.compile(r"\b(?:is|are|was|were|ist|sind|war|waren)$")  # which wood is
_OF_THINGS = (AnswerType.NAME, AnswerType.ANYTHING, AnswerType.AMOUNT)
_TOGETHER = 2  # words that a sentence which answers has together
MIN_SHARED = 0.45  # weighted share of a question's words in and around quotations that others are nearer to in meaning
_NEAREST = 12  # best sentences among which the closest one is sought
CLOSE_ACROSS = 0.4  # of the score of a passage in another language and its lead over the third; see docs/encoders.md
LEADING = 3
_TOPIC = re.compile(  # what does the lease say about the deposit
    r"\b(?:say|says|said|state|states|stated|tell|tells|steht|stand|sagt|schreibt|regelt)\b.*"
    r"\b(?:about|on|regarding|concerning|über|zu[mr]?) (?:(?:the|an?|its|their|die|der|das|den|dem|eine[mnr]?|ein) )?"
    r"(?P<topic>[\w-]+)\W*$",
    re.IGNORECASE,
)
_MIN_ON_TOPIC = 0.4  # of the best score, for the best sentence on what a text is asked to say something about
_MIN_DENYING = 0.25  # the same for the best sentence that denies the same as the question
_COMPARES = re.compile(r"\b(?:than|or)\b", re.IGNORECASE)


def is_english(question: AnalysedQuestion) -> bool:
    """Return whether a capital letter marks a name in a question: in German it marks every noun."""
    return stop_words_of(_WORD.findall(question.text)) is ENGLISH


def named(question: AnalysedQuestion) -> tuple[tuple[str, ...], ...]:
    """Return the stems of each name in a question; in other languages than English only of names of several words."""
    english = is_english(question)
    found: list[tuple[str, ...]] = []
    for name in question.names:
        words = [word for word in split_words(name) if word.is_capital and word.fold not in ENGLISH]
        telling = [word for word in words if not is_ordinary(word) and word.fold.isalpha() and len(word.fold) > 2]
        if len(words) > 1 and (telling or english) and (english or len(words) == len(telling)):
            kept = [word for word in words if word.fold not in TITLES_AND_FORMS] or words
            found.append(tuple(each for word in kept for each in stems(word.text)))
        elif telling and english and not place_groups(telling[0].text):
            found.append(stems(telling[0].text))
    return tuple(name for name in found if name and not CALENDAR.issuperset(name))


def name_stems(question: AnalysedQuestion) -> frozenset[str]:
    """Return the stems of the names of a question: no days and months, nor the nouns of another language."""
    if not is_english(question):
        return frozenset(stem for name in named(question) for stem in name)
    return frozenset(stem for name in question.names for stem in stems(name)) - CALENDAR


def about_named(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences of documents that mention a name of the question, or are named in those; all if none does.

    “The best hotel in Ada's city of birth” is in the document of that city. A given name alone is enough unless
    another person has it, too. Silent if a name may be an ordinary word or a country.
    """
    names = named(question)
    if not names or len(names) < sum(not _HAS_DIGIT.search(name) for name in question.names):
        return ranked
    names = tuple(name for name in names if len(name) > 1) or names  # “the CEO of Ulta Beauty” is of that company
    read: dict[str, set[str]] = defaultdict(set)
    for one in ranked:
        read[one.candidate.title] |= one.candidate.around | one.candidate.place_words
    fitting = {title for title, words in read.items() if any(_mentions(words, name) for name in names)}
    fitting |= _led_to(fitting, ranked)
    fitting |= {title for name in question.names if fitting for title in _given(name.split(), ranked)}
    return [one for one in ranked if one.candidate.title in fitting] if fitting else ranked


def _given(name: Sequence[str], ranked: Sequence[RankedSentence]) -> set[str]:
    """Return the titles of documents with a given name alone; none if it stands before another name somewhere."""
    if len(name) == 1 or len(name[0]) < MIN_GIVEN:
        return set()
    given = re.compile(rf"\b{re.escape(name[0])}\b(?:\s+([A-ZÀ-Þ][\w’'-]+))?")
    found = [(one.candidate.title, after[1]) for one in ranked for after in given.finditer(one.candidate.text)]
    return {title for title, _ in found} if all(after in (None, *name[1:]) for _, after in found) else set()


def _led_to(titles: set[str], ranked: Sequence[RankedSentence]) -> set[str]:
    """Return the titles that a sentence of the documents with these titles names."""
    naming = [one.candidate.stems for one in ranked if one.candidate.title in titles]
    others = {one.candidate.title: frozenset(stems(one.candidate.title)) for one in ranked}
    return {title for title, words in others.items() if words and any(words <= named for named in naming)}


def _mentions(words: set[str], name: Sequence[str]) -> bool:
    """Return whether a text with these stems has a name: its last word, two of a long one, or all joined (LiHua)."""
    prefixes = {word[:NAME_PREFIX] for word in words if len(word) >= NAME_PREFIX}
    held = [word in words or (len(word) > NAME_PREFIX and word[:NAME_PREFIX] in prefixes) for word in name]
    return held[-1] or sum(held) > 1 or "".join(name) in words


def unquoted(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> Iterator[str]:
    """Yield the names and things a question asks about that neither quotations nor their titles and headings mention.

    Verbs count only if nothing but names of the question is mentioned: “allowed” may be “may”, “longest” a number.
    """
    held = frozenset[str]().union(*(_told(one).union(stems(one.candidate.dated)) for one in quoted))
    text = fold_text(" ".join(f"{shown(one)} {one.quoted_before} {one.quoted_after}" for one in quoted))
    names = {stem for name in named(question) for stem in name}
    asked = telling_words(question)
    missing = [(word, forms) for word, forms in asked if not is_mentioned(word, forms, held, text)]
    bare = names.issuperset(form for each in asked if each not in missing for form in each[1])
    english, compares = is_english(question), bool(_COMPARES.search(question.text))
    days = tuple(_untold_days(question.text, quoted))
    yield from days
    asked_time = asked_period(question.text)
    holds = asked_time is not None and any(holding_since(one.candidate.text, asked_time) for one in quoted)
    for word, forms in missing:
        if any(word in day for day in days) or (holds and word in question.numbers):
            continue
        thing = is_thing(word.lower(), compares=compares) if english else word[0].isupper()
        if bare or thing or names.intersection(forms):
            yield word
    texts = (text for one in quoted for text in (one.candidate.text, one.candidate.under, shown(one)))
    yield from untold_numbers(question.text, list(texts))


def _untold_days(question: str, quoted: Sequence[RankedSentence]) -> Iterator[str]:
    """Yield the days of a question that no quotation, nor what stands around it, names."""
    asked = [each for each in mentions(question) if each.days and all(day.day for day in each.days)]
    texts = (f"{shown(one)} {one.candidate.before}" for one in quoted) if asked else ()
    told = [day for text in texts for each in mentions(text) for day in each.days if day.day]
    for each in asked:
        if not any(day.agrees(other) for day in each.days for other in told):
            yield question[each.start : each.end].strip()


def no_time_told(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> bool:
    """Return whether quotations tell neither a time nor anything else that a “when” asks about, but names.

    “When was the station built?” is not answered by how much its pumps lift.
    """
    if question.asks not in (AnswerType.TIME, AnswerType.YEAR):
        return False
    texts = [f"{one.quoted_before} {one.candidate.told} {one.quoted_after}" for one in quoted]
    if any(has_type(AnswerType.TIME, text, question.text) for text in texts):
        return False
    held = frozenset[str]().union(*(_told(one) for one in quoted))
    text = fold_text(" ".join((*texts, *map(shown, quoted))))
    names = name_stems(question)
    asked = telling_words(question)
    things = [(word, forms) for word, forms in asked if names.isdisjoint(forms)]
    return bool(things) and not any(is_mentioned(*thing, held, text) for thing in things)


def nothing_asked(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> bool:
    """Return whether quotations mention only the names of an English question that asks “who”.

    “Who is the CEO of Ada's employer?” is not answered by what else Ada said.
    """
    if question.asks is not AnswerType.PERSON or not is_english(question):
        return False
    held = frozenset[str]().union(*(_told(one) for one in quoted))
    text = fold_text(" ".join(map(shown, quoted)))
    names = name_stems(question)
    asked = telling_words(question)
    things = [(word, forms) for word, forms in asked if names.isdisjoint(forms)]
    if not things or not names or not all(is_thing(word.lower(), compares=False) for word, _ in things):
        return False  # what a verb says may be said by another one
    return not any(is_mentioned(*thing, held, text) for thing in things)


def telling_words(question: AnalysedQuestion) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words of a question that may be missed in an answer, with their stems."""
    return [(word, forms) for word in filter(is_telling, question.words) if (forms := _forms(word))]


def only_names(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether a question asks for a thing of a name, and sentences have the name, but nothing of the thing.

    “What is the phone number of Paul Okafor?” is not answered by what else he did.
    """
    names = {stem for name in named(question) for stem in name}
    thing = [word for word in question.head if word not in names]
    thing = [word for word in thing if word not in _GENERIC] or thing  # of a phone number, the phone
    if not names or not thing or not names.intersection(question.stems):
        return False
    around = frozenset[str]().union(*(one.candidate.around | one.candidate.place_words for one in ranked))
    return not any(word in around or related(word) & around for word in thing)


def to_the_point(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences on what a text is asked to say something about, and those that deny what it does, if any is.

    “What does the lease say about subletting?” is not answered by its term, and what a price does not include not by
    what it includes.
    """
    topic = _TOPIC.search(question.text)
    words = frozenset(stems(topic["topic"])) if topic else frozenset[str]()
    on_topic = [one for one in ranked if words & one.candidate.stems.union(stems(one.candidate.under))]
    if on_topic and on_topic[0].score >= _MIN_ON_TOPIC * ranked[0].score:
        ranked = on_topic
    if not ranked or question.asks is AnswerType.REASON or is_negated(ranked[0].candidate.text):
        return ranked  # the reason may stand in another sentence
    denied = Demands.of(question.text).denied
    denying = [one for one in ranked if denied & Demands.of(one.candidate.text).denied]
    return denying if denying and denying[0].score >= _MIN_DENYING * ranked[0].score else ranked


def is_about_unread(question: AnalysedQuestion, unread: Collection[str]) -> bool:
    """Return whether what a question is about is among the words that nothing read mentions.

    That is a word of a long name (“World Cup” is not answered from a text without any cup; LiHua may be written Li
    Hua), what a text is asked to tell about, a word of a term whose meaning is asked for, or the whole question
    for: “Which hobbies does Ada have?” But “Of which wood is the keel?” is answered by “The keel is oak”.
    """
    names = [_WORD.findall(name) for name in question.names]
    named = [word for name in names if len(name) > 1 for word in name if word.istitle() and word.isalpha()]
    term, _ = asked_term(question)
    topic = _TOPIC.search(question.text)
    about = [*(named if is_english(question) else ()), *_WORD.findall(term), *(topic.groups() if topic else ())]
    asked = ASKED.search(question.text) if question.asks in _OF_THINGS else None
    is_kind = asked is not None and _IS.search(asked[0]) is not None
    thing = (
        [word for word in _WORD.findall(asked[1]) if _forms(word) and is_telling(word)] if asked and not is_kind else []
    )
    return not set(about).isdisjoint(unread) or (bool(thing) and set(unread).issuperset(thing))


def shares_little(
    question: AnalysedQuestion, quoted: Sequence[RankedSentence], ranked: Sequence[RankedSentence]
) -> bool:
    """Return whether quotations and what stands around them lack much of a question, and others are nearer in meaning.

    Then they tell something of what it names, or of what it asks, but not of both.
    """
    nearest_told = any(one.candidate.focus == 1 for one in quoted)
    if len(question.stems) <= _TOGETHER or nearest_told or all(one.candidate.focus < 1 for one in ranked):
        return False
    held = frozenset[str]().union(*(_told(one) | one.candidate.around for one in quoted))
    weights = weights_of(question, [one.candidate for one in ranked])
    telling = {stem for word in filter(is_telling, question.words) for stem in stems(word)}.intersection(weights)
    telling.intersection_update(_needed(question, sorted(telling), held))
    shared = sum(weights[word] for word in telling if _occurs((word,), held))
    return shared < MIN_SHARED * sum(weights[word] for word in telling)


def _needed(question: AnalysedQuestion, words: Sequence[str], held: Collection[str]) -> list[str]:
    """Return the words without alternatives of those that are held: of “rosewood or silver” one is enough."""
    needless: set[str] = set()
    for pair in _ALTERNATIVES.findall(question.text):
        alternatives = stems(" ".join(pair))
        if any(_occurs((word,), held) for word in alternatives):
            needless.update(word for word in alternatives if not _occurs((word,), held))
    return [word for word in words if word not in needless]


def nearest(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> RankedSentence | None:
    """Return the best sentence that mentions a name of the question and something else of it, else half of its words.

    None if no sentence does: what else a document says of whom it names is not close to an answer.
    """
    names = {stem for name in named(question) for stem in name}
    plain = [word for word in question.stems if word not in names]
    for one in ranked[:_NEAREST]:
        held = _told(one)
        needed = _needed(question, plain, held)
        shared = sum(_occurs((word,), held) for word in needed)
        if (shared or not needed) and not names.isdisjoint(held) if names else shared and 2 * shared >= len(needed):
            return one
    return None


def nearest_across(ranked: Sequence[RankedSentence]) -> RankedSentence | None:
    """Return the sentence nearest in meaning among those in another language, if it is close and stands out."""
    found: dict[str, RankedSentence] = {}  # by their passages
    for one in sorted(ranked, key=lambda each: -each.candidate.across):
        if one.candidate.across and one.candidate.shape is not SentenceShape.HEADING:
            found.setdefault(one.candidate.reference, one)
    nearest_first = list(found.values())
    scores = [one.candidate.across for one in nearest_first[:LEADING]]
    is_close = bool(scores) and 2 * scores[0] - scores[-1] >= CLOSE_ACROSS
    return nearest_first[0] if is_close else None


def head_without_name(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether no sentence tells what a question asks of a name together with it: the president of Brazil."""
    names = name_stems(question)
    head = [word for word in question.head if word not in names]
    if not head or not names or question.asks is not AnswerType.PERSON or not is_english(question):
        return False
    for one in ranked:
        held = one.candidate.around | one.candidate.place_words
        if not names.isdisjoint(held) and any(word in held or related(word) & held for word in head):
            return False
    return True


def other_years(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> bool:
    """Return whether a question for an amount names years, and quotations with their headings name none of them."""
    years = {each for each in question.numbers if each.isdigit() and int(each) in YEARS}
    if not years or question.asks not in (AnswerType.MONEY, AnswerType.AMOUNT, AnswerType.SHARE):
        return False
    item = LINE_ITEM.search(question.text)  # a statement's figure stands with its year in one row or sentence
    texts = [f"{shown(one)} {one.candidate.before}" for one in quoted]
    words = {each for stem in stems(item[0]) for each in (stem, *related(stem))} if item else set()
    fitting = [text for text in texts if not words or not words.isdisjoint(stems(text))]
    asked = asked_period(question.text)
    if asked and any(holding_since(one.candidate.text, asked) for one in quoted):
        return False
    return not any(year in text or f"FY{year[2:]}" in text for year in years for text in fitting)


def _told(one: RankedSentence) -> frozenset[str]:
    before = one.candidate.before if one.led else one.quoted_before
    beside = f"{one.candidate.columns} {before} {one.quoted_after}"
    return one.candidate.stems | one.candidate.place_words | frozenset(stems(beside))


def shown(one: RankedSentence) -> str:
    """Return a sentence with what stands above it: the title, headings, and the header of its table."""
    own = one.candidate
    return f"{own.title} {own.dated} {own.under} {own.columns} {' '.join((own.text, *own.items))}"


def _forms(word: str) -> tuple[str, ...]:
    return () if fold(word) in FUNCTION_WORDS | STOP_WORDS else stems(word)


def _occurs(forms: Sequence[str], held: Collection[str]) -> bool:
    return any(form in held or not related(form).isdisjoint(held) for form in forms)


def is_telling(word: str) -> bool:
    """Return whether a word of a question may be missed in an answer: not “difference”, nor the 000 of 4,000."""
    return fold(word) not in _NO_THINGS and word not in COMPARED_PRICES and (not word.isdigit() or int(word) in YEARS)


def is_told_of(word: str) -> bool:
    """Return whether a word of a question names its subject, not the document or the form of the text."""
    return fold(word) not in _NOT_TOLD


def is_mentioned(word: str, forms: Sequence[str], held: Collection[str], text: str) -> bool:
    """Return whether a word with these stems occurs among the stems or in the folded text, or a related word does.

    An identifier must occur whole, not in parts; a long word also in another spelling.
    """
    if any(is_code(each) for each in split_words(word)):
        written = fold(word)
        return written in text or written in text.replace(" ", "")  # WolfgangSchulz
    text = f"{text} {text.replace('-', '')}" if "-" in text else text  # Wi-Fi
    if _occurs(forms, held) or any(form in text or _is_spelled_otherwise(form, held) for form in forms):
        return True
    return fold(word) in ("rate", "tagessatz") and _RATE.search(text) is not None  # 940 EUR per day


def _is_spelled_otherwise(form: str, held: Collection[str]) -> bool:
    from rapidfuzz.distance import OSA

    return len(form) >= MIN_SPELLED and any(
        len(other) == len(form) and OSA.distance(form, other, score_cutoff=1) <= 1 for other in held
    )


def is_thing(word: str, *, compares: bool) -> bool:
    """Return whether an English word is probably no verb and no comparative."""
    return not word.endswith(("ed", "est", "er" if compares else "est")) and fold(word) not in IRREGULAR
