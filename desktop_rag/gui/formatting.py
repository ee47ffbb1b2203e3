"""Numbers, durations, places, counts and verdicts as text, the same in every part of the window."""

import html
import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, Qt, QTime

from desktop_rag.agent.citations.marks import Grade, count_claims, describe_claim, describe_source, describe_verdict
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation, Claim, RunUsage, Source
from desktop_rag.documents.file_types import Format, format_of
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.index.libraries import FIRST_NAME
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.settings import Profile
from desktop_rag.text.desktop_links import markdown_link

# The names of the languages of documents, in the language of the window; Qt knows English names only.


def language_name(code: str) -> str:
    """Return German for de or de-AT; an unknown code unchanged."""
    tr = QCoreApplication.translate
    names = {
        "af": tr("Languages", "Afrikaans"), "am": tr("Languages", "Amharic"), "ar": tr("Languages", "Arabic"),
        "be": tr("Languages", "Belarusian"), "bg": tr("Languages", "Bulgarian"), "bn": tr("Languages", "Bengali"),
        "bo": tr("Languages", "Tibetan"), "ca": tr("Languages", "Catalan"),
        "ckb": tr("Languages", "Central Kurdish"), "cs": tr("Languages", "Czech"), "cy": tr("Languages", "Welsh"),
        "da": tr("Languages", "Danish"), "de": tr("Languages", "German"), "el": tr("Languages", "Greek"),
        "en": tr("Languages", "English"), "eo": tr("Languages", "Esperanto"), "es": tr("Languages", "Spanish"),
        "et": tr("Languages", "Estonian"), "eu": tr("Languages", "Basque"), "fa": tr("Languages", "Persian"),
        "fi": tr("Languages", "Finnish"), "fr": tr("Languages", "French"), "ga": tr("Languages", "Irish"),
        "gl": tr("Languages", "Galician"), "gu": tr("Languages", "Gujarati"), "he": tr("Languages", "Hebrew"),
        "hi": tr("Languages", "Hindi"), "hr": tr("Languages", "Croatian"), "hu": tr("Languages", "Hungarian"),
        "hy": tr("Languages", "Armenian"), "id": tr("Languages", "Indonesian"), "is": tr("Languages", "Icelandic"),
        "it": tr("Languages", "Italian"), "ja": tr("Languages", "Japanese"), "ka": tr("Languages", "Georgian"),
        "kk": tr("Languages", "Kazakh"), "km": tr("Languages", "Khmer"), "kn": tr("Languages", "Kannada"),
        "ko": tr("Languages", "Korean"), "la": tr("Languages", "Latin"), "lo": tr("Languages", "Lao"),
        "lt": tr("Languages", "Lithuanian"), "lv": tr("Languages", "Latvian"), "mk": tr("Languages", "Macedonian"),
        "ml": tr("Languages", "Malayalam"), "mn": tr("Languages", "Mongolian"), "mr": tr("Languages", "Marathi"),
        "ms": tr("Languages", "Malay"), "my": tr("Languages", "Burmese"), "ne": tr("Languages", "Nepali"),
        "nl": tr("Languages", "Dutch"), "no": tr("Languages", "Norwegian"), "or": tr("Languages", "Odia"),
        "pa": tr("Languages", "Punjabi"), "pl": tr("Languages", "Polish"), "pt": tr("Languages", "Portuguese"),
        "ro": tr("Languages", "Romanian"), "ru": tr("Languages", "Russian"), "si": tr("Languages", "Sinhala"),
        "sk": tr("Languages", "Slovak"), "sl": tr("Languages", "Slovenian"), "sq": tr("Languages", "Albanian"),
        "sr": tr("Languages", "Serbian"), "sv": tr("Languages", "Swedish"), "sw": tr("Languages", "Swahili"),
        "ta": tr("Languages", "Tamil"), "te": tr("Languages", "Telugu"), "th": tr("Languages", "Thai"),
        "tl": tr("Languages", "Filipino"), "tr": tr("Languages", "Turkish"), "uk": tr("Languages", "Ukrainian"),
        "ur": tr("Languages", "Urdu"), "vi": tr("Languages", "Vietnamese"), "zh": tr("Languages", "Chinese"),
    }  # fmt: skip
    return names.get(code.partition("-")[0].lower(), code)


_MAILS = (Format.MAIL, Format.OUTLOOK_MAIL)
MARKS: dict[Grade, str] = {  # beside a citation number
    "paraphrase": "≈",
    "misattributed": "↷",
    "not found": "!",
    "quoted": "✓",
    "read": "✓",
    "computed": "=",
    "otherwise": "!",
    "silent": "?",
    "altered": "!",
}
OLD_PRICE_DAYS = 90


_MARKED_UP = re.compile("[<&]")
_COUNTED_PART = re.compile(r"(Cell|Slide|Page) (\d{1,6})")  # of a notebook, a presentation, a drawing
_TIP_LINE = 80  # characters


def tool_tip(text: str) -> str:
    """Return `text` as a tooltip that shows every character unchanged; Qt would read some of it as rich text.

    Long lines are marked up, too, which wraps them. The others are not: a screen reader speaks the marks.
    """
    if not _MARKED_UP.search(text) and all(len(line) <= _TIP_LINE for line in text.split("\n")):
        return text
    return f"<qt>{html.escape(text, quote=False).replace(chr(10), '<br>')}</qt>" if text else ""


def plain_tip(tip: str) -> str:
    """Return the text that `tool_tip` has marked up."""
    if not tip.startswith("<qt>"):
        return tip
    return html.unescape(tip.removeprefix("<qt>").removesuffix("</qt>").replace("<br>", "\n"))


_ENGLISH_FORMS = re.compile(r"(?<=\w)\((?P<plural>\w+)\)|\((?P<one>\w*)\|(?P<many>\w*)\)")


def counted(text: str, count: int) -> str:
    """Return `self.tr("%Ln file(s)", "", count)` as “1 file”, “5 files”; “(y|ies)” gives both forms.

    Qt fills in the number, and chooses the plural form where a translation is loaded. The English source text has none,
    so that the forms in brackets are chosen here.
    """
    return _ENGLISH_FORMS.sub(
        lambda form: (form["one"] or "") if count == 1 else form["plural"] or form["many"] or "", text
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Wording", text)


def wording(template: str) -> str:
    """Return a template of a sentence that another layer makes, in the language of the window."""
    return _tr(template)


def _count(text: str, count: int) -> str:
    return counted(QCoreApplication.translate("Wording", text, "", count), count)


def quoted(words: str) -> str:
    """Return words in the quotation marks of the window's language."""
    return _tr("“{0}”").format(words)


def number(count: int) -> str:
    """Return a count with the digit grouping of the user's locale."""
    return QLocale().toString(count)


def figures(count: int, *, estimated: bool = False) -> str:
    """Return 7,204, or ~7,204 if the endpoint did not report it."""
    return f"~{number(count)}" if estimated else number(count)


def tokens(count: int, *, estimated: bool = False) -> str:
    """Return a token count with its unit."""
    return f"{'~' if estimated else ''}{_count('%Ln token(s)', count)}"


def percent(share: float) -> str:
    """Return a share of 1 as 42 %."""
    return _tr("{0} %").format(number(max(0, min(100, int(100 * share)))))


def speed(per_second: float) -> str:
    """Return 12.4 tokens/s."""
    return _tr("{0} tokens/s").format(QLocale().toString(per_second, "f", 1))


def shown_day(day: QDate) -> str:
    """Return a date that can be read in one way only: with the whole year, in English with the name of the month."""
    locale = QLocale()
    if locale.language() == QLocale.Language.English:
        return locale.toString(day, "d MMM yyyy")
    pattern = locale.dateFormat(QLocale.FormatType.ShortFormat)
    return locale.toString(day, pattern if "yyyy" in pattern else pattern.replace("yy", "yyyy"))


def shown_moment(moment: QDateTime) -> str:
    """Return a date as `shown_day` does, with the time."""
    return _tr("{0}, {1}").format(shown_day(moment.date()), shown_time(moment.time()))


def shown_time(time: QTime) -> str:
    """Return a time of the day by 24 hours, the same everywhere in the window."""
    return time.toString("HH:mm")


def price_age(profile: Profile | None, today: date | None = None) -> str:
    """Return the date of the prices of a profile, and that they may have changed; "" if it is unknown."""
    if profile is None or not profile.priced_on:
        return ""
    try:
        day = date.fromisoformat(profile.priced_on)
    except ValueError:
        return ""
    shown = shown_day(QDate(day.year, day.month, day.day))
    if prices_are_old(profile, today):
        return _tr("The prices are from {0}: check whether they still hold").format(shown)
    return _tr("Prices from {0}").format(shown)


def prices_are_old(profile: Profile | None, today: date | None = None) -> bool:
    """Return whether the prices of a profile are so old that they may have changed."""
    try:
        day = date.fromisoformat(profile.priced_on if profile else "")
    except ValueError:
        return False
    return ((today or date.today()) - day).days > OLD_PRICE_DAYS


def server_lack(name: str, lacks: str) -> str:
    """Return what a model server that was found lacks; "" for nothing."""
    if lacks == "key":
        return _tr("{0} answered and wants a key.").format(name)
    return _tr("{0} answered and has no model yet: {1}").format(name, "ollama pull qwen3:4b") if lacks else ""


def run_tokens(usage: RunUsage) -> str:
    """Return the token count of a whole run."""
    return tokens(usage.tokens, estimated=usage.estimated)


def requests(count: int) -> str:
    """Return 1 request, 3 requests."""
    return _count("%Ln request(s)", count)


def documents(count: int) -> str:
    """Return 1 document, 3 documents."""
    return _count("%Ln document(s)", count)


def limit_extension(limit: str, more: int) -> str:
    """Return what raising a limit by `more` allows: Search 5 more steps."""
    match limit:
        case "steps":
            return _count("Allow %Ln more step(s)", more)
        case "tool calls":
            return _count("Allow %Ln more search(es)", more)
        case "seconds":
            return _tr("Allow {time} more").format(time=whole_seconds(more))
        case _:
            return _count("Allow %Ln more token(s)", more)


def library_name(name: str) -> str:
    """Return the name of a library; the default name of the first one is translated."""
    return QCoreApplication.translate("Libraries", "My library") if name == FIRST_NAME else name


def money(amount: float) -> str:
    """Return an amount in the currency of the user's locale; small ones with four decimals."""
    locale = QLocale()
    return locale.toCurrencyString(float(amount), locale.currencySymbol(), 4 if 0 < amount < 0.0995 else 2)


def about(card: DocumentCard) -> str:
    """Return a document's author, date, language and length."""
    made = QDate.fromString(card.created[:10], Qt.DateFormat.ISODate)
    extent = (
        ("%Ln page(s)", card.pages),
        ("%Ln line(s)", card.lines),
        ("%Ln word(s)", card.words),
    )
    return " · ".join(
        part
        for part in (
            " ".join(card.author.split()),
            shown_day(made) if made.isValid() else "",
            language_name(card.language) if card.language else "",
            *(_count(text, count) for text, count in extent if count),
        )
        if part
    )


def steps(count: int) -> str:
    """Return 1 step, 5 steps."""
    return _count("%Ln step(s)", count)


def duration(seconds: float) -> str:
    """Return a duration; with tenths only below ten seconds."""
    if seconds < 9.95:
        return _tr("{seconds} s").format(seconds=QLocale().toString(max(0.1, seconds), "f", 1))
    return whole_seconds(seconds)


def whole_seconds(seconds: float) -> str:
    """Return a duration in whole seconds and minutes, for a ticking clock."""
    whole = round(seconds)
    if whole < 60:
        return _tr("{seconds} s").format(seconds=whole)
    return _tr("{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)


def file_name(path: str, title: str) -> str:
    """Return the file name of a path, or the title."""
    return PurePath(path.replace("\\", "/")).name or title


def document_name(path: str, title: str) -> str:
    """Return the subject of a mail, whose file is often called 3.eml; the file name of another document."""
    return title if title and format_of(file_name(path, "")) in _MAILS else file_name(path, title)


def document_place(path: str, title: str, where: str) -> str:
    """Return a place in a document, after the file name if `document_name` is another."""
    name = file_name(path, title)
    return " · ".join(filter(None, (name if name != document_name(path, title) else "", where)))


def lines(first: int, last: int) -> str:
    """Return line 12, or lines 12–14."""
    if first == last:
        return _tr("line {line}").format(line=number(first))
    return _tr("lines {first}–{last}").format(first=number(first), last=number(last))


def place(page: int | None, first: int, last: int, section: str = "") -> str:
    """Return page 3 · lines 12–14, or Slide 3 · lines 12–14 for a named section."""
    where = lines(first, last)
    if section:
        where = f"{section_name(section)} · {where}"
    return where if page is None else _tr("page {page} · {lines}").format(page=number(page), lines=where)


def section_name(section: str) -> str:
    """Return the name of a section; one that the program itself has given, “Slide 3”, in the language of the window."""
    counted_part = _COUNTED_PART.fullmatch(section)
    if counted_part is None:
        return section
    named = {"Cell": _tr("Cell {0}"), "Slide": _tr("Slide {0}"), "Page": _tr("Page {0}")}
    return named[counted_part[1]].format(number(int(counted_part[2])))


def short_place(source: Source) -> str:
    """Return p. 3, or the section, or lines 12–14 without either."""
    if source.page is not None:
        return _tr("p. {page}").format(page=number(source.page))
    return section_name(source.section) or lines(source.first_line, source.last_line)


def verdict(citation: Citation) -> str:
    """Return where the quoted words of a citation stand, as a sentence."""
    return describe_verdict(citation, _tr)


def claim(made: Claim) -> str:
    """Return what is known of a statement, as a sentence."""
    return describe_claim(made, _tr)


def checked(citation: Citation, made: Sequence[Claim]) -> str:
    """Return the verdict on a citation, and what is known of the statements that cite it."""
    return describe_source(citation, made, _tr)


def claims(made: Sequence[Claim]) -> str:
    """Return “6 statements: 2 quoted word for word, 3 read by the model, 1 not checked”."""
    return count_claims(made, _count("%Ln statement(s)", len(made)), number, _tr)


def reference(citation: Citation) -> str:
    """Return the source as one line, for the clipboard."""
    where = place(citation.page, citation.first_line, citation.last_line, citation.section).replace(" · ", ", ")
    quote = f": {_quoted(citation)}" if citation.quote else ""
    return f"[{citation.number}] {file_name(citation.path, citation.title)}, {where}{quote}"


def with_sources(text: str, citations: Iterable[Citation]) -> str:
    """Return an answer with its sources below, for the clipboard."""
    return "\n\n".join(filter(None, (text.strip(), "\n".join(map(reference, citations)))))


def quotation(words: str, title: str, path: str, page: int | None, first: int, last: int) -> str:
    """Return words in quotation marks with their place and file below, for the clipboard."""
    source = ", ".join(filter(None, (_named(title, path), _comma_place(page, first, last))))
    return _tr("“{words}”\n— {source}").format(words=words.strip(), source=source) + (f"\n{path}" if path else "")


def markdown_quotation(
    words: str, title: str, path: str, page: int | None, first: int, last: int, sha256: str = ""
) -> str:
    """Return words as a Markdown quotation that ends with their place, and a link to it."""
    source = ", ".join(filter(None, (f"**{_named(title, path)}**", _comma_place(page, first, last))))
    lines = [*words.strip().splitlines(), "", f"— {source}"]
    if path:
        link = markdown_link(path, first, last, sha256, words)
        lines[-1:] = [f"{lines[-1]}  ", link]  # two trailing spaces break the line
    return "\n".join(f"> {line}" if line else ">" for line in lines)


def _named(title: str, path: str) -> str:
    name = file_name(path, "")
    return f"{title} ({name})" if title and name and name != title else title or name


def _comma_place(page: int | None, first: int, last: int) -> str:
    return place(page, first, last).replace(" · ", ", ") if first else ""


def citation_tip(citation: Citation) -> str:
    """Return the tooltip of a citation number."""
    where = place(citation.page, citation.first_line, citation.last_line, citation.section)
    name = file_name(citation.path, citation.title)
    quote = quoted(shown_quote(shown_words(citation), citation.format)) if citation.quote else ""
    return "\n".join(filter(None, (f"{name} · {where}", quote, verdict(citation))))


def _quoted(citation: Citation) -> str:
    return quoted(" ".join(shown_words(citation).split()))
