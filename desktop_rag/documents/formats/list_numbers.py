"""The numbers of lists, as letters and Roman numerals too."""

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_SMALL_ROMAN = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def format_number(number: int, form: str) -> str:
    """Format `number` as decimal, decimalZero, lowerLetter, upperLetter, lowerRoman or upperRoman."""
    match form:
        case "lowerLetter" | "upperLetter" if number > 0:
            text = chr(ord("a") + (number - 1) % 26) * min(20, (number - 1) // 26 + 1)
        case "lowerRoman" | "upperRoman" if 0 < number < 4000:
            text = ""
            for value, letters in _ROMAN + _SMALL_ROMAN:
                text += letters * (number // value)
                number %= value
        case "decimalZero":
            text = f"{number:02}"
        case _:
            text = str(number)
    return text.upper() if form.startswith("upper") else text
