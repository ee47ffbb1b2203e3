"""The calculation tool: items with subtotals and a total, or one expression, in exact decimals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException

from desktop_rag.agent.citations.calculations import Sum
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, strings
from desktop_rag.agent.tools.arithmetic import MAX_EXPRESSION, ArithmeticFault, amount, evaluate, format_number
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, text_parameter, tool_spec
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

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
