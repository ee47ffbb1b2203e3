"""Files without text in a team's library: one entry for each, with its name and facts; found by its name alone."""

import os
from collections.abc import Iterable, Sequence

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_names import FileNames, NameTest, TextlessFile, TextlessFiles, words_of
from desktop_rag.team.format.document_cards import NAMED_PACKING, NamedRecord
from desktop_rag.team.format.team_indexes import FILES
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.server.json_answers import Json, as_dict, as_list, hits, total

_MOST = 200  # files of a search, those with the most of its words first
_MOST_TERMS = 500  # of one search
_VOCABULARY = 10_000  # words of names that patterns and misspelled words are compared with, the most frequent ones


class TeamNamedFiles(TextlessFiles):
    """Finds them, under the `conditions` of one request; each is looked up in real time before it is shown."""

    def __init__(self, database: Database, names: FileNames, shared: Shared) -> None:
        super().__init__(database, names)
        self._shared = shared
        self.conditions: list[Json] = []

    def all(self) -> tuple[TextlessFile, ...]:
        """Return the newest of them, without pictures of text."""
        return self._found({"bool": {"must_not": [{"term": {"picture": True}}]}})

    def with_words(self, words: Iterable[str], tests: Sequence[NameTest] = ()) -> tuple[TextlessFile, ...]:
        """See the base class; the best `_MOST` of them."""
        wanted = set(words)
        if tests and self._any():
            wanted.update(word for word in self._vocabulary() if any(test.passes(word) for test in tests))
        some = sorted(wanted)[:_MOST_TERMS]
        each: list[Json] = [{"constant_score": {"filter": {"term": {"names": word}}}} for word in some]
        return self._found({"bool": {"should": each, "minimum_should_match": 1}}) if each else ()

    def at(self, path: bytes) -> TextlessFile | None:
        """Return the one at an absolute path of the server, if this user may see it."""
        self.conditions = []
        found = self.with_words(words_of(os.path.basename(path)))  # noqa: PTH119 (bytes)
        return next((file for file in found if file.place.path == path), None)

    def _any(self) -> bool:
        few: Json = {"size": 0, "track_total_hits": 1}
        known = self._shared.seldom("textless", lambda: total(self._shared.search(FILES, few)))
        return bool(known)

    def _vocabulary(self) -> list[str]:
        body: Json = {"size": 0, "aggs": {"words": {"terms": {"field": "names", "size": _VOCABULARY}}}}
        answer = as_dict(self._shared.seldom("textless words", lambda: self._shared.search(FILES, body)))
        buckets = as_list(as_dict(as_dict(answer.get("aggregations")).get("words")).get("buckets"))
        return [str(as_dict(bucket).get("key")) for bucket in buckets]

    def _found(self, query: Json) -> tuple[TextlessFile, ...]:
        if not self._any():
            return ()
        wanted: Json = {"bool": {"must": [query], "filter": self.conditions}}
        order: list[Json] = [{"_score": {"order": "desc"}}, {"modified": {"order": "desc"}}]
        body: Json = {"query": wanted, "size": _MOST, "sort": order, "_source": False, "track_total_hits": False}
        ids = [str(hit["_id"]) for hit in hits(self._shared.search(FILES, body))]
        cards = self._shared.connection.mget(FILES, ids, ("card", "space"))
        spaces = self._shared.spaces
        records = [
            NAMED_PACKING.unpack(card.get("card"))
            for card in cards.values()
            if not spaces or card.get("space") in spaces
        ]
        return tuple(self._file(record) for record in records if isinstance(record, NamedRecord))

    def _file(self, record: NamedRecord) -> TextlessFile:
        content = record.content
        if content is not None:
            self._shared.textless[content.id] = content
        return TextlessFile(record.place, content.id if content is not None else None, record.reason, record.words)
