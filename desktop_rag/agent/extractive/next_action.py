"""Plans the next tool calls: list documents, search, read, search again if the result is poor, read more."""

import json
from collections.abc import Mapping, Sequence

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.offered_tools import DocumentOffer, SearchOffer, ToolOffers
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.run_state import EVERY, PlannedCall, RunPhase, RunState, call_id
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.agent.tools.query_phrasing import plain_query
from desktop_rag.llm.chat import ToolCall
from desktop_rag.stop import Stop

READ = 6  # passages read after the first searches
READ_EACH = 4  # the same for each of several questions
MAX_READ = 10
MAX_OPENED = 3  # documents, if they can only be opened
LINES_ABOVE = 10  # the line that was found, at which a document is opened
MAX_PHRASINGS = 2  # if a tool takes one query per call
RESULTS = 10  # of a search: ranking is cheap here, a missed passage is not
MODE_WEIGHTS = {"linked": 2.0, "semantic": 1.0, "exact": 0.5}  # of the ranks of a search
NAMED = 4.0  # weight of a search in the documents that the question names, if they are long
NAMED_SHORT = 0.5  # the same if they are short, which are read whole anyway
LONG = 5  # passages
MIN_FIT, MIN_FIT_SHARE = 0.4, 0.85  # of a named document: its match score, and its share of the best score
MAX_DOCUMENTS = 3
SURE = 0.8  # share of a question in and around a sentence at which the search ends


def next_calls(state: RunState, offers: ToolOffers, stop: Stop) -> list[tuple[str, PlannedCall]]:
    """Return the calls to make now with their ids; none when it is time to answer."""
    if not any(question.words and not is_small_talk(question.text) for question in state.questions):
        return []
    phases = list(RunPhase)
    for phase, plan in zip(phases, _PLANS, strict=True):
        if any(state.reached(later) for later in phases[phase:]):
            continue
        planned = plan(state.before(phase), offers, stop)
        named = [(call_id(phase, index, call.question), call) for index, call in enumerate(planned, 1)]
        if waiting := [(name, call) for name, call in named if not state.done(name)]:
            return waiting
    return []


def as_call(name: str, call: PlannedCall) -> ToolCall:
    """Return the tool call of a planned call."""
    return ToolCall(name, call.tool, json.dumps(call.arguments, ensure_ascii=False))


def _list_documents(state: RunState, offers: ToolOffers, stop: Stop) -> list[PlannedCall]:
    """List the documents that the names, dates and years of a question may refer to."""
    stop.check()
    if not offers.listing:
        return []
    words = [(number, document_words(state.questions[number - 1])) for number in state.numbers]
    listing = offers.listing
    return [PlannedCall(number, listing.tool, {listing.target.name: query}) for number, query in words if query]


def _search(state: RunState, offers: ToolOffers, stop: Stop) -> list[PlannedCall]:
    """Search for each question with every search tool: by words, meaning and links, and in the documents it names."""
    stop.check()
    return [
        call
        for number in state.numbers
        for offer in offers.searching
        for call in _first_searches(state, number, offer, offers.listing)
    ]


def _first_searches(
    state: RunState, number: int, offer: SearchOffer, listing: DocumentOffer | None
) -> list[PlannedCall]:
    question = state.questions[number - 1]
    queries = phrasings(question)
    if not queries:
        return []
    if offer.words:
        return _search_calls(number, offer, keywords(question, offer.queries.most))
    calls = _search_calls(number, offer, queries[:1] if "linked" in offer.modes else queries, "linked", "hybrid")
    if "semantic" in offer.modes:
        calls += _search_calls(number, offer, queries[:1], "semantic")
    if question.codes and "exact" in offer.modes:
        calls += _search_calls(number, offer, [plain_query(code) for code in question.codes], "exact")
    documents = _named_documents(state, number, listing) if offer.within and listing else {}
    if offer.within and documents:
        inside = [*_search_calls(number, offer, queries[1:2] or queries, "hybrid")]
        if "semantic" in offer.modes:
            inside += _search_calls(number, offer, [about(question) or queries[0]], "semantic")
        for call in inside:
            call.arguments[offer.within.name] = list(documents)
        calls += inside
    return calls


def _named_documents(state: RunState, number: int, listing: DocumentOffer) -> dict[str, str]:
    """Return references to the documents that match the question's names best, with their file names."""
    question = state.questions[number - 1]
    found = [each for result in state.of(number) if result.name == listing.tool for each in result.evidence]
    best = max((each.score for each in found), default=0.0)
    fitting = [each for each in found if each.score >= MIN_FIT_SHARE * best]
    if best < MIN_FIT:  # the words are no names of documents, or only some of them are
        names = [words for name in question.names if (words := set(stems(name)))]
        fitting = [each for each in fitting if any(words <= set(stems(each.file.replace("_", " "))) for words in names)]
    return {each.reference: each.file for each in fitting[:MAX_DOCUMENTS]}


def _search_calls(number: int, offer: SearchOffer, queries: Sequence[str], *modes: str) -> list[PlannedCall]:
    """Return one call with all queries; if the tool takes a single query, a call for each of the first two."""
    mode = next((mode for mode in modes if mode in offer.modes), "")
    rest: dict[str, object] = {"mode": mode} if mode else {}
    if offer.limit:
        rest[offer.limit.name] = RESULTS
    if offer.any_word:
        rest[offer.any_word.name] = next(word for word in offer.any_word.choices if word.lower() == "or")
    if offer.queries.most > 1:
        return [PlannedCall(number, offer.tool, {offer.queries.name: list(queries[: offer.queries.most]), **rest})]
    return [PlannedCall(number, offer.tool, {offer.queries.name: query, **rest}) for query in queries[:MAX_PHRASINGS]]


def _read(state: RunState, offers: ToolOffers, stop: Stop) -> list[PlannedCall]:
    """Read the passages that the searches rank highest."""
    stop.check()
    return _reading_calls(state, offers, READ_EACH if len(state.questions) > 1 else READ)


def _read_more(state: RunState, offers: ToolOffers, stop: Stop) -> list[PlannedCall]:
    """Read more passages after the second search."""
    stop.check()
    return _reading_calls(state, offers, MAX_READ)


def _reading_calls(state: RunState, offers: ToolOffers, count: int) -> list[PlannedCall]:
    searches = offers.searches
    read = [evidence for result in state.results if result.name not in searches for evidence in result.evidence]
    known = {evidence.reference for evidence in read if evidence.lines}
    best: dict[str, int] = {}  # reference → line at which to open it
    for number in state.numbers:
        ranked = [(name, line) for name, line in rank_results(state, number, offers) if name not in known]
        best |= dict(ranked[:count])
    names = list(best)[: MAX_READ - len(known)]
    if offers.reading and names:
        target, tool = offers.reading.target, offers.reading.tool
        if target.most > 1:
            return [PlannedCall(EVERY, tool, {target.name: names[: target.most]})]
        return [PlannedCall(EVERY, tool, {target.name: name}) for name in names]
    if offers.opening and offers.opening.other:
        document, place = offers.opening.target.name, offers.opening.other.name
        places: list[dict[str, object]] = [
            {document: name, place: max(best[name] - LINES_ABOVE, 1)} for name in names[:MAX_OPENED]
        ]
        return [PlannedCall(EVERY, offers.opening.tool, where) for where in places]
    return []


def rank_results(state: RunState, number: int, offers: ToolOffers) -> list[tuple[str, int]]:
    """Fuse the results of all searches for one question: (reference, first line shown), best first."""
    scores: dict[str, float] = {}
    first: dict[str, int] = {}
    for result in state.of(number):
        if result.name not in offers.searches:
            continue
        weight = _weight(state.arguments(result), offers, len(result.evidence))
        for index, evidence in enumerate(result.evidence):
            scores[evidence.reference] = scores.get(evidence.reference, 0.0) + weight / (1 + index) ** 0.5
            first.setdefault(evidence.reference, evidence.first_line)
    return [(name, first[name]) for name in sorted(scores, key=lambda name: -scores[name])]


def _is_within(arguments: Mapping[str, object], offers: ToolOffers) -> bool:
    """Return whether a call searched inside of named documents."""
    return any(offer.within and offer.within.name in arguments for offer in offers.searching)


def _weight(arguments: Mapping[str, object], offers: ToolOffers, found: int) -> float:
    """Return the weight of a search's ranks; a search within long documents finds what reading them would miss."""
    if _is_within(arguments, offers):
        return NAMED if found >= LONG else NAMED_SHORT
    mode = arguments.get("mode")
    return MODE_WEIGHTS.get(mode, 1.0) if isinstance(mode, str) else 1.0


def _search_again(state: RunState, offers: ToolOffers, stop: Stop) -> list[PlannedCall]:
    """Search literally for the names of a question and for its words that nothing read so far has."""
    literal = next((offer for offer in offers.searching if offer.words or "exact" in offer.modes), None)
    calls: list[PlannedCall] = []
    for number in state.numbers:
        question, ranked = state.questions[number - 1], state.ranked(number, stop)
        if literal and not (ranked and ranked[0].covered >= SURE):
            read = {word for found in ranked for word in found.candidate.stems}
            missing = [word for word in question.words if not set(stems(word)) & read]
            rare = missing or sorted(question.words, key=len, reverse=True)
            literals = [query for word in (*question.names, *rare)[:3] if (query := plain_query(word))]
            calls += _search_calls(number, literal, literals or [plain_query(question.text)], "exact")
    return calls


_PLANS = (_list_documents, _search, _read, _search_again, _read_more)
KEYWORD_WORDS = 3  # of a keyword (A-RAG)


def phrasings(question: AnalysedQuestion) -> list[str]:
    """Return the question, its content words, and its names as queries; pronouns are resolved by its context."""
    context = question.context if question.leans else ()  # "And when did he die?" needs the name from before
    queries = [plain_query(" ".join((text, *context))) for text in (question.text, " ".join(question.words))]
    if question.names:
        queries.append(plain_query(" ".join((*question.names, *question.numbers))))
    return list(dict.fromkeys(query for query in queries if query))


def keywords(question: AnalysedQuestion, most: int) -> list[str]:
    """Return names and then content words, the longest first, for a literal search."""
    names = [" ".join(name.split()[:KEYWORD_WORDS]) for name in question.names]
    words = sorted(question.words, key=len, reverse=True)
    return list(dict.fromkeys(plain_query(word) for word in (*names, *words) if plain_query(word)))[:most]


def document_words(question: AnalysedQuestion) -> str:
    """Return the names and numbers of a question: words that names of documents may have."""
    return plain_query(" ".join((*question.names, *question.numbers))) if question.names else ""


def about(question: AnalysedQuestion) -> str:
    """Return the words of a question without names and numbers: the query inside a document that is about them."""
    named = {word for name in question.names for word in name.split()}
    return plain_query(" ".join(word for word in question.words if word not in named and not word.isdigit()))
