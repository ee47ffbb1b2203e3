"""A library of three leases with a table over them, and what fills it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from desktop_rag.agent.budget import Spending
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.run.usual_run import RunModels
from desktop_rag.paths import spending_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings
from desktop_rag.stop import Stop
from desktop_rag.work.columns import read_columns
from desktop_rag.work.filling import Filler, FillEvent, fill
from desktop_rag.work.row_reading import rows_of
from desktop_rag.work.table import Place, TableId
from desktop_rag.work.work_store import WorkStore
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn
from tests.integration.agent.gated_runs import library_of
from tests.integration.retrieval.conftest import SmallLibrary

LEASES = {
    "a.md": "# Lease of the mill\n\nLandlord: Anna Meier\n\nThe rent is 900 euros a month.\n",
    "b.md": "# Lease of the barn\n\nLandlord: Kestrel Ltd\n\nThe rent is 1,200 euros a month.\n",
    "c.md": "# Lease of the pier\n\nLandlord: Oskar Adler\n\nNothing is owed for it.\n",
}
COLUMNS = ("Landlord", "Rent: amount")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    with library_of(LEASES, tmp_path, monkeypatch) as library:
        yield library


@pytest.fixture
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()


@pytest.fixture
def store(library: SmallLibrary) -> Iterator[WorkStore]:
    store = WorkStore(library.layout)
    yield store
    store.close()


@pytest.fixture
def table(store: WorkStore, engine: SearchEngine) -> TableId:
    return store.create("Leases", read_columns(COLUMNS), rows_of(engine, (), Stop()))


def answered(value: str, quote: str) -> Turn:
    return Turn(text=json.dumps({"value": value, "quote": quote}))


def by_document(request: SeenRequest) -> Turn:
    """Answer each cell from the lines that were sent, as a capable model would."""
    data = str(request.messages[1]["content"])
    lines = [line.partition(": ")[2] for line in data.split("\n") if line[:1].isdigit()]
    if "Question: Landlord" in data:
        line = next(line for line in lines if line.startswith("Landlord"))
        return answered(line.removeprefix("Landlord: "), line)
    line = next((line for line in lines if "euros" in line), "")
    return answered(line.removeprefix("The rent is ").removesuffix(" a month."), line) if line else answered("", "")


def filler_of(
    engine: SearchEngine, endpoint: ScriptedEndpoint | None, *, look: bool = False, profile: Profile | None = None
) -> Filler:
    """Return what fills tables by a scripted endpoint, without one by the built-in model."""
    if endpoint is not None and profile is None:
        profile = Profile("test", endpoint.base_url, "scripted")

    def models() -> RunModels:
        return RunModels(profile, chat_model(profile, "", remembered=False))

    settings = Settings(second_look=look)
    return Filler(engine, settings, ExtractiveModel(), models, Spending(spending_file()), profile)


def filled(
    table: TableId,
    store: WorkStore,
    engine: SearchEngine,
    endpoint: ScriptedEndpoint | None = None,
    only: Sequence[Place] | None = None,
    *,
    look: bool = False,
) -> list[FillEvent]:
    """Fill a table to the end."""
    return list(fill(table, store, filler_of(engine, endpoint, look=look), Stop(), only))
