"""An answer or a checked text as the result of a tool: its statements, their marks and sources, within its length."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.marks import UNFOUNDED, count_claims, describe_claim
from desktop_rag.agent.citations.plain_answer import numbered, source_rows
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.agent.events_json import citation_json, claims_json
from desktop_rag.agent.run.cited_text import UnresolvedCitation
from desktop_rag.llm.tokens.token_estimates import estimate
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.text.hidden_characters import inert_markdown
from desktop_rag.text.json_types import Json
from desktop_rag.text.secrets import cut_outside

TEXT_TOKENS = 1_500  # shown of a text, if the result does not fit whole
STATEMENT, QUOTE = 240, 160  # characters, likewise


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A text with its claims and citations; `unresolved` is None for an answer of the agent.

    `most` is the number of statements that are shown, of a text of `longest` characters; None for the whole result.
    """

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    unresolved: tuple[UnresolvedCitation, ...] | None = None
    most: int | None = None
    longest: int = 0

    def fitted(self, fits: Callable[["CheckedAnswer"], bool]) -> "CheckedAnswer":
        """Return it whole if it fits, else with shorter texts, then with fewer statements, the doubtful ones kept."""
        if fits(self):
            return self
        most = max(len(self.claims), len(self.unresolved or ()))
        longest = len(self.text) * TEXT_TOKENS // max(estimate(self.text), TEXT_TOKENS)
        while not fits(cut := replace(self, most=most, longest=longest)) and (most or longest):
            most, longest = (most * 3 // 4, longest) if most else (0, longest // 2)
        return cut

    def as_text(self) -> str:
        """Return it for a model: the answer, or the verdicts statement by statement; then the sources."""
        cited = source_rows(self._citations())
        sources = ("", "Sources:", *cited) if cited else ()
        if self.unresolved is None:
            return "\n".join((inert_markdown(numbered(self._cut(self.text, self.longest))), *sources, *self.notes()))
        rows = [count_claims(self.claims) or "The text makes no statement that could be checked."]
        rows += [
            f"- {one_line(numbered(self._statement(claim)))}\n  {describe_claim(claim)}" for claim in self._claims()
        ]
        rows += [f"- {printable(each.citation)}: {printable(each.why)}" for each in self.unresolved[: self.most]]
        return "\n".join((*rows, *sources, *self.notes()))

    def as_data(self) -> dict[str, Json]:
        """Return it as JSON; the places of statements are those in the whole text."""
        claims = self._claims()
        each = claims_json(claims)["each"]
        statements: Json = [
            {"statement": self._statement(claim), **described}
            for claim, described in zip(claims, each if isinstance(each, list) else [], strict=True)
        ]
        data: dict[str, Json] = {
            "text": self._cut(self.text, self.longest),
            "summary": count_claims(self.claims) or "No statement to check.",
            "statements": statements,
            "citations": [citation_json(citation) for citation in self._citations()],
            "notes": list(self.notes()),
        }
        if self.unresolved is not None:
            data["unresolved"] = [{"citation": each.citation, "why": each.why} for each in self.unresolved[: self.most]]
        return data

    def notes(self) -> tuple[str, ...]:
        """Return what was left out, and how to get it."""
        if self.most is None:
            return ()
        told = f"{len(self._claims())} of {plural(len(self.claims), 'statement')} are shown, the doubtful ones first."
        how = "Ask about less at once" if self.unresolved is None else "Send the text in parts"
        return (f"{told} {how} to see all.",)

    def _claims(self) -> tuple[Claim, ...]:
        if self.most is None:
            return self.claims
        order = sorted(range(len(self.claims)), key=lambda number: self.claims[number].mark not in UNFOUNDED)
        return tuple(self.claims[number] for number in sorted(order[: self.most]))

    def _citations(self) -> tuple[Citation, ...]:
        if self.most is None:
            return self.citations
        used = {number for claim in self._claims() for number in claim.citations}
        return tuple(
            replace(each, quote=self._cut(each.quote, QUOTE)) for each in self.citations if each.number in used
        )

    def _statement(self, claim: Claim) -> str:
        return self._cut(self.text[claim.start : claim.end], STATEMENT)

    def _cut(self, text: str, length: int) -> str:
        return text if self.most is None or len(text) <= length else f"{text[: cut_outside(text, length)]}…"
