"""Figures, places and verdicts in words, the same in every part of the conversation."""

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from desktop_rag.agent.events import Citation, RunUsage, Source, Verdict


def _tr(text: str) -> str:
    return QCoreApplication.translate("Wording", text)


class Wording:
    """Sentences of the conversation; all figures come in as they were measured."""

    @staticmethod
    def count(number: int, *, estimated: bool = False) -> str:
        """Return 7,204, or ~7,204 if it was not counted by the endpoint."""
        return f"~{number:,}" if estimated else f"{number:,}"

    @staticmethod
    def tokens(number: int, *, estimated: bool = False) -> str:
        """Return the number with its unit."""
        words = _tr("{count} token") if number == 1 else _tr("{count} tokens")
        return words.format(count=Wording.count(number, estimated=estimated))

    @staticmethod
    def run_tokens(usage: RunUsage) -> str:
        """Return what a whole run cost."""
        return Wording.tokens(usage.prompt_tokens + usage.completion_tokens, estimated=usage.estimated)

    @staticmethod
    def steps(number: int) -> str:
        """Return 1 step, 5 steps."""
        return _tr("1 step") if number == 1 else _tr("{count} steps").format(count=number)

    @staticmethod
    def duration(seconds: float) -> str:
        """Return a length of time; tenths only below ten seconds."""
        if seconds < 9.95:
            return _tr("{seconds} s").format(seconds=f"{max(0.1, seconds):.1f}")
        return Wording.whole_seconds(seconds)

    @staticmethod
    def whole_seconds(seconds: float) -> str:
        """Return a length of time in whole seconds and minutes, for a clock that ticks."""
        whole = round(seconds)
        if whole < 60:
            return _tr("{seconds} s").format(seconds=whole)
        return _tr("{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)

    @staticmethod
    def file_name(path: str, title: str) -> str:
        """Return the name a person knows the file by."""
        return PurePath(path.replace("\\", "/")).name or title

    @staticmethod
    def lines(first: int, last: int) -> str:
        """Return line 12, or lines 12–14."""
        if first == last:
            return _tr("line {line}").format(line=f"{first:,}")
        return _tr("lines {first}–{last}").format(first=f"{first:,}", last=f"{last:,}")

    @staticmethod
    def place(page: int | None, first: int, last: int) -> str:
        """Return page 3 · lines 12–14."""
        lines = Wording.lines(first, last)
        return lines if page is None else _tr("page {page} · {lines}").format(page=f"{page:,}", lines=lines)

    @staticmethod
    def short_place(source: Source) -> str:
        """Return p. 3, or lines 12–14 where there are no pages."""
        if source.page is not None:
            return _tr("p. {page}").format(page=f"{source.page:,}")
        return Wording.lines(source.first_line, source.last_line)

    @staticmethod
    def verdict(verdict: Verdict) -> str:
        """Return what the check of a quote found, as a sentence."""
        match verdict:
            case "verbatim":
                return _tr("Verified: these words stand in the document.")
            case "paraphrase":
                return _tr("Paraphrase: the document says it in other words.")
            case "misattributed":
                return _tr("Misattributed: these words stand in another place than the one named.")
            case "not found":
                return _tr("Not found: these words are not in what was read. Check before you rely on them.")

    @staticmethod
    def reference(citation: Citation) -> str:
        """Return one line that names the source, for a clipboard."""
        name = Wording.file_name(citation.path, citation.title)
        place = Wording.place(citation.page, citation.first_line, citation.last_line)
        quote = f": “{' '.join(citation.quote.split())}”" if citation.quote else ""
        return f"[{citation.number}] {name}, {place.replace(' · ', ', ')}{quote}"

    @staticmethod
    def citation_tip(citation: Citation) -> str:
        """Return what hovering over a citation number tells."""
        name = Wording.file_name(citation.path, citation.title)
        place = Wording.place(citation.page, citation.first_line, citation.last_line)
        quote = f"“{' '.join(citation.quote.split())}”" if citation.quote else ""
        return "\n".join(filter(None, (f"{name} · {place}", quote, Wording.verdict(citation.verdict))))
