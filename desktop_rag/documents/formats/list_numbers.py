"""The numbers of lists: letters, Roman numerals, Chinese and Japanese figures too."""

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_COUNTED = ("chineseCounting", "chineseCountingThousand", "taiwaneseCounting", "taiwaneseCountingThousand")
_FIGURES = "零一二三四五六七八九"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_SMALL_ROMAN = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def format_number(number: int, form: str) -> str:
    """Format `number` in a form that the standard names (ECMA-376, part 1, 17.18.59), or else as decimal."""
    match form:
        case "lowerLetter" | "upperLetter" if number > 0:
            text = chr(ord("a") + (number - 1) % 26) * min(20, (number - 1) // 26 + 1)
        case "russianLower" | "russianUpper" if number > 0:
            text = _RUSSIAN[(number - 1) % len(_RUSSIAN)] * min(20, (number - 1) // len(_RUSSIAN) + 1)
        case "lowerRoman" | "upperRoman" if 0 < number < 4000:
            text = ""
            for value, letters in _ROMAN + _SMALL_ROMAN:
                text += letters * (number // value)
                number %= value
        case "decimalZero":
            text = f"{number:02}"
        case "decimalEnclosedCircle" if 0 < number <= 20:
            text = chr(ord("①") + number - 1)
        case "none":
            text = ""
        case _ if 0 < number < 10_000 and (form in _COUNTED or form == "japaneseCounting"):
            text = _counted(number, is_chinese=form in _COUNTED)
        case _:
            text = str(number)
    return text.upper() if form.startswith("upper") or form.endswith("Upper") else text


def _counted(number: int, *, is_chinese: bool) -> str:
    """Return a number in Chinese or Japanese figures: 一百零二, 百二; 十二 is alike."""
    text, left = "", number
    for value, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        figure, left = divmod(left, value)
        if figure == 1 and sign and (not is_chinese or (value == 10 and not text)):
            text += sign
        elif figure:
            text += _FIGURES[figure] + sign
        elif is_chinese and text and left and not text.endswith(_FIGURES[0]):
            text += _FIGURES[0]
    return text
