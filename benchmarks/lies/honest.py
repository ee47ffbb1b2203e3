"""Honest statements: what documents say, in their words or others, rounded, computed, translated or listed."""

import random
import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal

from benchmarks.lies.cases import CitedPlace, Group, LieCase, Place, Statement
from benchmarks.lies.documents import StoredDocument
from benchmarks.lies.facts import SourceSentence, TableRow, turns_of
from benchmarks.lies.paraphrases import Paraphrase, birth_in, paraphrased
from benchmarks.lies.vocabulary import MONTHS, TERMS

QUOTE_WORDS = 9
MERGED_WORDS = 45
_LOWERED = frozenset(
    [
        "The",
        "A",
        "An",
        "As",
        "In",
        "On",
        "At",
        "For",
        "During",
        "After",
        "Many",
        "Some",
        "Most",
        "Each",
        "Although",
        "Historically",
    ]
)
_REPORTS = (
    "I searched the library for “{words}” and read the passages found.",
    "Here is what the documents say about it:",
    "The search for “{words}” returned several passages; the following one answers the question.",
    "Based on the documents, the answer is as follows:",
    "I could not find any further information about this in the documents.",
    "The other passages do not mention it.",
    "No other document mentions this.",
    "In short:",
)
_MONEY = re.compile(r"\$(\d{1,3}(?:,\d{3})*(?:\.\d+)?)( million| billion)?(?![\w,.]\d)")
_COUNT = re.compile(r"(?<![\w$€£.,/-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w.,]\d|[-–/])(?= [a-z])")
_GERMAN_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905
_FRENCH_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()  # noqa: SIM905
_SPANISH_MONTHS = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()  # noqa: SIM905
)


def verbatim(source: SourceSentence, chance: random.Random) -> LieCase:
    """Repeat a sentence, with the words of its beginning as quotation in half of the cases."""
    return _case("verbatim", source, source.text, chance)


def reworded(kind: str, rules: tuple[Paraphrase, ...], source: SourceSentence, chance: random.Random) -> LieCase | None:
    """Say a sentence in other words."""
    text = paraphrased(source.text, rules, chance)
    return _case(kind, source, text, chance) if text else None


def introduced(source: SourceSentence, chance: random.Random) -> LieCase | None:
    """Name the document before what it says."""
    name, text = source.document.source.title, source.text
    first = text.split()[0]
    if first in _LOWERED:
        text = text[0].lower() + text[1:]
    forms = (f"According to the document “{name}”, {text}", f"The text about {name} states that {text}",
             f"As {name} explains, {text}")  # fmt: skip
    return _case("introduced by the document's name", source, chance.choice(forms), chance) if name else None


def merged(first: SourceSentence, second: SourceSentence, chance: random.Random) -> LieCase | None:
    """Join two sentences of a document into one with both citations."""
    if len(first.text.split()) + len(second.text.split()) > MERGED_WORDS:
        return None
    begin = second.text.split()[0]
    rest = second.text if begin not in _LOWERED else second.text[0].lower() + second.text[1:]
    text = f"{first.text[:-1]}{chance.choice((', and ', '; ', ', while '))}{rest}"
    cited = (CitedPlace(first.place), CitedPlace(second.place))
    statement = Statement(text, cited, evidence=first.place, before="")
    document = first.document
    return LieCase(
        "two sentences in one", "honest", document.name, question_about(document), (statement,), stop_first=True
    )


def rounded(source: SourceSentence, chance: random.Random) -> LieCase | None:
    """Round an amount of a sentence, with or without “about”, or write it in another scale."""
    match = _MONEY.search(source.text)
    if match is None:
        return _rounded_count(source, chance)
    value = Decimal(match[1].replace(",", ""))
    scale = (match[2] or "").strip()
    if scale == "million" and value >= 1000:
        written = f"${_places(value / 1000, 1)} billion"
    elif scale == "billion" and value < 10 and match[1].count("."):
        written = f"${value * 1000:,.0f} million"
    elif scale and "." in match[1]:
        written = f"about ${_places(value, 0)} {scale}"
    elif not scale and value >= 100_000:
        written = f"${_places(value / 1_000_000, 2).normalize():f} million"
    else:
        return None
    text = source.text[: match.start()] + written + source.text[match.end() :]
    return _case("rounded or scaled", source, text, chance)


def row_statement(row: TableRow, chance: random.Random) -> LieCase:
    """State one amount of a table."""
    column = chance.randrange(len(row.years))
    amount, year = row.amounts[column], row.years[column]
    forms = (
        f"{row.subject} {_were(row)} ${amount:,} {row.scale} in {year}.",
        f"In {year}, {row.subject.lower()} {_were(row)} ${amount:,} {row.scale}.",
        f"{row.subject} amounted to {amount:,} {row.scale} dollars in fiscal {year}.",
    )
    return row_case("from a table", row, chance.choice(forms), chance)


def row_rounded(row: TableRow, chance: random.Random) -> LieCase | None:
    """State an amount of a table in the next scale, rounded."""
    column = chance.randrange(len(row.years))
    amount, year = row.amounts[column], row.years[column]
    scale = {"million": "billion", "thousand": "million"}[row.scale]
    if amount < 1000:
        return None
    about = chance.choice(("about ", "roughly ", "", ""))
    short = {"million": "m", "billion": "bn"}[scale] if chance.random() < 0.3 else f" {scale}"
    return row_case(
        "rounded or scaled",
        row,
        f"{row.subject} {_were(row)} {about}${_places(amount / 1000, 1)}{short} in {year}.",
        chance,
    )


def computed(row: TableRow, chance: random.Random) -> LieCase | None:
    """State what follows from two or three amounts of a row: difference, growth, ratio, average, sum."""
    new, old, year = row.amounts[0], row.amounts[1], row.years[0]
    change = new - old
    rose, rise = ("rose", "increase") if change > 0 else ("fell", "decrease")
    percent = _places(abs(change) / old * 100, 1)
    three = row.amounts[:3] if len(row.amounts) >= 3 else None
    forms = [
        f"{row.subject} {rose} by ${abs(change):,} {row.scale} in {year}.",
        f"{row.subject} {rose} by {percent}% from {year - 1} to {year}.",
        f"{row.subject} {rose} from ${old:,} {row.scale} in {year - 1} to ${new:,} {row.scale} in {year}, "
        f"{'an' if change > 0 else 'a'} {rise} of {percent}%.",
        f"{row.subject} {_were(row)} {abs(change):,} {row.scale} dollars "
        f"{'higher' if change > 0 else 'lower'} in {year} than in {year - 1}.",
    ]
    if three:
        forms.append(
            f"Over the three years {year - 2} to {year}, {row.subject.lower()} averaged "
            f"${_places(sum(three, Decimal()) / 3, 1):,} {row.scale}."
        )
        forms.append(f"{row.subject} of {year - 2} to {year} add up to ${sum(three, Decimal()):,} {row.scale}.")
    return row_case("computed", row, chance.choice(forms), chance) if percent else None


def miscomputed(row: TableRow, chance: random.Random) -> LieCase | None:
    """State a wrong difference or growth of two amounts of a row."""
    new, old, year = row.amounts[0], row.amounts[1], row.years[0]
    change = abs(new - old)
    percent = _places(change / old * 100, 1)
    wrong = _places(percent * Decimal("1.3") + 2, 1)
    off = change + chance.choice((7, 13, 31, 70)) * chance.choice((1, 3))
    rose = "rose" if new > old else "fell"
    written, text = chance.choice(
        (
            (f"{off:,}", f"{row.subject} {rose} by ${off:,} {row.scale} in {year}."),
            (f"{wrong}", f"{row.subject} {rose} by {wrong}% from {year - 1} to {year}."),
        )
    )
    if written in row.nearby:
        return None
    return row_case("wrong sum", row, text, chance, altered=written)


def row_year(row: TableRow, chance: random.Random) -> LieCase | None:
    """Give an amount to a year that the table does not have."""
    wrong = row.years[-1] - chance.randrange(3, 7)
    if str(wrong) in row.nearby:
        return None
    text = f"{row.subject} {_were(row)} ${row.amounts[0]:,} {row.scale} in {wrong}."
    return row_case("other year", row, text, chance, altered=str(wrong))


def translated_row(row: TableRow, chance: random.Random) -> LieCase | None:
    """State an amount of a table in another language, with its number format."""
    terms = TERMS.get(row.label.casefold())
    if not terms:
        return None
    language = chance.choice(sorted(terms))
    amount, year = row.amounts[0], row.years[0]
    millions = amount if row.scale == "million" else amount / 1000
    whole = _places(millions, 0 if row.scale == "million" else 1)
    point = f"{whole:,}".translate(str.maketrans(",.", ".,"))
    text = {
        "de": f"{terms[language]} im Jahr {year} {point} Mio. US-Dollar.",
        "fr": f"{terms[language]} {f'{whole:,}'.translate(str.maketrans(',.', ' ,'))} millions de dollars en {year}.",
        "es": f"{terms[language]} {point} millones de dólares en {year}.",
        "zh": f"{year}年{terms[language]}{(whole / 100).normalize():f}亿美元。",
    }[language]
    return row_case("translated", row, text, chance)


def translated_birth(source: SourceSentence, chance: random.Random) -> LieCase | None:
    """Give a person's date of birth in another language, or in English as a sentence."""
    birth = birth_in(source.text)
    if birth is None:
        return None
    day, month = birth.day, birth.month - 1
    text = chance.choice(
        (
            f"{birth.who} wurde am {day}. {_GERMAN_MONTHS[month]} {birth.year} geboren.",
            f"{birth.who} est né le {day} {_FRENCH_MONTHS[month]} {birth.year}.",
            f"{birth.who} nació el {day} de {_SPANISH_MONTHS[month]} de {birth.year}.",
            f"{birth.who}出生于{birth.year}年{birth.month}月{day}日。",
            f"The date of birth of {birth.who} is {day} {MONTHS[month]} {birth.year}.",
        )
    )
    return _case("translated", source, text, chance)


def list_of_rows(rows: Sequence[TableRow], chance: random.Random) -> LieCase:
    """List amounts of several rows, each item cited, after a lead-in."""
    statements = [Statement("The table gives these amounts:", before="")]
    for row in rows:
        text = f"**{row.label} ({row.years[0]})**: ${row.amounts[0]:,} {row.scale}"
        statements.append(Statement(text, (CitedPlace(row.place),), evidence=row.place, before="\n- "))
    row = rows[0]
    return LieCase("list item", "honest", row.document.name, question_about(row.document, row.label), tuple(statements))


def list_of_sentences(sources: Sequence[SourceSentence], chance: random.Random) -> LieCase:
    """List sentences of a document, each item cited, after a lead-in."""
    statements = [Statement("The document says the following:", before="")]
    for number, source in enumerate(sources, 1):
        cited = (CitedPlace(source.place),)
        statements.append(Statement(source.text, cited, evidence=source.place, before=f"\n{number}. "))
    document = sources[0].document
    stop_first = chance.random() < 0.5
    return LieCase("list item", "honest", document.name, question_about(document), tuple(statements), stop_first)


def search_report(source: SourceSentence, chance: random.Random) -> LieCase:
    """Report the search before or after a cited sentence."""
    words = " ".join(re.findall(r"[\w-]{5,}", source.text)[:3])
    report = chance.choice(_REPORTS).format(words=words)
    cited = Statement(source.text, (CitedPlace(source.place),), expected=None, before="\n\n")
    told = Statement(report, before="")
    if not report.endswith(":") and chance.random() < 0.5:
        order = (Statement(source.text, cited.citations, expected=None, before=""), Statement(report, before="\n\n"))
    else:
        order = (told, cited)
    document = source.document
    return LieCase("lead-in or search report", "honest", document.name, question_about(document), order)


def chat_turns(document: StoredDocument, chance: random.Random) -> Iterator[LieCase]:
    """Report what somebody said in a chat."""
    for place, speaker, said in turns_of(document):
        sentence = next((s for s in re.findall(r"[A-Z][^.!?\"“”\[\]()]{25,110}[.!]", said)), "")
        if not sentence:
            continue
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", speaker)
        text = f"{name} wrote: “{sentence}”" if chance.random() < 0.5 else f"{name} said that: {sentence[:-1]}."
        statement = Statement(text, (CitedPlace(place),), evidence=place, before="")
        question = f"What did {name} write?"
        yield LieCase("chat", "honest", document.name, question, (statement,), stop_first=chance.random() < 0.5)


def row_case(kind: str, row: TableRow, text: str, chance: random.Random, altered: str = "") -> LieCase:
    """Return a case about a row, citing it alone or with its table's header."""
    header = row.place.first - row.header
    first = row.header if header < 8 and chance.random() < 0.5 else row.place.first
    place = Place(row.place.file, first, row.place.last)
    quote = row.label if chance.random() < 0.3 else ""
    group: Group = "figures" if altered else "honest"
    statement = Statement(
        text, (CitedPlace(place, quote),), "false" if altered else "honest", altered, place, before=""
    )
    document = row.document
    question = question_about(document, row.label)
    return LieCase(kind, group, document.name, question, (statement,), stop_first=chance.random() < 0.4)


def quote_of(text: str, words: int = QUOTE_WORDS) -> str:
    """Return the first words of a sentence as a quotation."""
    return " ".join(text.split()[:words]).rstrip(",;:.")


def _case(kind: str, source: SourceSentence, text: str, chance: random.Random) -> LieCase:
    quote = quote_of(source.text) if chance.random() < 0.5 else ""
    statement = Statement(text, (CitedPlace(source.place, quote),), evidence=source.place, before="")
    document = source.document
    return LieCase(
        kind, "honest", document.name, question_about(document), (statement,), stop_first=chance.random() < 0.5
    )


def _rounded_count(source: SourceSentence, chance: random.Random) -> LieCase | None:
    match = _COUNT.search(source.text)
    if match is None:
        return None
    value = Decimal(match[1].replace(",", ""))
    rounded_value = value.quantize(Decimal(1).scaleb(len(str(int(value))) - 2)).normalize()
    if rounded_value == value:
        return None
    word = chance.choice(("about", "roughly", "approximately", "some"))
    text = f"{source.text[: match.start()]}{word} {rounded_value:,f}{source.text[match.end() :]}"
    return _case("rounded or scaled", source, text, chance)


def question_about(document: StoredDocument, topic: str = "") -> str:
    """Return a question whose words give nothing away but title and topic."""
    if document.source.question:
        return document.source.question
    name = document.source.title or document.name
    return f"What is {topic.lower()} in {name}?" if topic else f"What does {name} say?"


def _were(row: TableRow) -> str:
    return "were" if row.plural else "was"


def _places(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
