"""Short queries find passages without their words only where those are really near."""

import pytest

from desktop_rag.retrieval.api import Mode
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

FILES = {
    "hall.md": "# Mietvertrag\n\nDer Mieter leistet eine Kaution in Höhe von drei Monatsmieten.\n",
    "deposit.md": "# Flat\n\nThe tenant pays a security deposit of three months of rent.\n",
    "goats.md": "# Goats\n\nGoats eat hay and climb every fence of the farm.\n",
    "model.md": "# Networks\n\nA small student network is trained to copy the answers of a large one.\n",
    "paper.md": "# References\n\nC. Bucila, R. Caruana and A. Niculescu-Mizil. In KDD, 2006.\n",
}


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.BEST])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Kaution Mieter", {"hall.md"}),  # the encoder knows no German: all else is equally far
        ("goats hay", {"goats.md"}),
        ("security bond", {"deposit.md"}),
        ("xylophone grommet", set()),
    ],
)
def test_far_passages_are_not_found_by_few_words(
    ask: Ask, library: SmallLibrary, query: str, found: set[str], mode: Mode
) -> None:
    library.add(FILES, root="home")
    library.encode()
    assert set(names(ask(query, mode))) == found


def test_near_passages_without_the_words_stay(ask: Ask, library: SmallLibrary) -> None:
    library.add(FILES | {"bond.md": "# Bond\n\nThe bond of three months of rent protects the landlord.\n"}, root="home")
    library.encode()
    assert set(names(ask("rental bond", Mode.HYBRID))) >= {"bond.md", "deposit.md"}


def test_a_sentence_finds_far_passages_too(ask: Ask, library: SmallLibrary) -> None:
    library.add(FILES, root="home")
    library.encode()
    assert "model.md" in names(ask("how is a tenant taught by the teacher", Mode.HYBRID))
