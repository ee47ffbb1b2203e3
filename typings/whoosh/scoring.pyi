from whoosh.searching import Searcher

class WeightingModel:
    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float: ...

class BM25F(WeightingModel):
    def __init__(self, B: float = 0.75, K1: float = 1.2) -> None: ...
