"""What the parameters of the tools mean, for models that know the schema alone.

The agent's own model reads the same schemas with each request, without most of these texts: its prompt says it.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from desktop_rag.llm.chat import ToolSpec

_ONE = "a reference (turn1search3), a path, a file name, a SHA-256 or a library:// address"
_TEXTS: Mapping[str, str] = {  # by parameter, or by tool and parameter
    "queries": "one to five; each a question, or words",
    "mode": "hybrid (default): words and meaning; ",
    "within": f"only in these documents, each {_ONE}",
    "folder": "name of a folder, or the end of its path",
    "author": "words of an author's name",
    "type": "ending of the files: pdf, docx …",
    "date": "of the documents: 2023-05, 2022 TO 2024",
    "reference": f"the document: {_ONE}",
    "page": "default 1",
    "order": "default: best fit first",
    "toolkit": "default: the user's choice; full: several steps; quick: one search; auto: one of both; literal: words "
    "only; direct: without the documents",
    "question": "one question, in any language",
    "compare.references": f"two to four documents, each {_ONE}",
    "compare.aspects": "what to compare, one to five; without them two documents are compared sentence by sentence",
    "read_chunks.references": "references of search results (turn1search3)",
}


def described(spec: ToolSpec) -> ToolSpec:
    """Return the description of a tool with one of each parameter."""
    schema = json.loads(spec.parameters)
    for name, parameter in schema["properties"].items():
        text = _TEXTS.get(f"{spec.name}.{name}") or _TEXTS.get(name) or parameter["description"]
        parameter["description"] = f"{text}{parameter.get('description', '')}" if text.endswith("; ") else text
    return replace(spec, parameters=json.dumps(schema, ensure_ascii=False, separators=(",", ":")))
