"""When the indexer of a library works: stored in the catalog."""

import msgspec

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer_api import Schedule


def schedule_of(catalog: CatalogReader) -> Schedule:
    """Return the schedule, the usual one if none was chosen or it cannot be read."""
    stored = catalog.database.values(str, "SELECT value FROM meta WHERE key = 'schedule'")
    try:
        return msgspec.json.decode(stored[0], type=Schedule) if stored else Schedule()
    except msgspec.DecodeError:
        return Schedule()


def store_schedule(catalog: Catalog, schedule: Schedule) -> None:
    """Replace the schedule."""
    encoded = msgspec.json.encode(schedule).decode()
    catalog.database.execute("INSERT OR REPLACE INTO meta VALUES ('schedule', ?)", (encoded,))
