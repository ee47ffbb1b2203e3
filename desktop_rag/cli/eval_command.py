"""`desktop-rag eval`: measure the quality of retrieval and answers on test collections."""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from desktop_rag.cli import eval_qa_command
from desktop_rag.cli.output import FOUND, Output, progress_notes
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, collections_below, read_collection, read_files
from desktop_rag.evaluation.retrieval.results import MEASURES, Result, read, write
from desktop_rag.index.keywords.keyword_engine import KeywordEngine
from desktop_rag.retrieval.api import Mode
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

MODES = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID, Mode.RERANKED, Mode.LINKED, Mode.BEST)


def evaluate(arguments: Sequence[str], output: Output, stop: Stop) -> int:
    """Run the subcommand of `eval`."""
    options = _parser().parse_args(arguments)
    output.as_json = output.as_json or options.json
    match options.what:
        case "report":
            return _report(options, output)
        case "learn":
            return _learn(options, output, stop)
        case "qa":
            return eval_qa_command.qa(options, output, stop)
        case "compare":
            return eval_qa_command.compare(options, output, stop)
        case _:
            return _retrieval(options, output, stop)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-rag eval", description="Measure how well this program finds and answers."
    )
    parser.add_argument("--json", action="store_true", help="print JSON, one object a line")
    subcommands = parser.add_subparsers(dest="what", required=True)
    by = f"by meaning with the encoder of the settings, {chosen_encoder().name}"
    retrieval = subcommands.add_parser(
        "retrieval", help="ask the questions of test collections", description=f"Ask questions, {by}."
    )
    retrieval.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="collections, or folders of them")
    retrieval.add_argument("--corpus", type=Path, metavar="FILE", help="the passages of one collection (JSON lines)")
    retrieval.add_argument("--queries", type=Path, metavar="FILE", help="its questions (JSON lines)")
    retrieval.add_argument(
        "--qrels", type=Path, metavar="FILE", help="the relevant passages; default: the field `gold`"
    )
    retrieval.add_argument(
        "--mode",
        action="append",
        choices=[mode.value for mode in Mode],
        help="how to search; may be repeated (default: all but exact)",
    )
    retrieval.add_argument("--baselines", action="store_true", help="also ask bm25s and whole-passage vectors")
    retrieval.add_argument(
        "--float32", type=Path, metavar="FOLDER", help="also ask by meaning with the float32 encoder in this folder"
    )
    retrieval.add_argument(
        "--engine",
        choices=[engine.value for engine in KeywordEngine],
        default=KeywordEngine.COLUMNAR.value,
        help="columnar (default), or stock Whoosh and float32 vectors with the same search",
    )
    retrieval.add_argument("--boolean", action="store_true", help="also ask the Boolean forms of questions")
    retrieval.add_argument("--plain", action="store_true", help="ask without operators: a quoted title is no phrase")
    retrieval.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the libraries there, and reuse existing ones"
    )
    retrieval.add_argument("--out", type=Path, metavar="FOLDER", help="write the results with every question there")
    retrieval.add_argument("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)
    learn = subcommands.add_parser("learn", help="train the feature weights of hybrid+rerank")
    learn.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="collections, or folders of them")
    learn.add_argument("--keep", type=Path, metavar="FOLDER", help="keep and reuse libraries there")
    learn.add_argument("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)
    report = subcommands.add_parser("report", help="write a report page")
    report.add_argument("results", nargs="+", type=Path, metavar="RESULT", help="files or folders of `--out`")
    report.add_argument("--out", type=Path, required=True, metavar="PAGE", help="the page: .html or .md")
    report.add_argument("--json", action="store_true", help=argparse.SUPPRESS, default=argparse.SUPPRESS)
    eval_qa_command.add_verbs(subcommands)
    return parser


def _retrieval(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    from desktop_rag.evaluation.retrieval.retrieval_runner import RetrievalPlan, evaluate
    from desktop_rag.evaluation.retrieval.systems import BASELINES

    say = progress_notes(output, stop)
    modes = tuple(map(Mode, options.mode or MODES))
    baselines = BASELINES if options.baselines else ()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch:
        keep = options.keep or Path(scratch)
        plan = RetrievalPlan(
            modes,
            keep,
            baselines,
            boolean=options.boolean,
            plain=options.plain,
            engine=KeywordEngine(options.engine),
            encoder=chosen_encoder(),
            float32=options.float32,
        )
        for collection in _requested_collections(options):
            result = evaluate(collection, plan, say)
            if options.out:
                write(result, options.out / f"{result.collection}.json")
            _print(result, output)
    return FOUND


def _learn(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    from desktop_rag.evaluation.retrieval.reranker_training import learn
    from desktop_rag.evaluation.retrieval.retrieval_runner import RetrievalPlan

    with tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch:
        plan = RetrievalPlan((), options.keep or Path(scratch), ())
        learned = learn(_collections(options.folders), plan, progress_notes(output, stop))
    for trial in learned.trials:
        if output.as_json:
            output.value(msgspec.to_builtins(trial))
        else:
            others = f"  learned from the others {trial.from_others}" if trial.from_others else ""
            output.line(f"{trial.collection:16} hybrid {trial.hybrid:.3f}  in use {trial.in_use}{others}")
    if output.as_json:
        output.value({"type": "weights", **learned.weights._asdict()})
    else:
        output.line("  ".join(f"{name} {weight:.2f}" for name, weight in learned.weights._asdict().items()))
    return FOUND


def _requested_collections(options: argparse.Namespace) -> list[Collection]:
    if options.corpus or options.queries:
        if not (options.corpus and options.queries) or options.folders:
            raise BenchError("Name --corpus and --queries (and --qrels), or folders of collections.")
        return [read_files(options.corpus.parent.name, options.corpus, options.queries, options.qrels)]
    return _collections(options.folders)


def _collections(named: Sequence[Path]) -> list[Collection]:
    folders = [below for folder in named for below in collections_below(folder)]
    if not folders:
        raise BenchError("There is no corpus.jsonl with its queries.jsonl; name a folder of collections.")
    return [read_collection(folder) for folder in folders]


def _print(result: Result, output: Output) -> None:
    output.note(f"{result.collection}: {result.passages:,} passages, encoder {result.encoder}")
    for outcome in result.outcomes:
        found = outcome.summary()
        if output.as_json:
            named = {"collection": result.collection, "mode": outcome.system, "encoder": result.encoder}
            output.value({**named, **found})
        else:
            numbers = "  ".join(f"{name} {found[name]:.3f}" for name in MEASURES)
            times = f"{found['p50_ms']:.0f} ms, 95 % within {found['p95_ms']:.0f} ms"
            output.line(f"{result.collection:16} {outcome.system:24} {numbers}  {times}")


def _report(options: argparse.Namespace, output: Output) -> int:
    from desktop_rag.evaluation.retrieval.retrieval_page import html, markdown

    results = [read(file) for file in _result_files(options.results)]
    page = markdown(results) if options.out.suffix == ".md" else html(results)
    try:
        options.out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BenchError(f"The page cannot be written to {options.out}: {error.strerror}") from error
    if output.as_json:
        output.value({"type": "report", "page": str(options.out), "collections": [r.collection for r in results]})
    else:
        output.note(f"Wrote {options.out}")
    return FOUND


def _result_files(paths: Sequence[Path]) -> list[Path]:
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not files:
        raise BenchError("There is no result; `desktop-rag eval retrieval --out FOLDER` writes them.")
    return files
