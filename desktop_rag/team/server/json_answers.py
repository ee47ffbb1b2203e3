"""Values of answers in JSON, which may be anything."""

from collections.abc import Sequence

import msgspec

from desktop_rag.errors import TeamError
from desktop_rag.llm.json_value import JsonObject, as_list, as_object

Json = JsonObject


def as_int(value: object) -> int:
    """Return a number of an answer; 0 for anything else."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float | str) and str(value).lstrip("-").split(".")[0].isdigit() else 0


def hits(answer: Json) -> list[Json]:
    """Return the hits of an answer."""
    return [as_object(hit) for hit in as_list(as_object(answer.get("hits")).get("hits"))]


def total(answer: Json) -> int:
    """Return the number of hits of an answer."""
    return as_int(as_object(as_object(answer.get("hits")).get("total")).get("value"))


def aggregated(answer: Json, name: str) -> Json:
    """Return an aggregation of an answer, or of one of its buckets."""
    return as_object(as_object(answer.get("aggregations", answer)).get(name))


def buckets(answer: Json, name: str) -> list[Json]:
    """Return the buckets of an aggregation."""
    return [as_object(bucket) for bucket in as_list(aggregated(answer, name).get("buckets"))]


# The answers to searches for passages, decoded at once into what is used of them.


class PassageFields(msgspec.Struct, gc=False):
    """What a hit brings of its passage; see `team_records.passage_fields`."""

    chunk: tuple[int, ...]
    content: tuple[int, ...] = ()
    language: tuple[str, ...] = ()
    mean: tuple[str, ...] = ()
    card: tuple[str, ...] = ()


class _Nested(msgspec.Struct, gc=False):
    offset: int = 0


class _Sentence(msgspec.Struct, gc=False):
    nested: _Nested = msgspec.field(name="_nested")


class _Sentences(msgspec.Struct, gc=False):
    hits: tuple[_Sentence, ...] = ()


class _SentenceHits(msgspec.Struct, gc=False):
    hits: _Sentences


class _InnerHits(msgspec.Struct, gc=False):
    sentences: _SentenceHits


class ServerHit(msgspec.Struct, gc=False):
    """One hit in the server's answer: a passage, its score, and its nearest sentence if that was asked for."""

    fields: PassageFields
    score: float | None = msgspec.field(name="_score", default=None)
    inner_hits: _InnerHits | None = None

    @property
    def ordinal(self) -> int:
        """Return the number of the nearest sentence, -1 if it is not known."""
        found = self.inner_hits.sentences.hits.hits if self.inner_hits is not None else ()
        return found[0].nested.offset if found else -1


class Shards(msgspec.Struct, gc=False):
    """How many parts of an index there are, and how many have answered."""

    total: int = 0
    successful: int = 0


class _Hits(msgspec.Struct, gc=False):
    hits: list[ServerHit] = []


class PassageAnswer(msgspec.Struct, gc=False):
    """The answer to one search."""

    error: object = None
    timed_out: bool = False
    shards: Shards = msgspec.field(name="_shards", default_factory=Shards)
    hits: _Hits = msgspec.field(default_factory=_Hits)


class _Answers(msgspec.Struct, gc=False):
    responses: list[PassageAnswer]


_DECODER = msgspec.json.Decoder(_Answers)


def passage_answers(body: bytes) -> Sequence[PassageAnswer]:
    """Return the answers to the searches of one request; raises `TeamError` for anything else."""
    try:
        return _DECODER.decode(body).responses
    except msgspec.DecodeError as error:
        raise TeamError(f"The team's server answered a search in an unknown way ({error}).") from error
