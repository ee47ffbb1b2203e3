"""The language of the window: the catalogues of `resources/translations`, and Qt's own for its dialogs."""

import logging
import re
from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop_rag.paths import resources

logger = logging.getLogger(__name__)

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "zh_CN": "简体中文"}
_COUNT = r"[\d,]+"  # what stands for {n} in a sentence
_PLACE = re.compile(r"\{(\w)\}")  # where something is filled in
_NEXT = re.compile(r"\. (?=[A-Z])")  # between two sentences
_QUOTED = re.compile("“([^“”]*)”")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")
_SIMPLIFIED = re.compile(r"zh(-Hans)?(-(CN|SG))?$|zh-Hans")


def window_language(chosen: str, preferred: list[str] | None = None) -> str:
    """Return the chosen language, or the first one we have of those the system prefers (BCP 47), else English."""
    if chosen in LANGUAGES:
        return chosen
    for name in QLocale.system().uiLanguages() if preferred is None else preferred:
        if _SIMPLIFIED.match(name):
            return "zh_CN"
        if (language := re.split("[-_]", name)[0]) in LANGUAGES:
            return language
    return ENGLISH


def install_catalogues(application: QCoreApplication, chosen: str) -> str:
    """Translate everything that is made from now on, numbers and dates too if a language is chosen; return it.

    Numbers and dates follow the system's region as long as the language is the system's, too.
    """
    language = window_language(chosen)
    if chosen in LANGUAGES:
        QLocale.setDefault(QLocale(language))
    else:
        avoid_c_locale()
    if language != ENGLISH:
        if is_stale(resources() / "translations", language):
            logger.warning("The compiled translations are older than their catalogue: run packaging/dev.py setup")
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name, folder in (("qtbase", qt), ("desktop_rag", str(resources() / "translations"))):
            catalogue = QTranslator(application)
            if catalogue.load(f"{name}_{language}", folder):
                application.installTranslator(catalogue)  # the last one is asked first
    return language


def is_stale(folder: Path, language: str) -> bool:
    """Return whether a checkout has a catalogue that is newer than what Qt loads of it."""
    source, compiled = (folder / f"desktop_rag_{language}.{suffix}" for suffix in ("ts", "qm"))
    return source.exists() and (not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns)


def avoid_c_locale() -> None:
    """Where the system has no locale, write dates and numbers as in Europe: else “29 01 2018” and “1109”."""
    if QLocale().language() == QLocale.Language.C:
        QLocale.setDefault(QLocale("en_150"))


def sentence(english: object) -> str:
    """Return an error's sentence in the language of the window.

    Errors are raised in layers without Qt, in English; the sentence is found among the texts of the program, whatever
    was filled in. One that is not among them stays English.
    """
    text = str(english)
    if _NUMBER.fullmatch(text):
        return QLocale().toString(int(text.replace(",", "")))
    exact = exact_sentence(text)
    if exact != text:
        return exact
    whole, swallowed = _filled(text)
    for place in _NEXT.finditer(text) if swallowed or not whole else ():  # notes that follow each other
        first, rest = text[: place.start() + 1], text[place.end() :]
        if (said := exact_sentence(first)) != first:
            return f"{said} {sentence(rest)}"
        if (known := sentence(rest)) != rest and (said := _filled(first)[0]):
            return f"{said} {known}"
    return whole or _joined_sentences(text)


def _filled(text: str) -> tuple[str, bool]:
    """Return a sentence in which something is filled in, and whether that may be the next sentence; "" if unknown."""
    for template, fixed in _templates():
        if fixed in text and (found := _pattern(template).fullmatch(text)):
            values = {f"{{{name[1:]}}}": (words, sentence(words)) for name, words in found.groupdict().items()}
            filled = {name: _requoted(said) for name, (_, said) in values.items()}
            pieces = re.split(r"(\{\w\})", exact_sentence(template))
            swallowed = any(said == words and _NEXT.search(words) for words, said in values.values())
            return "".join(filled.get(piece, piece) for piece in pieces), swallowed
    return "", False


def _requoted(words: str) -> str:
    """Return words with the quotation marks of the window's language."""
    marks = QCoreApplication.translate("Wording", "“{0}”")
    return _QUOTED.sub(lambda found: marks.format(found[1]), words)


def _joined_sentences(text: str) -> str:
    """Return several notes or sentences, or a note on a file inside another one, in the language of the window."""
    for place in re.finditer(r"(: )|; |\. (?=[A-Z])", text):
        first, rest = text[: place.start()], text[place.end() :]
        known, said = sentence(rest), first if place[1] else sentence(first)
        if known != rest and (place[1] or said != first):
            return f"{said}{place[0]}{known}"
    return text


def exact_sentence(text: str) -> str:
    """Return a sentence in which nothing is filled in, in the language of the window."""
    return QCoreApplication.translate("Sentences", text)


def translation(language: str, context: str, english: str) -> str:
    """Return a text of the window in another language than the window's; "" if that has none."""
    return _catalogue(language).translate(context, english) or ""


@cache
def _catalogue(language: str) -> QTranslator:
    """Return the catalogue of a language, which the window need not have."""
    catalogue = QTranslator()
    if not catalogue.load(f"desktop_rag_{language}", str(resources() / "translations")):
        logger.warning("The catalogue %s cannot be loaded", language)
    return catalogue


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[str, str], ...]:
    """Return the sentences in which something is filled in, the most definite first, each with its longest fixed part.

    That part rules out nearly all of them: to compile hundreds of patterns for the first sentence takes a while.
    """
    path = resources() / "translations" / "sentences.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    templates = (line.replace("\\n", "\n").replace("\\\\", "\\") for line in lines if "{" in line)
    split = ((template, _PLACE.split(template)) for template in templates)
    return tuple((template, max(parts[::2], key=len)) for template, parts in split if len(parts) > 1)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return what a sentence looks like in which something is filled in."""
    pieces = _PLACE.split(template)  # fixed parts and names of places in turn
    pieces[::2] = map(re.escape, pieces[::2])
    pieces[1::2] = (f"(?P<_{place}>{_COUNT if place == 'n' else '.*?'})" for place in pieces[1::2])
    return re.compile("".join(pieces), re.DOTALL)
