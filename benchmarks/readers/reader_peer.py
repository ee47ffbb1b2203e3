"""Extracts text with other tools, in an interpreter that need not have this program.

Run by its path. Reads JSON lines `{"path": "…", "tool": "markitdown"}`, writes JSON lines
`{"cpu": seconds, "text": "…" or null}`. The first line gives the versions of its tools.
"""

import html
import importlib
import importlib.metadata
import io
import json
import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

TOOLS = {  # and their modules
    "markitdown": "markitdown",
    "trafilatura": "trafilatura",
    "readability-lxml": "readability",
}


def main() -> None:
    """Serve requests until the input ends."""
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, io.StringIO()  # some tools print
    tools = {name: importlib.import_module(module) for name, module in TOOLS.items() if _is_there(module)}
    extract: dict[str, Callable[[str], str]] = {}
    if "markitdown" in tools:
        converter = tools["markitdown"].MarkItDown(enable_plugins=False)
        extract["markitdown"] = lambda path: str(converter.convert_local(path).text_content)
    if "trafilatura" in tools:
        main_text = tools["trafilatura"].extract
        extract["trafilatura"] = lambda path: str(main_text(Path(path).read_bytes(), include_comments=False) or "")
    if "readability-lxml" in tools:
        article = tools["readability-lxml"].Document
        extract["readability-lxml"] = lambda path: _without_tags(article(Path(path).read_bytes()).summary())
    answers.write(json.dumps({name: importlib.metadata.version(name) for name in tools}) + "\n")
    answers.flush()
    for line in sys.stdin:
        task = json.loads(line)
        began = time.process_time()
        try:
            text: str | None = extract[task["tool"]](task["path"])
        except Exception:  # noqa: BLE001  # the exceptions of other tools on damaged files are undocumented
            text = None
        answers.write(json.dumps({"cpu": time.process_time() - began, "text": text}) + "\n")
        answers.flush()


def _without_tags(page: str) -> str:
    text = re.sub(r"<(?:script|style)\b.*?</(?:script|style)>", " ", page, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"</?(?:b|i|em|strong|span|a|u|sup|sub|font|code)\b[^>]*>", "", text, flags=re.IGNORECASE)
    return html.unescape(re.sub(r"<[^>]*>", " ", text))


def _is_there(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    main()
