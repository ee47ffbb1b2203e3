"""The calculation tool: items with subtotals and a total, or one expression, in exact decimals."""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException, Inexact, localcontext
from functools import reduce

from desktop_rag.agent.citations.calculations import Sum
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, strings
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, text_parameter, tool_spec
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

# Exact decimal arithmetic: amounts as people write them, and expressions, which are parsed and never run as code.

MAX_EXPRESSION = 1_000  # characters of an expression
MAX_DEPTH = 60
DIGITS = 40
_MAX_EXPONENT = 1_000
_SIGNIFICANT = 12  # significant digits shown of a result with too many
_SIGNS = re.compile(r"[\s\u00a0\u202f'’_]|€|\$|£|¥|\b(?:EUR|USD|GBP|CHF|JPY)\b", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})+(?:(?!\1)[.,]\d+)?")
_PLAIN = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?")
_COMMAS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)")  # thousands inside an expression
_AMBIGUOUS = re.compile(rf"\b(?!abs|sqrt)[a-z]+\([^()]*{_COMMAS.pattern}[^()]*\)", re.IGNORECASE)  # sum(900,611)
_SIGNS_KEEP_SPACES = re.compile(r"[€$£¥'’_]|(?<=\d)[\u00a0\u202f](?=\d)")
_TIMES = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "*", ":": "/"})


class ArithmeticFault(Exception):
    """An invalid calculation; the message says why."""


def amount(text: str) -> Decimal:
    """Return the number in “$1,234.50”, “1.234,50 €”, “-12 %” or “(3.5)”, accounting notation for -3.5."""
    plain = _SIGNS.sub("", text).strip()
    negative = plain.startswith("(") and plain.endswith(")")
    plain = plain.strip("()")
    percent = plain.endswith("%")
    plain = plain.rstrip("%")
    if grouped := _GROUPED.fullmatch(plain):
        sign = grouped[1]
        if sign == "," or plain.count(".") > 1 or "," in plain:  # one point alone is a decimal point
            plain = plain.replace(sign, "").replace(",", ".")
    if not _PLAIN.fullmatch(plain):
        raise ArithmeticFault(f"“{text.strip()[:40]}” is not a number")
    number = Decimal(plain.replace(",", "."))
    return (-number if negative else number) / (100 if percent else 1)


def evaluate(expression: str) -> Decimal:
    """Evaluate an expression of + - * / ** % ( ) and sum, min, max, avg, round, abs, sqrt."""
    if len(expression) > MAX_EXPRESSION:
        raise ArithmeticFault(f"the expression is longer than {MAX_EXPRESSION:,} characters")
    if (call := _AMBIGUOUS.search(expression)) and ", " not in call[0]:
        raise ArithmeticFault(f"“{call[0]}” has two readings; write “, ” between values and 1234 for 1,234")
    text = _COMMAS.sub(lambda number: number[0].replace(",", ""), _SIGNS_KEEP_SPACES.sub("", expression))
    text = re.sub(r"(\d(?:\.\d+)?)\s*%(?!\s*[\d(])", r"\1/100", text.replace("^", "**").translate(_TIMES))
    text = text.strip()
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ArithmeticFault(f"“{expression.strip()[:60]}” is not an arithmetic expression") from error
    with localcontext() as context:
        context.prec = DIGITS
        try:
            return _value(tree.body, text, 0)
        except DecimalException as error:
            raise ArithmeticFault("the result is too large, or divides by zero") from error


def _value(node: ast.expr, text: str, depth: int) -> Decimal:
    if depth > MAX_DEPTH:
        raise ArithmeticFault("the expression is nested too deeply")
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return Decimal((ast.get_source_segment(text, node) or "0").replace("_", ""))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, text, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text, depth + 1)
        case ast.BinOp(left=left, op=operator, right=right):
            return _apply_operator(_value(left, text, depth + 1), operator, _value(right, text, depth + 1))
        case ast.Call(func=ast.Name(id=name), args=values, keywords=[]) if name.lower() in _FUNCTIONS:
            numbers = [_value(each, text, depth + 1) for value in values for each in _listed(value)]
            return _call_function(name.lower(), numbers)
    raise ArithmeticFault(
        f"“{(ast.get_source_segment(text, node) or '')[:40]}” is no number and no operation known here"
    )


def _listed(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else (node,)


def _apply_operator(left: Decimal, operator: ast.operator, right: Decimal) -> Decimal:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return left // right
        case ast.Mod():
            return left % right
        case ast.Pow():
            if abs(right) > _MAX_EXPONENT:
                raise ArithmeticFault(f"an exponent may be at most {_MAX_EXPONENT:,}")
            return left**right
    raise ArithmeticFault("only + - * / // % and ** are known here")


def _call_function(name: str, numbers: list[Decimal]) -> Decimal:
    if not numbers or (name == "round" and len(numbers) > 2) or (name in ("abs", "sqrt") and len(numbers) != 1):
        raise ArithmeticFault(f"{name} was given the wrong number of values")
    return _FUNCTIONS[name](numbers)


def _rounded(numbers: list[Decimal]) -> Decimal:
    places = int(numbers[1]) if len(numbers) > 1 else 0
    if abs(places) > DIGITS:
        raise ArithmeticFault("round can keep at most 40 digits")
    return round(numbers[0], places)


def _sum(numbers: list[Decimal]) -> Decimal:
    return reduce(lambda one, other: one + other, numbers, Decimal(0))


def _average(numbers: list[Decimal]) -> Decimal:
    return _sum(numbers) / len(numbers)


_FUNCTIONS: dict[str, Callable[[list[Decimal]], Decimal]] = {
    "sum": _sum,
    "min": min,
    "max": max,
    "avg": _average,
    "mean": _average,
    "round": _rounded,
    "abs": lambda numbers: abs(numbers[0]),
    "sqrt": lambda numbers: numbers[0].sqrt(),
}


def format_number(number: Decimal) -> str:
    """Return a number with thousands separators; one with too many digits is rounded and marked “≈”."""
    with localcontext() as context:
        context.prec = DIGITS
        context.clear_flags()
        exact = number.normalize() if number else Decimal(0)
        mark = ""
        if len(exact.as_tuple().digits) > _SIGNIFICANT + 8:
            context.prec = _SIGNIFICANT
            context.traps[Inexact] = False
            exact, mark = (+number).normalize(), "≈ "
        if abs(exact.adjusted()) > 30:
            return f"{mark}{exact}"
        places = max(-int(exact.as_tuple().exponent), 0)
        return f"{mark}{exact:,.{places}f}"


ITEMS = 200
EXPRESSIONS = 20

_ITEM = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "amount": {"type": "number"},
        "quantity": {"type": "number"},
        "group": {"type": "string"},
    },
}


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    amount: Decimal
    quantity: Decimal
    group: str

    @property
    def subtotal(self) -> Decimal:
        return self.amount * self.quantity


class CalculateTool:
    """Add up items, or evaluate an expression."""

    parameters = ("items", "expression")
    spec = tool_spec(
        "calculate",
        "Exact sums of numbers you have read: `items` (subtotals by group), or an `expression`.",
        {
            "items": {"type": "array", "maxItems": ITEMS, "items": _ITEM},
            "expression": text_parameter("(15600 - 5500) / 15600 * 100, avg(3, 4.5)"),
        },
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the calculation as text for the user."""
        if arguments.get("items"):
            return f"Adding up {plural(len(_items(arguments)), 'item')}"
        return f"Calculating {shorten(_expressions(arguments)[0])}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Return every line of the calculation."""
        stop.check()
        try:
            if arguments.get("items"):
                lines, sums, summary = _bill(_items(arguments))
            else:
                sums = [Sum(text.strip(), format_number(evaluate(text))) for text in _expressions(arguments)]
                lines, summary = [str(each) for each in sums], shorten(f"= {sums[0].result}")
        except ArithmeticFault as fault:
            raise ArgumentError(f"This cannot be calculated: {fault}.") from fault
        except DecimalException as fault:
            raise ArgumentError("This cannot be calculated: the numbers are too large.") from fault
        reference = context.references.of_calculation(sums)
        return ToolResult("\n".join((f"[{reference}] Cite this reference for the result.", *lines)), summary)


def _expressions(arguments: Arguments) -> tuple[str, ...]:
    names = ("expression", "expressions", "formula", "calculation")
    if not any(arguments.get(name) for name in names):
        raise ArgumentError('Send "items" with name, amount and quantity, or an "expression".')
    return strings(arguments, names, EXPRESSIONS, MAX_EXPRESSION)


def _items(arguments: Arguments) -> tuple[_Item, ...]:
    given = arguments["items"]
    if not isinstance(given, list) or not given:
        raise ArgumentError('"items" must be a list such as [{"name": "Valve", "amount": 8.49, "quantity": 2}].')
    if len(given) > ITEMS:
        raise ArgumentError(f'"items" has {len(given):,} entries; at most {ITEMS} are allowed.')
    return tuple(_item(number, value) for number, value in enumerate(given, 1))


def _item(number: int, value: object) -> _Item:
    if not isinstance(value, Mapping):
        raise ArgumentError(f"Item {number} must have a name and an amount.")
    name = str(value.get("name") or value.get("label") or f"Item {number}")
    price = next((value[key] for key in ("amount", "price", "value", "cost") if value.get(key) is not None), None)
    quantity = value.get("quantity")
    try:
        return _Item(
            shorten(name, 80),
            amount(str(price)),
            Decimal(1) if quantity is None else amount(str(quantity)),
            shorten(str(value.get("group") or ""), 60),
        )
    except ArithmeticFault as fault:
        raise ArgumentError(f"Item {number} ({shorten(name, 40)}): {fault}.") from fault


def _bill(items: Sequence[_Item]) -> tuple[list[str], list[Sum], str]:
    """Return the lines of a bill, its sums, and the total for the user."""
    lines, sums = [], []
    for item in items:
        times = f"{format_number(item.quantity)} × {format_number(item.amount)}" if item.quantity != 1 else ""
        subtotal = format_number(item.subtotal)
        lines.append(f"{item.name}: {times} = {subtotal}" if times else f"{item.name}: {subtotal}")
        if times:
            sums.append(Sum(times, subtotal, item.name))
    groups = dict.fromkeys(item.group for item in items if item.group)
    if groups and any(not item.group for item in items):
        groups[""] = None
    parts = [(group, [item for item in items if item.group == group]) for group in groups]
    for group, members in parts:
        sums.append(_addition(members, group))
        lines.append(f"Subtotal {group or 'without a group'}: {sums[-1].result}")
    sums.append(_addition(items, " ".join(item.name for item in items)))
    total = f"Total: {sums[-1].result}"
    return [*lines, total], sums, total.replace(":", "")


def _addition(items: Sequence[_Item], name: str) -> Sum:
    terms = (
        format_number(item.amount)
        if item.quantity == 1
        else f"{format_number(item.quantity)} × {format_number(item.amount)}"
        for item in items
    )
    return Sum(" + ".join(terms), format_number(_total(items)), name)


def _total(items: Iterable[_Item]) -> Decimal:
    return sum((item.subtotal for item in items), Decimal(0))
