"""`desktop-rag sent`: what went to which endpoint, from the privacy ledger, and the hosts that are allowed."""

import argparse
from dataclasses import asdict, replace

from desktop_rag.agent.gate.sent_ledger import SentLedger, SentRow, as_csv, summaries
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.errors import SettingsError
from desktop_rag.paths import settings_file
from desktop_rag.settings import load, save
from desktop_rag.text.display import one_line, plural, printable

_NOT_IN_A_HOST = frozenset("/ \t\n@?#")


def sent(options: argparse.Namespace, output: Output) -> int:
    """Print the ledger, newest first; return 1 if nothing in it fits. Raises `SettingsError` for a wrong host."""
    if options.allow or options.forbid:
        return _allow(options.allow or "", options.forbid or "", output)
    ledger = SentLedger()
    if options.clear:
        ledger.clear()
        output.note("The record of what was sent is erased.")
        return FOUND
    rows = ledger.rows(" ".join(map(printable, options.words)), options.host)
    if options.csv:
        output.text((as_csv(rows).rstrip("\n"), ""))
    elif options.files:
        for host, path, passages, lines in summaries(rows):
            _print_summary(host, path, passages, lines, output)
    else:
        for row in rows:
            _print_row(row, output)
    if not rows and not output.as_json:
        output.note("Nothing was sent." if not options.words and not options.host else "Nothing like that was sent.")
    return FOUND if rows else NOTHING


def _allow(allowed: str, forbidden: str, output: Output) -> int:
    host = (allowed or forbidden).strip().lower()
    if not host or _NOT_IN_A_HOST.intersection(host):
        raise SettingsError(f"“{one_line(host)}” is not a host. Write it without path, such as api.example.com:8080.")
    settings = load(settings_file())
    others = tuple(each for each in settings.privacy.confirmed_hosts if each != host)
    hosts = (*others, host) if allowed else others
    save(settings_file(), replace(settings, privacy=replace(settings.privacy, confirmed_hosts=hosts)))
    output.note(f"{host} may {'now' if allowed else 'no longer'} be sent questions and passages.")
    return FOUND


def _print_row(row: SentRow, output: Output) -> None:
    if output.as_json:
        output.value({"type": "sent", **asdict(row)})
        return
    without = "(no document)" if row.characters else "(not sent: no connection)"
    where = f"{one_line(row.path)}:{row.first_line}–{row.last_line}" if row.path else without
    output.text((f"{row.sent}  {one_line(row.host)}  ", "dim"), (where, "bold"), (f"  {one_line(row.question)}", ""))


def _print_summary(host: str, path: str, passages: int, lines: int, output: Output) -> None:
    if output.as_json:
        output.value({"type": "sent file", "host": host, "path": path, "passages": passages, "lines": lines})
        return
    counts = f"{plural(lines, 'line')} in {plural(passages, 'passage')}"
    output.text((f"{one_line(host)}  ", "dim"), (one_line(path), "bold"), (f"  {counts}", ""))
