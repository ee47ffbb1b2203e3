"""The arguments of the window and of all verbs; the help, the manual page and the completions are made from them."""

import argparse
import difflib
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.paths import valid_text

VERBS = {
    "index": "Add folders or files to the library and show the progress",
    "search": "Search the library",
    "ask": "Ask a question and get a cited answer",
    "table": "Fill a table over documents: a row for each, a column for each question, each cell with its line",
    "report": "Write a report: an outline, then section by section, each sentence with its lines",
    "watch": "Keep questions, and tell what new documents say to them",
    "open": "Show a line of a document in the window",
    "cite": "Check the citations of a text against the library",
    "export": "Print a stored conversation as a document, or its sources for a reference manager",
    "mcp": "Serve the library to other programs by the Model Context Protocol",
    "serve": "Answer chat programs from the library, as an OpenAI-compatible endpoint",
    "serve-index": "Copy the library to a team's library on OpenSearch, and keep it up to date",
    "status": "Show the contents of the library and the activity of the indexer",
    "why": "Explain why a file is indexed or not, and why a search finds it or not",
    "retry": "Retry files that were quarantined or read only in part",
    "check": "Verify the library, and repair it",
    "forget": "Erase a folder and overwrite its text in all files of the library",
    "relocate": "Tell the library that its folders have moved",
    "libraries": "List, create, rename and remove libraries",
    "encoder": "List, add, choose and remove sentence encoders",
    "settings": "Show or change the settings, and where they are stored",
    "sent": "Show what was sent to which endpoint, and allow or forbid hosts",
    "events": "Follow the work of the indexer",
    "completion": "Print the completions for a shell",
    "doctor": "Examine an endpoint: what it can do, and what to change on its server",
    "eval": "Measure the quality of search and answers on test collections",
}

# The values of `Mode`, whose module is too heavy to import for every verb.
LISTS = {  # whose names can be listed
    "--library": "libraries",
    "--profile": "profiles",
    "--toolkit": "toolkits",
    "--add": "programs",
    "KEY": "settings",
}
_EXPORTS = ("md", "html", "docx", "pdf", "json", "bib", "ris", "csl")
_SHELLS = ("bash", "zsh", "fish", "powershell")
_SORTS = ("relevance", "date", "name", "size", "folder")
_MODES = ("keyword", "exact", "semantic", "hybrid", "linked", "hybrid+rerank", "linked+rerank")


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's arguments."""
    verbs = "\n".join(f"  {name:8} {text}" for name, text in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description="Ask your folders, and see the line that proves the answer.",
        epilog=f"with a link:\n  desktop-rag://open?file=PATH&line=N, desktop-rag://search?q=WORDS, desktop-rag://ask?q=WORDS\n\n"
        f"without a window:\n{verbs}\n\n`desktop-rag VERB --help` shows its options.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", type=_existing_path, metavar="FOLDER", help="folders or files to add")
    parser.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
    parser.add_argument(
        "--demo", action="store_true", help="index the sample apart from your libraries, ask two questions, and end"
    )
    background = "open the window in the tray, or minimised: what a start at login does"
    parser.add_argument("--background", action="store_true", help=background)
    portable = "as the first argument, also before a verb: keep all data in a folder beside the program"
    parser.add_argument("--portable", action=_Misplaced, nargs=0, help=portable)
    parser.add_argument("--version", action="version", version=f"Desktop RAG {__version__}")
    return parser


class _Misplaced(argparse.Action):
    """Refuses an option that is read, and taken away, as the first argument only."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Report wrong usage."""
        parser.error(f"{option_string} must be the first argument")


class _Verbs:
    """Adds the parsers of verbs, with the options that many of them share."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parsers = parser.add_subparsers(dest="verb", required=True)
        self._json = argparse.ArgumentParser(add_help=False)
        self._json.add_argument("--json", action="store_true", help="print JSON, one object a line")
        self._library = argparse.ArgumentParser(add_help=False)
        self._library.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
        self.pager = argparse.ArgumentParser(add_help=False)
        self.pager.add_argument("--no-pager", action="store_true", help="print long lists at once, not by $PAGER")

    def bare(self, name: str, *more: argparse.ArgumentParser) -> argparse.ArgumentParser:
        """Return the parser of a verb that needs no library."""
        parents = [self._json, *more]
        parser = self._parsers.add_parser(name, parents=parents, help=VERBS[name], description=VERBS[name])
        parser.set_defaults(refuse=parser.error)
        return parser

    def on_library(self, name: str, *more: argparse.ArgumentParser) -> argparse.ArgumentParser:
        """Return the parser of a verb on a library."""
        return self.bare(name, self._library, *more)


ENCODER_ACTIONS = ("list", "add", "get", "use", "remove")


def verb_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    parser = argparse.ArgumentParser(prog="desktop-rag")
    verbs = _Verbs(parser)
    _add_searching(verbs)
    _add_asking(verbs)
    _add_serving(verbs)
    _add_upkeep(verbs)
    _add_libraries(verbs)
    _add_program(verbs)
    return parser


def _add_searching(verbs: _Verbs) -> None:
    index = verbs.on_library("index")
    index.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files or folders; none: update")
    index.add_argument("--background", action="store_true", help="leave other programs the precedence")
    search = verbs.on_library("search", verbs.pager)
    what = "keywords, or the query language: hits have “quoted words” in a row; in a question these only rank higher"
    search.add_argument("query", type=_non_empty("query"), metavar="QUERY", nargs="?", help=what)
    search.add_argument("-i", "--interactive", action="store_true", help="search at each key, choose, read and open")
    search.add_argument(
        "--mode",
        choices=_MODES,
        default="hybrid",
        help="by keywords, as an exact substring, by meaning, by both (hybrid), also along the links of the best hits "
        "(linked), with the best hits re-ranked (hybrid+rerank), or re-ranked and then linked (linked+rerank)",
    )
    search.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="maximum number of hits (10)")
    search.add_argument("--sort", choices=_SORTS, default="relevance", help="order of the hits (relevance)")
    search.add_argument("--reverse", action="store_true", help="turn the order: oldest or smallest first, best last")
    _add_scope_options(search)


def _add_asking(verbs: _Verbs) -> None:
    ask = verbs.on_library("ask")
    ask.add_argument("question", type=_non_empty("question"), metavar="QUESTION", nargs="?")
    model = ask.add_mutually_exclusive_group()
    model.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    file = "run this model file (GGUF) on this computer while it answers"
    model.add_argument("--model-file", type=_existing_path, metavar="FILE", help=file)
    ask.add_argument("--toolkit", metavar="T", help="the tools and the prompt to use; `help` lists them")
    ask.add_argument("-i", "--interactive", action="store_true", help="go on asking: a conversation in the terminal")
    extra = "also search this file or folder, first, without adding it to the library; can be repeated"
    ask.add_argument("--attach", action="append", default=[], type=_existing_path, metavar="FILE", help=extra)
    _add_scope_options(ask)
    _add_table(verbs)
    _add_report(verbs)
    _add_watch(verbs)
    verbs.on_library("open").add_argument(
        "place", type=_non_empty("place"), metavar="FILE[:LINE[-LINE]]", help="or FILE#L12-L14"
    )
    cite = verbs.on_library("cite", verbs.pager)
    cite.add_argument("file", metavar="FILE", help="the text, such as a Markdown file; `-`: standard input")
    cite.add_argument("--no-look", action="store_true", help="do not have the connected model read the cited lines")
    export = verbs.on_library("export", verbs.pager)
    export.add_argument(
        "conversation", nargs="?", metavar="CONVERSATION", help="a number or `last`; default: list the conversations"
    )
    export.add_argument("--format", dest="kind", choices=_EXPORTS, default="md", help="of the document (md)")
    export.add_argument("--out", dest="file", type=Path, metavar="FILE", help="write it there")


def _add_table(verbs: _Verbs) -> None:
    table = verbs.on_library("table")
    table.add_argument("table", metavar="TABLE", nargs="?", help="the number or name of a table; none: list them")
    kinds = "a question, with the kind of its answers if they are no texts: “Rent: amount”, date, yes/no, one of A, B"
    table.add_argument("--column", action="append", default=[], metavar="QUESTION[: KIND]", help=f"{kinds}; repeat")
    table.add_argument("--name", metavar="NAME", help="of the new table")
    table.add_argument("--query", type=_non_empty("query"), metavar="Q", help="rows: the documents that this finds")
    table.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    table.add_argument("--suggest", action="store_true", help="list labels and headings that the documents share")
    table.add_argument("--no-fill", action="store_true", help="ask nothing; print what is there")
    table.add_argument("--again", action="store_true", help="ask all cells again; corrections by hand stay")
    table.add_argument("--yes", action="store_true", help="do not ask before a model is asked")
    table.add_argument("--format", choices=("xlsx", "csv", "md"), help="of the output (md, or as FILE ends)")
    table.add_argument("--out", type=Path, metavar="FILE", help="write it there")
    table.add_argument("--delete", action="store_true", help="delete the table")
    _add_scope_options(table)


def _add_report(verbs: _Verbs) -> None:
    report = verbs.on_library("report", verbs.pager)
    report.add_argument("question", metavar="QUESTION|REPORT", nargs="?", help="or the number of a report; none: list")
    report.add_argument("--outline", type=Path, metavar="FILE", help="sections, one a line: “Heading: question”")
    report.add_argument("--outline-only", action="store_true", help="propose an outline, to be edited, and end")
    report.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    report.add_argument("--tokens", type=_tokens, metavar="N", help="stop before the section after so many (200000)")
    report.add_argument("--minutes", type=float, metavar="N", help="the same after so many minutes")
    report.add_argument("--money", type=float, metavar="N", help="the same after so much money, by your prices")
    report.add_argument("--format", choices=_EXPORTS, help="of the output (md, or as FILE ends)")
    report.add_argument("--out", type=Path, metavar="FILE", help="write it there")
    report.add_argument("--delete", action="store_true", help="delete the report")
    _add_scope_options(report)


def _add_watch(verbs: _Verbs) -> None:
    watch = verbs.on_library("watch")
    watch.add_argument(
        "action", choices=("list", "add", "run", "remove"), nargs="?", default="list", help="default: list"
    )
    watch.add_argument("what", metavar="QUESTION|NUMBER", nargs="?", help="a question to add; a number; none: all")
    watch.add_argument("--table", metavar="TABLE", help="add: a table, whose rows follow the scope")
    watch.add_argument("--ask", action="store_true", help="run: have a model say what has changed, fill tables")
    watch.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    _add_scope_options(watch)


def _add_serving(verbs: _Verbs) -> None:
    mcp = verbs.on_library("mcp")
    mcp.add_argument(
        "--http",
        type=_port,
        nargs="?",
        const=0,
        metavar="PORT",
        help="serve on 127.0.0.1 with a key instead of standard input and output; default: any free port",
    )
    client = mcp.add_mutually_exclusive_group()
    client.add_argument("--clients", action="store_true", help="list the programs whose settings can be changed")
    client.add_argument("--add", metavar="PROGRAM", help="add the server to the settings of this program, after asking")
    client.add_argument("--remove", metavar="PROGRAM", help="remove it from there, after asking")
    mcp.add_argument("--yes", action="store_true", help="change the settings without asking")
    _add_scope_options(mcp)
    serve = verbs.on_library("serve")
    serve.add_argument("--port", type=_port, default=0, metavar="PORT", help="on 127.0.0.1; default: any free port")
    serve.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    _add_scope_options(serve)
    _add_serve_index(verbs)


def _add_serve_index(verbs: _Verbs) -> None:
    index = verbs.on_library("serve-index")
    index.add_argument("--to", required=True, metavar="URL", help="https://SERVER:9200/NAME, the team's library")
    index.add_argument("--user", default="", metavar="USER", help="whose role may write there")
    index.add_argument("--ca-file", metavar="FILE", help="the authority of the server's certificate, in PEM")
    index.add_argument("--certificate", metavar="FILE", help="sign in with this certificate and key, in PEM")
    index.add_argument("--name", metavar="NAME", help="of this source in the team's library; default: the library's")
    index.add_argument(
        "--space",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="a root folder of the library as a space of its own",
    )
    _add_store_options(index, "keep files with pages in")
    index.add_argument("--shards", type=_count, default=1, metavar="N", help="of new indexes (1)")
    index.add_argument("--replicas", type=int, default=1, metavar="N", help="copies of each shard (1)")
    index.add_argument(
        "--once", action="store_true", help="end when everything is copied, or after 5 minutes of failures"
    )
    index.add_argument("--status-port", type=_port, default=0, metavar="PORT", help="serve metrics on 127.0.0.1")


def _add_store_options(parser: argparse.ArgumentParser, purpose: str) -> None:
    help_ = f"{purpose} this S3 store, such as https://SERVER/BUCKET"
    parser.add_argument("--store", metavar="URL", help=help_)
    key = "with --store: the id of an access key; its secret is asked for, or in DESKTOP_RAG_STORE_SECRET"
    parser.add_argument("--store-key", metavar="ID", help=key)


def _add_upkeep(verbs: _Verbs) -> None:
    verbs.on_library("status", verbs.pager).add_argument(
        "--problems", dest="listed", action="store_true", help="list the skipped and failed files, and why"
    )
    why = verbs.on_library("why")
    why.add_argument("path", type=Path, metavar="PATH", help="a file or folder; it need not exist")
    why.add_argument("--query", type=_non_empty("query"), metavar="Q", help="also explain the rank in this search")
    why.add_argument("--mode", choices=_MODES, default="hybrid", help="search mode (hybrid)")
    why.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="number of hits shown (10)")
    verbs.on_library("retry").add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="default: all quarantined files"
    )
    check = verbs.on_library("check")
    check.add_argument("--deep", action="store_true", help="compare every file and every vector")
    check.add_argument("--repair", action="store_true", help="repair the library; indexes are rebuilt")
    forget = verbs.on_library("forget")
    forget.add_argument("path", type=Path, metavar="FOLDER", help="a folder or file of the library")
    forget.add_argument("--quotes", action="store_true", help="also erase the answers that quote it")
    relocate = verbs.on_library("relocate")
    relocate.add_argument("old", type=Path, metavar="OLD", help="the earlier path of folders of the library")
    relocate.add_argument("new", type=Path, metavar="NEW", help="their path now")


def _add_libraries(verbs: _Verbs) -> None:
    libraries = verbs.bare("libraries")
    action = libraries.add_mutually_exclusive_group()
    action.add_argument(
        "--create", nargs="+", metavar=("NAME", "DIR"), help="create a library, optionally in a folder of your choice"
    )
    action.add_argument("--open", type=Path, metavar="DIR", help="add an existing library to the list")
    team = "add a team's library on a server: https://SERVER:9200/NAME; with --edit change it"
    action.add_argument("--team", nargs="+", metavar=("NAME", "URL"), help=team)
    edit = "with --team: change its address and what else is given; the password is asked for, empty for the same one"
    libraries.add_argument("--edit", action="store_true", help=edit)
    libraries.add_argument("--user", metavar="USER", help="with --team: who asks; the password is asked for")
    libraries.add_argument("--ca-file", metavar="FILE", help="with --team: the authority of the server")
    libraries.add_argument(
        "--certificate", metavar="FILE", help="with --team: sign in with this certificate and key, in PEM"
    )
    libraries.add_argument("--token", action="store_true", help="with --team: sign in with a token, which is asked for")
    libraries.add_argument(
        "--mount",
        action="append",
        metavar="SERVER=HERE",
        help="with --team: where a folder of the file server is on this computer, such as //server/share=Z:\\",
    )
    _add_store_options(libraries, "with --team: fetch the files of shown pages from")
    action.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="rename a library")
    action.add_argument("--remove", metavar="NAME", help="remove a library from the list without deleting it")
    action.add_argument("--delete", metavar="NAME", help="delete a library and its conversations, not your documents")
    encoder = verbs.bare("encoder")
    encoder.add_argument(
        "action",
        nargs="?",
        choices=ENCODER_ACTIONS,
        default="list",
        help="list (default); add a published model; get a known one from the network; use or remove one",
    )
    encoder.add_argument(
        "what", nargs="?", metavar="NAME|PATH", help="the name; for add and use also a folder or archive"
    )
    encoder.add_argument("--name", help="add and use: its name (default: that of the folder or archive)")
    encoder.add_argument("--query-prefix", metavar="TEXT", help="add: what it expects before a question, as “query: ”")
    encoder.add_argument("--passage-prefix", metavar="TEXT", help="add: what it expects before a passage")
    pooling = "add: how it makes one vector of those of the tokens (default: as its folder says, else mean)"
    encoder.add_argument("--pooling", choices=("mean", "cls"), help=pooling)
    encoder.add_argument("--yes", action="store_true", help="get and remove: do it without asking")


def _add_program(verbs: _Verbs) -> None:
    verbs.on_library("events").add_argument("--once", action="store_true", help="end when there is nothing left to do")
    settings = verbs.bare("settings", verbs.pager)
    settings.add_argument("key", nargs="?", metavar="KEY", help="such as limits.steps; default: list all")
    settings.add_argument("value", nargs="?", metavar="VALUE", help="the new value; `default` for the default")
    sent = verbs.bare("sent", verbs.pager)
    sent.add_argument("words", nargs="*", metavar="WORD", help="only what has these words: of a path, host, question")
    sent.add_argument("--host", default="", metavar="H", help="only what was sent to this host")
    what = sent.add_mutually_exclusive_group()
    what.add_argument("--files", action="store_true", help="count the lines of each file instead")
    what.add_argument("--csv", action="store_true", help="print everything as CSV")
    what.add_argument("--allow", metavar="HOST", help="allow sending to a host, such as api.example.com")
    what.add_argument("--forbid", metavar="HOST", help="ask again before anything is sent to this host")
    what.add_argument("--clear", action="store_true", help="erase this record")
    completion = verbs.bare("completion")
    what = completion.add_mutually_exclusive_group(required=True)
    what.add_argument("shell", nargs="?", choices=_SHELLS, metavar="SHELL", help="bash, zsh, fish or powershell")
    what.add_argument(
        "--list", dest="listed", choices=tuple(LISTS.values()), help="print the names of these, one per line"
    )
    doctor = verbs.bare("doctor")
    doctor.add_argument("--profile", metavar="P", help="an endpoint of the settings; default: the chosen one")
    evaluation = verbs.bare("eval")
    evaluation.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        metavar="retrieval|report|qa|compare …",
        help="measure search; learn the weights of hybrid+rerank; write a page about results of retrieval; measure "
        "answers; compare those of two toolkits. Each has options: desktop-rag eval retrieval --help",
    )


def _add_scope_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("only in some files; an option can be repeated")
    for name, what in (("--folder", "folders with this name or path"), ("--file", "files with this name or path")):
        group.add_argument(name, action="append", default=[], type=_non_empty("name"), metavar="F", help=what)
    group.add_argument("--type", action="append", default=[], type=_non_empty("type"), metavar="T", help="such as pdf")
    for name, what in (("--since", "not before this date"), ("--until", "not after this date")):
        group.add_argument(name, type=_date, metavar="D", help=f"{what}: 2024, 2024-03-15, last month …")


def _date(text: str) -> str:
    from desktop_rag.retrieval.query.date_ranges import side_of_range

    if text == "*" or side_of_range(text, date.today()) is None:
        raise argparse.ArgumentTypeError("it must be a date: 2024, 2024-03-15, today or last week")
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("it must be a number of a port, 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError("it must be a number from 1 to 1000")
    return int(text)


def _tokens(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("it must be a number of tokens, such as 200000")
    return int(text)


def _non_empty(what: str) -> Callable[[str], str]:
    def non_empty(text: str) -> str:
        if not text.strip():
            raise argparse.ArgumentTypeError(f"the {what} is empty")
        return valid_text(text)

    return non_empty


def _library(text: str) -> str:
    if valid_text(text) != text:
        raise argparse.ArgumentTypeError("the name of a library's folder must be valid UTF-8")
    return text


def _existing_path(text: str) -> Path:
    """Return the path of an existing file or folder; a mistyped verb must not open a window."""
    if os.path.lexists(text):
        return Path(text)
    if text in VERBS:
        raise argparse.ArgumentTypeError(f"options follow the verb: desktop-rag {text} …")
    close = difflib.get_close_matches(text, VERBS, n=1)
    hint = f"; did you mean `desktop-rag {close[0]}`?" if close else ""
    raise argparse.ArgumentTypeError(f"there is no file or folder “{text}”{hint}")
