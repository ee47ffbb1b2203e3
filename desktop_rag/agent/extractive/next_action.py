"""What the built-in model does next: list documents, search, read, look again if that was poor, read on."""

import json
from collections.abc import Callable, Sequence

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.offered_tools import DocumentOffer, SearchOffer, ToolOffers
from desktop_rag.agent.extractive.run_state import EVERY, PastCall, RunPhase, RunState, call_id
from desktop_rag.agent.extractive.search_phrases import about, document_words, keywords, phrasings
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.agent.tools.query_phrasing import plain_query
from desktop_rag.llm.chat import ToolCall
from desktop_rag.stop import Stop

READ = 6  # passages read after the first searches
READ_EACH = 4  # the same for each of several questions
MOST_READ = 10
OPENED = 3  # where documents can only be opened
ABOVE = 10  # lines above the one that was found, to open at
SINGLE = 2  # phrasings where a tool takes one query a call
WORTH = {"linked": 2.0, "semantic": 1.0, "exact": 0.5}  # of a search's order
NAMED = 4.0  # of a search in the documents the question names, where they are long
NAMED_SHORT = 0.5  # the same, where they are read whole anyway
LONG = 5  # passages
FITS, ALIKE = 0.4, 0.85  # how well a document must fit its names, by itself and beside the best
DOCUMENTS = 3
SURE = 0.8  # share of a question in and around a sentence, from which on nothing more is looked for

_Plan = Callable[[RunState, ToolOffers, Stop], list[PastCall]]


def next_calls(state: RunState, offers: ToolOffers, stop: Stop) -> list[tuple[str, PastCall]]:
    """Return the calls to make now with their ids; none when it is time to answer."""
    if not any(question.words for question in state.questions):
        return []
    phases = list(RunPhase)
    for phase, plan in zip(phases, (_lists, _searches, _reads, _second_look, _reads_on), strict=True):
        if any(state.reached(later) for later in phases[phase:]):
            continue
        planned = plan(state.before(phase), offers, stop)
        named = [(call_id(phase, index, call.question), call) for index, call in enumerate(planned, 1)]
        if waiting := [(name, call) for name, call in named if not state.done(name)]:
            return waiting
    return []


def as_call(name: str, call: PastCall) -> ToolCall:
    """Return a call as a model makes it."""
    return ToolCall(name, call.tool, json.dumps(call.arguments, ensure_ascii=False))


def _lists(state: RunState, offers: ToolOffers, stop: Stop) -> list[PastCall]:
    """List the documents that the names, dates and years of a question may mean."""
    stop.check()
    if not offers.listing:
        return []
    words = [(number, document_words(state.questions[number - 1])) for number in state.numbers]
    target, tool = offers.listing.target.name, offers.listing.tool
    return [PastCall(number, tool, {target: said}) for number, said in words if said]


def _searches(state: RunState, offers: ToolOffers, stop: Stop) -> list[PastCall]:
    """Search each question with every tool that searches: by words, by meaning, by links, in the documents it names."""
    stop.check()
    return [
        call
        for number in state.numbers
        for offer in offers.searching
        for call in _first(state, number, offer, offers.listing)
    ]


def _first(state: RunState, number: int, offer: SearchOffer, listing: DocumentOffer | None) -> list[PastCall]:
    question = state.questions[number - 1]
    queries = phrasings(question)
    if not queries:
        return []
    if offer.words:
        return _asking(number, offer, keywords(question, offer.queries.most))
    calls = _asking(number, offer, queries[:1] if "linked" in offer.modes else queries, "linked", "hybrid")
    if "semantic" in offer.modes:
        calls += _asking(number, offer, queries[:1], "semantic")
    documents = _named(state, number, listing) if offer.within and listing else []
    if offer.within and documents:
        inside = [*_asking(number, offer, queries[1:2] or queries, "hybrid")]
        if "semantic" in offer.modes:
            inside += _asking(number, offer, [about(question) or queries[0]], "semantic")
        for call in inside:
            call.arguments[offer.within.name] = documents
        calls += inside
    return calls


def _named(state: RunState, number: int, listing: DocumentOffer) -> list[str]:
    """Return the documents that fit the question's names best."""
    found = [each for result in state.of(number) if result.name == listing.tool for each in result.evidence]
    best = max((each.score for each in found), default=0.0)
    return [each.reference for each in found if each.score >= max(FITS, ALIKE * best)][:DOCUMENTS]


def _asking(number: int, offer: SearchOffer, queries: Sequence[str], *modes: str) -> list[PastCall]:
    """Return one call with all queries, or where a tool takes a single one, a call for each of the first two."""
    mode = next((mode for mode in modes if mode in offer.modes), "")
    rest: dict[str, object] = {"mode": mode} if mode else {}
    if offer.any_word:
        rest[offer.any_word.name] = next(word for word in offer.any_word.choices if word.lower() == "or")
    if offer.queries.most > 1:
        return [PastCall(number, offer.tool, {offer.queries.name: list(queries[: offer.queries.most]), **rest})]
    return [PastCall(number, offer.tool, {offer.queries.name: query, **rest}) for query in queries[:SINGLE]]


def _reads(state: RunState, offers: ToolOffers, stop: Stop) -> list[PastCall]:
    """Read the passages whose previews promise most."""
    stop.check()
    return _reading(state, offers, READ_EACH if len(state.questions) > 1 else READ)


def _reads_on(state: RunState, offers: ToolOffers, stop: Stop) -> list[PastCall]:
    stop.check()
    return _reading(state, offers, MOST_READ)


def _reading(state: RunState, offers: ToolOffers, count: int) -> list[PastCall]:
    searches = offers.searches
    read = [evidence for result in state.results if result.name not in searches for evidence in result.evidence]
    known = {evidence.reference for evidence in read if evidence.lines}
    best: dict[str, int] = {}  # references to the line where to open them
    for number in state.numbers:
        promising = [(name, line) for name, line in promise(state, number, searches) if name not in known]
        best |= dict(promising[:count])
    names = list(best)[: MOST_READ - len(known)]
    if offers.reading and names:
        target, tool = offers.reading.target, offers.reading.tool
        if target.most > 1:
            return [PastCall(EVERY, tool, {target.name: names[: target.most]})]
        return [PastCall(EVERY, tool, {target.name: name}) for name in names]
    if offers.opening and offers.opening.other:
        document, place = offers.opening.target.name, offers.opening.other.name
        places: list[dict[str, object]] = [
            {document: name, place: max(best[name] - ABOVE, 1)} for name in names[:OPENED]
        ]
        return [PastCall(EVERY, offers.opening.tool, where) for where in places]
    return []


def promise(state: RunState, number: int, searches: frozenset[str]) -> list[tuple[str, int]]:
    """Return what the searches for one question found and the first lines seen of it, the most promising first."""
    worth: dict[str, float] = {}
    first: dict[str, int] = {}
    for result in state.of(number):
        if result.name not in searches:
            continue
        weight = _weight(state.arguments(result), len(result.evidence))
        for index, evidence in enumerate(result.evidence):
            worth[evidence.reference] = worth.get(evidence.reference, 0.0) + weight / (1 + index) ** 0.5
            first.setdefault(evidence.reference, evidence.first_line)
    return [(name, first[name]) for name in sorted(worth, key=lambda name: -worth[name])]


def _weight(arguments: str, found: int) -> float:
    """Return what a search's order is worth beside others'; the rest of long documents is what narrowing leaves out."""
    if '"within"' in arguments:
        return NAMED if found >= LONG else NAMED_SHORT
    mode = next((mode for mode in WORTH if f'"{mode}"' in arguments), "")
    return WORTH.get(mode, 1.0)


def _second_look(state: RunState, offers: ToolOffers, stop: Stop) -> list[PastCall]:
    """Search for the words that nothing read so far holds, and look for them in the best document."""
    ranked = {number: state.ranked(number, stop) for number in state.numbers}
    unsure = [number for number in state.numbers if not _sure(ranked[number])]
    return [call for number in unsure for call in _missing(state, number, ranked[number], offers)]


def _missing(state: RunState, number: int, ranked: Sequence[RankedSentence], offers: ToolOffers) -> list[PastCall]:
    question = state.questions[number - 1]
    held = {word for found in ranked for word in found.candidate.stems}
    missing = [word for word in question.words if not set(stems(word)) & held]
    rare = missing or sorted(question.words, key=len, reverse=True)
    calls: list[PastCall] = []
    literal = next((offer for offer in offers.searching if offer.words or "exact" in offer.modes), None)
    if literal:
        exact = [plain_query(word) for word in (*question.names, *rare)][:3]
        calls += _asking(number, literal, [query for query in exact if query] or [plain_query(question.text)], "exact")
    if offers.finding and offers.finding.other and ranked:
        target, patterns = offers.finding.target.name, offers.finding.other
        words: object = rare[:4] if patterns.most > 1 else rare[0]
        calls.append(
            PastCall(number, offers.finding.tool, {target: ranked[0].candidate.reference, patterns.name: words})
        )
    return calls


def _sure(ranked: Sequence[RankedSentence]) -> bool:
    return bool(ranked) and ranked[0].covered >= SURE
