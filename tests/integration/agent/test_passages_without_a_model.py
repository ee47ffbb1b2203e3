"""What the built-in model answers from files of several kinds, read and indexed for real: passages, cells, honesty."""

from collections.abc import Iterator
from contextlib import closing

import pymupdf
import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import KNOWS_NOTHING, NEEDS_MODEL, NOT_FOUND_OPENING, ONLY_ONE_SIDE, UNSURE
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.cli.index_command import is_settled
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

FILES = {
    "espresso.txt": "Espresso machine KX-200\n\nError codes\n\n"
    "E01: tank empty. E04: the pump pressure is too low; clean the shower screen. E07: the heater is cold.\n\n"
    "Warranty\n\nThe warranty of the machine lasts 24 months from the day of purchase.\n",
    "client.py": '"""A small client."""\n\nimport time\n\nRETRY_LIMIT = 5\n\n\ndef fetch(url: str) -> bytes:\n'
    "    for attempt in range(RETRY_LIMIT):\n        time.sleep(attempt)\n    raise OSError(url)\n",
    "lease-harbour.md": "# Lease Harbour Street 4\n\n## Deposit\n\n"
    "The deposit is 3,450 euros, payable in three parts.\n\n"
    "## Pets\n\nPets are allowed with written consent of the landlord.\n",
    "lease-mill.md": "# Lease Mill Lane 9\n\n## Deposit\n\nThe deposit is 1,960 euros, payable before moving in.\n",
    "invoices.csv": "Invoice,Customer,Net,Gross,Status\n2031,Acme,350.00,416.50,open\n2032,Birk,200.00,238.00,paid\n"
    "2033,Celt,100.00,119.00,open\n2034,Dorn,500.00,595.00,paid\n",
    "lager.md": "# Lagerhaus Kiel\n\nDas Lager liegt im zweiten Stock des Hauses. Der Stock hat 12 Räume.\n",
    "mietvertrag.md": "# Mietvertrag Lindenweg\n\n## Kaution\n\n"
    "Die Mietkaution beträgt 2.400 Euro und ist bei Einzug fällig.\n",
    "cellar.py": "WAIT_MINUTES = 20  # before the alarm\n\n\n"
    "def is_due(minutes: int) -> bool:\n    return minutes // WAIT_MINUTES > 1\n",
    "flat.md": "# Tenancy agreement 27 Quarry Lane\n\nSecond-floor flat, 27 Quarry Lane, Ardmuir\n\n"
    "## Animals\n\nDogs are not permitted. One cat may be kept with consent.\n",
    "garage_Hale.md": "# Garage contract\n\n## Ending\n\n"
    "Either side may end the contract by giving five weeks' written notice.\n\n"
    "Signed by the tenant: Runa Hale\n\nSigned for the owner: Piet Solberg, clerk\n",
    "garage_Ito.md": "# Garage contract\n\n## Ending\n\n"
    "Either side may end the contract by giving nine weeks' written notice.\n\n"
    "Signed by the tenant: Ken Ito\n\nSigned for the owner: Piet Solberg, clerk\n",
    "settings.py": "from pathlib import Path\n\nROOT = Path.home()\nPAUSE_S = 45          # between two readings\n",
    "purchases.tsv": "Order\tGoods\tPieces\tPrice\tLine\tDelivery\nP-41\tLarch plank\t30\t41.5\t1245\tpending\n"
    "P-42\tZinc anode\t20\t7.25\t145\tcomplete\nP-43\tDock rope\t4\t29\t116\tpending\nTotal\t\t\t\t1506\n",
    "nightly.log": "2031-03-08 02:07:19 ERROR [main] connection reset by the depot\n"
    "2031-03-08 02:08:04 INFO [main] second attempt\n2031-03-08 02:09:31 INFO [main] copied 40 crates\n",
    "tariffs.csv": "code,goods,price,valid\nT1,Rye loaf,3.10,until May\nT1,Rye loaf,3.35,from June\n",
    "stores.csv": "Shelf,Goods,Load,Load limit\nBay A,Cedar,4,90\nBay B,Hazel,7,60\nBay C,Alder,2,75\n",
    "charter_2031.md": "# Charter of the vessel Osprey, agreement CH-31-7\n\n"
    "Agreement CH-31-7 of 4 May 2031\n\n## Term\n\nThis agreement takes effect on 1 June 2031.\n\n"
    "## Figures\n\nThe turnover was 61,200 euros.\n",
    "faults.md": "# Faults of the dryer\n\n## QX-417 no draught\n\nLook whether the fan turns. Blow out the hose.\n",
    "dryer.log": "2031-04-01T03:10:07 INFO cycle 60 begins\n2031-04-01T03:10:08 ERROR QX-417 no draught\n"
    "2031-04-01T03:10:09 INFO cycle ended\n",
    "parts.csv": "Part,Description,Price\nRT-88,Reel,40.00\nRT-89,Rope guide,12.00\n",
    "pumpd.yaml": "service:\n  name: pumpd\n  listen_port: 7443\n  log_file: /var/log/pumpd/pumpd.log\n",
    "pumpd.log": "2031-05-02 01:30:00 INFO pumpd start\n2031-05-02 01:30:07 ERROR pumpd PD-112 valve stuck\n",
    "gate.log": "[10/May/2031 05:30:01] boot starting, waiting for the link to the pier\n"
    "[10/May/2031 05:30:09] printer GT-210 out of paper, sales are suspended until noon\n"
    "[10/May/2031 06:02:44] sale of one adult return, paid by card at the kiosk\n",
    "weirs.csv": "Weir,Level in cm\nNorth,212\nSouth,402\nEast,\nWest,131\n",
    "keeper.yaml": "service:\n  log_file: /var/log/keeper/keeper.log\n  pid_file: /run/keeper.pid\n\n"
    "retention:\n  daily: 14\n  yearly: 7          # the accountants ask for seven years\n",
    "keeper.log": "2031-06-02 01:30:00 INFO keeper started copies of larkspur\n",
    "sowing.md": "# Sowing calendar of the allotment\n\n## Beans\n\n"
    "In the summer of 2021 the beans of Heron bed and Sandy bed came up on their own for the first time.\n\n"
    "| Bed | Depth cm | Yield kg |\n|---|---|---|\n| Heron bed | 4 | 87 |\n| Sandy bed | 5 | 64 |\n",
    "films.md": "# Ohio Nights\n\nOhio Nights is an American film.\n\n",
    "desert.md": "# Desert Road\n\nDesert Road is a film that was shot in New Mexico.\n",
}
PRINTED = (
    ("Item", "Qty", "Price EUR"),
    ("Varnish", "2", "150.00"),
    ("Brushes", "5", "10.00"),
    ("", "", "Total EUR 416.50"),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 72), "Invoice 77 of Nordlicht Ltd")
        for line, row in enumerate(PRINTED):
            for column, cell in enumerate(row):
                page.insert_text((78 + 120 * column, 120 + 20 * line), cell)
        page.insert_text((72, 300), "We wish you a calm summer. Greta Holm, owner")
        page.insert_text((72, 760), "Nordlicht Ltd, Dock 4            1")
        pdf.save(str(folder / "printed.pdf"))
    library, stop = Library(tmp_path_factory.mktemp("library")), Stop()
    with closing(LibraryClient(library)) as client:
        client.add([folder], stop)
        with closing(client.follow(stop)) as statuses:
            assert any(is_settled(status) for status in statuses)
    engine = SearchEngine(library.folder, encoder_folder())
    yield engine
    engine.close()


def ask(engine: SearchEngine, question: str) -> Answered:
    kit = toolkit("full")
    events = list(answer(Question(question), Run(kit, ExtractiveModel(), engine)))
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert all(citation.verdict == "verbatim" for citation in answered.citations)
    return answered


@pytest.mark.processes
@pytest.mark.parametrize(
    ("question", "top", "passage"),
    [
        (
            "What is the E04 error and how do I fix it?",
            "**the pump pressure is too low; clean the shower screen**",
            "#### espresso.txt › Error codes\n\n> E04: **the pump",
        ),
        ("What is RETRY_LIMIT?", "**5**", "#### client.py\n\n> RETRY_LIMIT = **5**"),
        ("What is the value of RETRY_LIMIT in the client?", "**5**", "#### client.py\n\n> RETRY_LIMIT = **5**"),
        ("How long does the warranty last?", "**24 months**", "The warranty of the machine lasts **24 months** from"),
        ("What is the gross of invoice 2031?", "**416.50**", "Gross: **416.50** · Status: open"),
    ],
)
def test_the_best_passage_comes_first_with_what_it_surely_states(
    engine: SearchEngine, question: str, top: str, passage: str
) -> None:
    answered = ask(engine, question)
    assert answered.found
    assert UNSURE not in answered.text
    assert answered.text.startswith(top)
    assert passage in answered.text
    assert answered.text.index(passage) < answered.text.find("\n\n> ", answered.text.index(passage) + len(passage)) or (
        answered.text.count("\n> ") == 1
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which invoices are still open?",
        "What is the total of all open invoices?",
        "What is the sum of the gross amounts of open invoices?",
    ],
)
def test_each_wording_leads_to_the_rows_that_are_meant_and_to_the_same_honesty(
    engine: SearchEngine, question: str
) -> None:
    text = ask(engine, question).text
    assert text.startswith(f"{UNSURE}\n\n#### invoices.csv\n\n> Invoice: 2031 · ")
    assert "Status: open" in text.partition("\n\n> ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which port does pumpd listen on?", "7443"),
        ("pumpd PD-112 what happened", "valve stuck"),
        ("How many yearly copies are kept in the keeper retention settings?", "yearly: 7"),
    ],
)
def test_a_line_with_all_words_or_the_code_comes_before_one_that_names_a_file(
    engine: SearchEngine, question: str, first: str
) -> None:
    assert first in ask(engine, question).citations[0].quote


def test_that_there_is_one_row_is_not_how_many_there_are(engine: SearchEngine) -> None:
    answered = ask(engine, "How many larch planks were there?")
    assert "30" in answered.citations[0].quote
    assert answered.text.startswith(UNSURE)


def test_the_row_comes_before_a_sentence_with_the_same_words(engine: SearchEngine) -> None:
    assert "64" in ask(engine, "What was the yield of Sandy bed?").citations[0].quote


def test_each_line_of_a_log_is_quoted_alone(engine: SearchEngine) -> None:
    [quote] = (citation.quote for citation in ask(engine, "GT-210").citations)
    assert quote == "[10/May/2031 05:30:09] printer GT-210 out of paper, sales are suspended until noon"


def test_the_row_of_a_code_without_what_is_asked_for_is_not_sure(engine: SearchEngine) -> None:
    assert UNSURE in ask(engine, "What is the phone number of the supplier of P-42?").text


@pytest.mark.parametrize(
    "question", ["Compare the deposit of lease-harbour and lease-mill", "Compare the two deposits"]
)
def test_a_comparison_names_the_document_of_every_passage(engine: SearchEngine, question: str) -> None:
    text = ask(engine, question).text
    assert "#### lease-harbour.md: Lease Harbour Street 4 › Deposit\n\n> The deposit is 3,450 euros" in text
    assert "#### lease-mill.md: Lease Mill Lane 9 › Deposit\n\n> The deposit is 1,960 euros" in text


def test_what_only_one_of_two_has_is_said(engine: SearchEngine) -> None:
    text = ask(engine, "Compare the pets of lease-harbour and lease-mill").text
    assert ONLY_ONE_SIDE.format("Lease Mill Lane 9") in text
    assert "Pets are allowed with written consent" in text


def test_a_name_that_has_a_country_in_it_is_no_country(engine: SearchEngine) -> None:
    assert "going by" not in ask(engine, "Are Ohio Nights and Desert Road from the same country?").text


def test_the_same_clause_of_each_document_is_compared(engine: SearchEngine) -> None:
    text = ask(engine, "Compare the notice in both garage contracts").text
    assert [text.index(words) for words in ("garage_Hale.md", "five weeks", "garage_Ito.md", "nine weeks")]


@pytest.mark.parametrize(("name", "weeks"), [("Hale", "five"), ("Ito", "nine")])
def test_a_document_is_meant_by_a_word_of_its_file(engine: SearchEngine, name: str, weeks: str) -> None:
    first = ask(engine, f"How many weeks is the notice of the garage of {name}?").citations[0]
    assert first.path.endswith(f"garage_{name}.md")
    assert f"{weeks} weeks" in first.quote


def test_a_value_that_the_question_has_is_no_answer(engine: SearchEngine) -> None:
    text = ask(engine, "Who signed the Hale contract for the owner?").text
    assert not text.startswith("**Runa Hale**")
    assert text.startswith((UNSURE, "**Piet Solberg", "#### garage_Hale.md: Garage contract\n\n> Signed for the owner"))


def test_a_short_number_pins_no_line(engine: SearchEngine) -> None:
    answered = ask(engine, "May 12 guests stay for 30 nights?")
    assert not answered.found or answered.text.startswith(UNSURE)


def test_a_request_for_one_document_shows_that_alone(engine: SearchEngine) -> None:
    text = ask(engine, "Translate the charter of the vessel Osprey").text
    assert text.count("\n\n#### ") == text.count("\n\n#### charter_2031.md") == 1


def test_what_stands_below_a_heading_with_the_code_comes_before_a_line_of_a_log(engine: SearchEngine) -> None:
    text = ask(engine, "What should I do about QX-417?").text
    assert text.index("Blow out the hose") < (text + "ERROR").index("ERROR")
    assert text.startswith(UNSURE)
    assert "2031-04-01T03:10:09" not in text


@pytest.mark.parametrize(
    "question",
    [
        "When was order P-41 shipped?",
        "What was the turnover of the vessel Osprey in May 2031?",
        "What is the warranty of the Espresso 60?",
        "Can RT-88 be used for rope?",
    ],
)
def test_without_a_word_or_the_time_of_the_question_nothing_is_sure(engine: SearchEngine, question: str) -> None:
    assert ask(engine, question).text.startswith(UNSURE)


def test_the_names_of_a_document_do_not_lift_a_line_that_repeats_them(engine: SearchEngine) -> None:
    text = ask(engine, "When did agreement CH-31-7 take effect?").text
    assert text.index("1 June 2031") < (text + "4 May 2031").index("4 May 2031")


def test_who_is_not_answered_by_an_amount(engine: SearchEngine) -> None:
    text = ask(engine, "Who is the load limit of Bay B in the stores?").text
    assert not text.startswith("**")


def test_a_line_of_a_log_is_quoted_alone(engine: SearchEngine) -> None:
    text = ask(engine, "Which connection was reset by the depot?").text
    assert "connection reset by the depot [1](cite:1)" in text


def test_of_two_rows_that_fit_alike_none_is_sure(engine: SearchEngine) -> None:
    text = ask(engine, "price of the rye loaf").text
    assert text.startswith(UNSURE)
    assert [row in text for row in ("until May", "from June")] == [True, True]


def test_a_code_inside_a_sentence_is_no_certain_answer(engine: SearchEngine) -> None:
    answered = ask(engine, "What is the weight of the KX-200 after ten years?")
    assert not answered.found or answered.text.startswith(UNSURE)


def test_a_value_in_code_ends_before_the_remark(engine: SearchEngine) -> None:
    assert ask(engine, "What is PAUSE_S?").text.startswith("**45** [1](cite:1)\n\n#### settings.py\n\n> PAUSE_S")


def test_a_row_with_fewer_cells_than_its_header_has_no_column_names(engine: SearchEngine) -> None:
    text = ask(engine, "What is the total of the Nordlicht invoice in EUR?").text
    assert "Total EUR 416.50" in text
    assert "Qty: " not in text.partition("Total EUR")[0].rpartition("\n")[2]


def test_a_word_of_another_language_is_no_answer(engine: SearchEngine) -> None:
    assert not ask(engine, "How much stock do we have?").found


@pytest.mark.parametrize(
    ("question", "word"), [("What does E99 mean?", "E99"), ("Who is the landlord of Zyntax?", "Zyntax")]
)
def test_what_nothing_mentions_is_said_only_of_what_is_nowhere(engine: SearchEngine, question: str, word: str) -> None:
    answered = ask(engine, question)
    assert f"mentions “{word}”." in answered.text
    for known in ("What is E04?", "What is KX-200?", "Was steht im Mietvertrag zur Kaution?", "What is lease-mill?"):
        assert "mentions" not in ask(engine, known).text


@pytest.mark.parametrize(
    "request_",
    [
        "Summarise the leases and what they say",
        "Translate the lease into French",
        "Draft a letter to Acme",
    ],
)
def test_what_needs_a_language_model_is_said_with_the_documents(engine: SearchEngine, request_: str) -> None:
    answered = ask(engine, request_)
    assert NEEDS_MODEL in answered.text
    assert "\n\n#### " in answered.text


def test_a_line_of_names_does_not_come_before_one_that_answers(engine: SearchEngine) -> None:
    text = ask(engine, "Can I keep a dog in the flat at Quarry Lane?").text
    assert 0 < text.index("Dogs are not permitted") < (text + "Second-floor flat").index("Second-floor flat")


def test_a_code_at_its_beginning_makes_a_line_the_first(engine: SearchEngine) -> None:
    text = ask(engine, "What is the value of WAIT_MINUTES?").text
    assert text.index("WAIT\\_MINUTES = " if "WAIT\\_" in text else "WAIT_MINUTES = ") < (text + "return").index(
        "return"
    )


def test_what_the_program_says_of_its_search_is_no_statement(engine: SearchEngine) -> None:
    answered = ask(engine, "Which zebra crossed the Danube in 1822?")
    assert not answered.found
    assert not [claim for claim in answered.claims if claim.mark == "uncited"]


def test_thanks_need_no_documents(engine: SearchEngine) -> None:
    answered = ask(engine, "Thanks!")
    assert (answered.found, answered.citations) == (False, ())
    assert KNOWS_NOTHING in answered.text
    assert NOT_FOUND_OPENING not in answered.text
