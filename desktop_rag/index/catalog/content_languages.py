"""Which contents are in which language, remembered until the catalog changes."""

from collections import defaultdict
from collections.abc import Collection

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import ContentId


class ContentLanguages:
    """The languages of a catalog but English, which most programs and many texts are in."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._contents: dict[str, frozenset[ContentId]] = {}

    def among(self, languages: Collection[str]) -> dict[str, frozenset[ContentId]]:
        """Return the contents in each of these languages (ISO 639-1) that any is in."""
        version = self._database.number("PRAGMA data_version")
        if version != self._version:
            found: defaultdict[str, set[ContentId]] = defaultdict(set)
            for language, content in self._database.rows(
                tuple[str, int], "SELECT language, id FROM content WHERE language NOT IN ('', 'en')"
            ):
                found[language.partition("-")[0].lower()].add(ContentId(content))
            self._contents = {language: frozenset(contents) for language, contents in found.items()}
            self._version = version
        return {language: contents for language, contents in self._contents.items() if language in languages}
