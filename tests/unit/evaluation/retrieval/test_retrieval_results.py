"""Measures, JSON round trip and the report of retrieval results."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation import report_page
from desktop_rag.evaluation.retrieval.retrieval_page import Ranking, Result, html, markdown, measured, read, write

pytest.importorskip("ir_measures")

JUDGED = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}}


def answer(*passages: str, milliseconds: float = 5.0) -> Ranking:
    # All scores alike: what counts is the order.
    return Ranking(tuple((passage, 1.0) for passage in passages), milliseconds)


def result() -> Result:
    good = {"q1": answer("a", "b"), "q2": answer("x", "c"), "q3": answer("d")}
    poor = {"q1": answer("b", "x", milliseconds=9.0), "q2": answer("x", "y"), "q3": answer()}
    outcomes = (measured("hybrid", good, JUDGED), measured("keyword", poor, JUDGED))
    questions = {"q1": "Both <one> & two?", "q2": "Three | four?", "q3": "Five?"}
    return Result("small", 6, questions, multi_hop=True, engine="columnar", machine="a machine", outcomes=outcomes)


def test_the_order_counts_if_scores_are_equal() -> None:
    hybrid, keyword = result().outcomes
    assert hybrid.measures["mrr@10"] == {"q1": 1.0, "q2": 0.5, "q3": 1.0}
    assert keyword.measures["recall@5"] == {"q1": 0.5, "q2": 0.0, "q3": 0.0}


def test_all_gold_requires_every_passage() -> None:
    hybrid, keyword = result().outcomes
    assert hybrid.measures["all_gold@10"] == {"q1": 1.0, "q2": 1.0, "q3": 1.0}
    assert keyword.summary()["all_gold@10"] == 0.0
    eleventh = measured("late", {"q1": answer("a", *"qrstuvwxyz", "b"), "q2": answer(), "q3": answer()}, JUDGED)
    assert eleventh.measures["all_gold@10"]["q1"] == 0.0


def test_the_summary_has_means_and_times() -> None:
    found = result().outcomes[0].summary()
    assert found["queries"] == 3
    assert found["mrr@10"] == pytest.approx(5 / 6, abs=1e-4)
    assert found["p50_ms"] == found["p95_ms"] == 5.0


def test_a_result_round_trips(tmp_path: Path) -> None:
    write(result(), tmp_path / "new" / "small.json")
    assert read(tmp_path / "new" / "small.json") == result()


def test_an_invalid_result_file_raises(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"collection": 1}', encoding="utf-8")
    with pytest.raises(BenchError, match=r"other\.json is not a result"):
        read(tmp_path / "other.json")
    with pytest.raises(BenchError, match="cannot be read"):
        read(tmp_path / "missing.json")


def test_the_page_is_one_file_that_loads_nothing() -> None:
    page = html([result()])
    assert "Both &lt;one&gt; &amp; two?" in page
    assert "src=" not in page
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert page.count("<svg") == page.count("</svg>") == 2


def test_markdown_has_the_same_content_as_html() -> None:
    page = markdown([result()])
    assert "| hybrid | 0.877 |" in page
    assert "hybrid − keyword for each question: 3 better, 0 worse." in page
    assert r"Three \| four?" in page
    assert "hybrid − keyword for each question: 3 better, 0 worse." in html([result()])


def test_a_single_system_is_not_compared() -> None:
    whole = result()
    alone = Result("small", 6, whole.questions, True, "columnar", "a machine", whole.outcomes[:1])
    assert "−" not in markdown([alone]).replace("hybrid − ", "")


def test_drawings_are_well_formed_and_show_every_change() -> None:
    drawn = ElementTree.fromstring(report_page.deltas([0.5, -0.25, 0.0]))
    kinds = [rect.get("class") for rect in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert kinds == ["bad", "good"]
    named = ElementTree.fromstring(report_page.bars([report_page.PlotBar("a & b", 0.5, 0.4, 0.6)]))
    assert [text.text for text in named.iter("{http://www.w3.org/2000/svg}text")] == ["a & b", "0.500"]
