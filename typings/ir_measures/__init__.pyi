from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

class Measure: ...

class Metric(NamedTuple):
    query_id: str
    measure: Measure
    value: float

def parse_measure(name: str) -> Measure: ...
def iter_calc(
    measures: Sequence[Measure], qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> Iterator[Metric]: ...
