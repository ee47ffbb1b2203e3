"""The parts that all packages of Office Open XML have: their content types and relations."""

import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that XML does not have
DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def content_types(parts: Mapping[str, str]) -> str:
    """Return the list of parts with their types, without the ending `+xml`."""
    each = "".join(f'<Override PartName="{part}" ContentType="{kind}+xml"/>' for part, kind in parts.items())
    return (
        f'{DECLARED}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{each}</Types>'
    )


def relations(parts: Sequence[tuple[str, str, str, str]]) -> str:
    """Return relations from their name, type, target, and mode: empty within the package."""
    each = "".join(
        f"<Relationship Id={quoteattr(name)} Type={quoteattr(kind)} Target={quoteattr(target)}"
        f"{f' TargetMode={quoteattr(mode)}' if mode else ''}/>"
        for name, kind, target, mode in parts
    )
    return f'{DECLARED}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'
