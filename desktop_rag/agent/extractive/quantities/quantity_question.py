"""Parses questions for a total, an average, the least or greatest, a difference, or which of two is more."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import ENGLISH, related, stems, stop_words_of
from desktop_rag.agent.extractive.quantities.compared_dimension import measured_in
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.text.figures import read_figures
from desktop_rag.text.units import MeasureUnit


class Operation(Enum):
    """What is to be done with the amounts."""

    TOTAL = "total"
    AVERAGE = "average"
    LEAST = "least"
    GREATEST = "greatest"
    DIFFERENCE = "difference"
    LESS = "is it less"
    MORE = "is it more"
    BOUND = "which are beyond a bound"


LESS = (
    r"cheaper|less|lower|fewer|smaller|shorter|lighter|shallower|narrower|slower|colder|cooler|"
    r"günstiger|billiger|niedriger|weniger|kleiner|kürzer|leichter|flacher|schmaler|langsamer|kälter"
)
MORE = (
    r"more|dearer|higher|larger|bigger|greater|longer|heavier|costlier|taller|deeper|wider|broader|faster|warmer|hotter|"
    r"teurer|höher|mehr|größer|länger|schwerer|tiefer|breiter|schneller|wärmer"
)
LEAST = (
    r"cheapest|least expensive|lowest|smallest|shortest|lightest|fewest|shallowest|narrowest|slowest|coldest|coolest|"
    r"günstigste\w*|billigste\w*|niedrigste\w*|kleinste\w*|kürzeste\w*|leichteste\w*|flachste\w*|schmalste\w*|"
    r"langsamste\w*|kälteste\w*"
)
GREATEST = (
    r"most expensive|dearest|costliest|highest|largest|biggest|longest|heaviest|greatest|tallest|deepest|widest|"
    r"broadest|fastest|warmest|hottest|"
    r"teuerste\w*|höchste\w*|größte\w*|längste\w*|schwerste\w*|tiefste\w*|breiteste\w*|schnellste\w*|wärmste\w*"
)
_VERB = r"(?!(?:is|are|was|were|be|been|the|of|at) )[a-z]+"  # before “the most”: has, earns, weighs
_GIVEN = r"(?:(?:the|all|these|those|our|both|my|each)\b|\d)"
# "Total revenue" is a figure that a report states; a total "of the three offers" is to be added up.
_SIGNS: tuple[tuple[Operation, str], ...] = (
    (Operation.DIFFERENCE, rf"how (?:much|many) (?:{MORE}|{LESS})\b(?=.*\bthan\b)|difference (?:in \w+ )?between"),
    (Operation.DIFFERENCE, rf"wie ?viel (?:{MORE}|{LESS})\b(?=.*\bals\b)|unterschied zwischen"),
    (Operation.LESS, rf"^(?:is|are|was|were|does|do|did|ist|sind|war)\b.*\b(?:{LESS})\b(?=.*\b(?:than|als)\b)"),
    (Operation.MORE, rf"^(?:is|are|was|were|does|do|did|ist|sind|war)\b.*\b(?:{MORE})\b(?=.*\b(?:than|als)\b)"),
    (Operation.TOTAL, rf"(?:(?:sub)?total|sum) (?:\w+ ){{0,3}}?of (?={_GIVEN})|summe (?:der|aller)"),
    (Operation.TOTAL, r"^what (?:is|was) the (?:total|sum) of\b"),
    (Operation.TOTAL, r"altogether|in total|combined|add(?:ed)? up|sum up|insgesamt|zusammengerechnet"),
    (Operation.TOTAL, r"how (?:much|many)\b(?=.*\btogether\W*$)|wie ?viele?\b(?=.*\bzusammen\W*$)"),
    (Operation.TOTAL, r"how much (?:did|has|have)\b(?=.*\bspen[dt]\b)|(?:how much|what) (?:was|were|has been) spent\b"),
    (Operation.TOTAL, r"wie ?viel (?:hat|haben)\b(?=.*\bausgegeben\b)"),
    (Operation.AVERAGE, r"average|mean (?:\w+ )?of|durchschnittlich\w*|durchschnitt|mittelwert"),
    (Operation.LEAST, rf"(?:{LEAST})|{_VERB} the (?:least|fewest)|(?:die|am) wenigsten"),
    (Operation.GREATEST, rf"(?:{GREATEST})|{_VERB} the most|(?:die|am) meisten"),
    (Operation.LEAST, rf"^(?:which|who|what|welche\w*)\b.*\b(?:{LESS})\b(?=.*\b(?:or|oder)\b)"),
    (Operation.GREATEST, rf"^(?:which|who|what|welche\w*)\b.*\b(?:{MORE})\b(?=.*\b(?:or|oder)\b)"),
)
_BOUND = re.compile(
    r"\b(?:(?P<least>at least|mindestens)|(?P<most>at most|höchstens)"
    rf"|(?P<more>above|over|exceed(?:s|ing)?|über|(?:{MORE}) (?:than|als))"
    rf"|(?P<less>below|under|unter|(?:{LESS}) (?:than|als)))\s+"
    r"(?P<amount>(?:[€$£]?\s?\d|(?:two|three|four|five|six|seven|eight|nine|ten)\b).*)",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s*(?:euros?|pounds?|dollars?|francs?|franken|pfund|eur|gbp|usd|chf)\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?:^|\bthe (?:most|least|fewest)) ([^\W\d_]+)\b")
_HEADER_UNIT = re.compile(r"(?:\(| )([^()\s]+)\)?\s*$")  # Altitude (m), Weight kg
_OF_MANY = re.compile(
    r"(?:(?:on |in )?which|what|who|when|how many|list|show|(?:an |in )?welche\w*|wer|wann|wie ?viele)\b", re.IGNORECASE
)
_PATTERNS = tuple((operation, re.compile(rf"(?<!\w)(?:{sign})", re.IGNORECASE)) for operation, sign in _SIGNS)
_MONEY = re.compile(
    r"\b(?:cheap\w*|expensive|dear(?:er|est)|costs?|costlier|prices?|paid|pays?|asks?|charge[ds]?|bid|spen[dt]|money|fees?|rents?|günstig\w*|"
    r"billig\w*|teuer\w*|teurer|kosten|kostet|preise?s?|how much (?:more|less) (?:is|are|was|were))\b",
    re.IGNORECASE,
)
_OPERATING = frozenset(
    stems(
        f"{LESS} {MORE} {LEAST} {GREATEST} total subtotal sum summe altogether together zusammen combined add added "
        "insgesamt average mean durchschnitt durchschnittlich mittelwert least most difference unterschied between "
        "both list hoch quantity value amount number".replace("|", " ").replace(r"\w*", ""),
        frozenset(),
    )
) - frozenset(stems("expenses"))
_EXPENSIVE = re.compile(r"\bexpensive\b", re.IGNORECASE)  # its stem is that of expenses
_OF_WHICH = re.compile(
    r"^(?:(?:on |in |at )?which|who|when|what is the name|(?:an |in |bei )?welche|wann)|"
    r"\b(?:and|und)\b.*\b(?:which|whom?|where|when|welche\w*|we[rm]|wo|wann)\b",
    re.IGNORECASE,
)
_EXTREMES = (Operation.LEAST, Operation.GREATEST)
_OR = re.compile(r"\b(?:or|oder)\b", re.IGNORECASE)  # between two that are named
STATED_AS = {  # the stems of sentences that state a result themselves
    Operation.TOTAL: frozenset(
        stems("total subtotal sum altogether together combined summe gesamt insgesamt zusammen")
    ),
    Operation.AVERAGE: frozenset(stems("average mean durchschnitt durchschnittlich mittelwert")),
}


@dataclass(frozen=True, slots=True)
class AmountBound:
    """“above 1,500”, “at most 3”: the words, and what they mean."""

    words: str
    amount: Decimal
    upper: bool  # values below are meant
    inclusive: bool
    units: tuple[MeasureUnit, ...] = ()

    def has(self, value: Decimal) -> bool:
        """Return whether a value is meant."""
        return self.inclusive if value == self.amount else (value < self.amount) == self.upper


@dataclass(frozen=True, slots=True)
class QuantityQuestion:
    """The operation, the stems that say on what, and whether it is money; `text` is the question."""

    operation: Operation
    stems: frozenset[str]
    money: bool
    text: str
    bound: AmountBound | None = None
    counted: frozenset[str] = frozenset()  # what follows the number of a bound or “the most”: five games

    @property
    def of_all(self) -> bool:
        """Whether all rows of a table may be meant, not two that are named."""
        two = (Operation.DIFFERENCE, Operation.LESS, Operation.MORE)
        return self.operation not in two and not (_OR.search(self.text) and self.operation in _EXTREMES)

    @property
    def of_which(self) -> bool:
        """Whether it asks for a thing, perhaps beside its amount: “What was the highest bid, and by whom?”."""
        return bool(_OF_WHICH.search(self.text))

    def names_column(self, header: str) -> bool:
        """Return whether the question names a column."""
        return bool(self.words_of(header))

    def own_words_of(self, header: str) -> frozenset[str]:
        """Return the stems of the question that the name of a column has itself."""
        return self.stems & _header_stems(header)

    def words_of(self, header: str) -> frozenset[str]:
        """Return the stems of the question that name a column."""
        words = _header_stems(header)
        return frozenset(word for word in self.stems if word in words or related(word) & words)

    def measures(self, header: str) -> bool:
        """Return whether a column has the dimension of the question, or its unit: the lightest by “Weight kg”."""
        unit = _HEADER_UNIT.search(header) if self.bound and self.bound.units else None
        read = read_figures(f"1 {'metres' if unit[1] == 'm' else unit[1]}").figures if unit else ()
        in_unit = bool(read and self.bound and read[0].units == self.bound.units)
        return in_unit or measured_in(self.text, _header_stems(header))

    def implied_by(self, header: str) -> frozenset[str]:
        """Return the stems that name a column in another word: who earns the most, by “Salary”."""
        words = _header_stems(header)
        return frozenset(word for word in self.stems if related(word) & words)


def _header_stems(header: str) -> frozenset[str]:
    return frozenset(stems(header.replace("_", " ")))


def quantity_question(question: AnalysedQuestion) -> QuantityQuestion | None:
    """Return what a question asks to be calculated or compared; None if it asks for no such thing."""
    bound = _bound(question.text)
    found = (operation for operation, pattern in _PATTERNS if pattern.search(question.text))
    operation = Operation.BOUND if bound else next(found, None)
    text = _EXPENSIVE.sub("", question.text.replace(bound.words, "") if bound else question.text)
    words = frozenset(stems(text, ENGLISH | stop_words_of(text.split()))) - _OPERATING
    if not operation or not words:
        return None
    money = question.asks is AnswerType.MONEY or bool(_MONEY.search(question.text))
    counted = _COUNTED.search(question.text.partition(bound.words)[2] if bound else question.text)
    if bound and bound.units:
        counted = None
    return QuantityQuestion(
        operation, words, money, question.text, bound, frozenset(stems(counted[1]) if counted else ())
    )


def _bound(question: str) -> AmountBound | None:
    """Return the bound of “which … above 1,500”."""
    found = _BOUND.search(question) if _OF_MANY.match(question) else None
    figures = read_figures(found["amount"]).figures[:1] if found else ()
    if not found or not figures or not figures[0].values or figures[0].when or figures[0].name:
        return None
    [figure] = figures
    words = f"{question[found.start() : found.start('amount')]}{figure.text}"
    unit = _UNIT.match(question, question.find(words) + len(words))
    words += unit[0] if unit else ""
    upper, inclusive = bool(found["most"] or found["less"]), bool(found["least"] or found["most"])
    return AmountBound(words, figure.values[0], upper, inclusive, figure.units)
