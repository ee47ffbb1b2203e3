"""Finds a word of a claim in whose place a nearly equal sentence of the source has another word that excludes it.

“The tenant pays the deposit” for “The landlord pays the deposit”. Only the words of one of the groups below exclude
each other: any other word may be a paraphrase, and a list of all synonyms would never be complete.
"""

from collections.abc import Container, Iterator
from difflib import SequenceMatcher

from desktop_rag.agent.citations.claim_words import ClaimWord, split_words
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import stem

ENGLISH = "en"  # the language of the groups
NEARLY_EQUAL = 0.8  # share of a claim's words that the sentence has in the same order
FEWEST = 6  # words of such a claim
# Words of one kind; / between those that mean different things, so that no synonyms stand on two sides of it.
_EXCLUSIVE = tuple(
    {stem(word): side for side, words in enumerate(group.split("/")) for word in words.split()}
    for group in (
        "landlord landlords lessor / tenant tenants lessee / insurer insurers / bank / court / neighbour neighbor",
        "buyer buyers purchaser customer customers / seller sellers vendor supplier / insurer / auditor auditors",
        "employer / employee employees worker workers staff / contractor contractors / customer customers",
        "lender lenders creditor / borrower borrowers debtor / guarantor / insurer",
        "plaintiff claimant / defendant / judge / witness / juror",
        "teacher teachers / pupil pupils student students / parent parents",
        "doctor doctors physician / nurse nurses / patient patients / dentist / pharmacist / vet",
        "mother / father / daughter / son / brother / sister / uncle / aunt / grandfather / grandmother / "
        "nephew / niece",
        "husband / wife / widow / widower / fiancé fiancée",
        "author writer / actor actress / singer / painter / composer / architect / footballer / lawyer / engineer / "
        "farmer / soldier / priest minister / sculptor / photographer",
        "chairman chairwoman chair chairperson / treasurer / secretary / auditor",
        "board / shareholders / court / parliament / police",
        "approved accepted adopted / rejected refused declined / postponed deferred / withdrawn cancelled abandoned",
        "allowed permitted / forbidden prohibited banned / required",
        "signed / terminated cancelled / renewed extended / rejected",
        "bought purchased acquired / sold / leased rented / donated / inherited / stolen",
        "built constructed erected / destroyed demolished / sold / painted / abandoned",
        "hired appointed elected recruited / dismissed fired sacked / resigned retired / arrested",
        "won / lost / drew", "borrowed / lent / repaid / stole", "sent / received", "married / divorced / widowed",
        "born / buried / baptised / imprisoned", "acquitted / convicted / arrested / sentenced",
        "wrote written / directed / translated / painted / recorded / sang sung / banned",
        "import imports imported / export exports exported", "deposit / rent / salary / fee / fine / tax / loan",
        "revenue turnover sales / profit profits / loss losses / debt debts / costs expenses / dividend / cash / tax",
        "asset assets / liability liabilities / equity / inventory",
        "assets / profits", "income / expenditure expenses", "debit / credit", "gross / net",
        "river / mountain / lake / island / desert / valley", "church / mosque / synagogue / castle / prison / "
        "museum / "
        "hospital / school / library / station / airport / hotel / theatre / stadium / factory",
        "novel / film movie / song / poem / play / opera / painting", "newspaper / magazine",
        "city town / country / village / river / prison / airport / university",
        "university / army / parliament / orchestra",
        "protein / gene / cell / virus / tumour tumor / bacterium bacteria", "bird / fish / insect / tree / mammal",
        "arrival / departure", "morning / noon / afternoon / evening / night", "heating / cooling / lighting",
        "heated / cooled", "frozen / melted / boiled", "vaccinated / infected", "winter / summer / spring / autumn",
        "oxygen / nitrogen / hydrogen / carbon", "velocity speed / pressure / temperature / altitude / voltage",
        "roof / window windows / wall walls / floor / cellar basement", "electricity / gas / water / oil / coal",
        "film movie / magazine newspaper / song / opera / album / novel", "virus / enzyme / hormone / vaccine / "
        "bacterium",
        "band / orchestra / choir / court", "singer / player / actor actress / dancer / patient", "airport / "
        "island / port",
        "concert / auction / exhibition / wedding / funeral", "parliament / club / court / university / army",
        "married / arrested / divorced / killed murdered / adopted / sued", "elected / trained / wounded / arrested",
        "built constructed erected / discovered / repaired restored / painted", "directed / financed / "
        "translated / banned",
        "car / bicycle bike / train / ship / bus / lorry truck / plane aircraft",
    )
)  # fmt: skip


def substitutions(claim: str, sentence: str, known: Container[str]) -> Iterator[ClaimFault]:
    """Yield a word of a claim that a nearly equal sentence excludes; `known` are the stems of all lines near."""
    words, other = split_words(claim), split_words(sentence)
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in other], autojunk=False)
    if len(words) < FEWEST or sum(each.size for each in matcher.get_matching_blocks()) < NEARLY_EQUAL * len(words):
        return
    for kind, first, last, left, right in matcher.get_opcodes():
        if kind == "replace" and last - first == right - left == 1:
            mine, theirs = words[first], other[left]
            if mine.stem not in known and _exclude(mine, theirs):
                yield ClaimFault("wording", mine.text, theirs.text)
                return


def _exclude(one: ClaimWord, other: ClaimWord) -> bool:
    """Return whether two words stand on different sides in a group, and on the same one in none."""
    sides = [(group[one.stem], group[other.stem]) for group in _EXCLUSIVE if one.stem in group and other.stem in group]
    return bool(sides) and all(mine != theirs for mine, theirs in sides)
