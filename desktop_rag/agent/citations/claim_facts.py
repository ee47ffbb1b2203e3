"""What the program knows for certain of a statement and the lines that it cites."""

from dataclasses import dataclass

from desktop_rag.agent.events import Alteration, Operand


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """The facts: the statement stands in the lines, they have other words in its place, they lack names and figures.

    `computed` is the sum of the `operands` in the lines that gives a figure which they lack. `related`: the lines share
    enough words with the statement to be about it.
    """

    quoted: bool = False
    altered: Alteration | None = None
    missing: tuple[str, ...] = ()
    computed: str = ""
    operands: tuple[Operand, ...] = ()
    related: bool = True

    @property
    def is_borne_out(self) -> bool:
        """Whether the lines are about the statement, and have all its names and figures."""
        return self.quoted or (self.related and not (self.altered or self.missing))
