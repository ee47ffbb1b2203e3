"""`desktop-rag mcp`: serve the library to other programs, and tell them of the server."""

import argparse
import secrets
import sys
from functools import partial

from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.scope_options import lasting_filters
from desktop_rag.cli.serving_key import ServingKey, port_told
from desktop_rag.index.libraries import KnownLibrary, present
from desktop_rag.mcp_server.client_entries import (
    CLIENTS,
    PlannedChange,
    carry_out,
    is_added,
    is_installed,
    plan_adding,
    plan_removing,
    require_protocol,
)
from desktop_rag.stop import Stop

KEY = "DESKTOP_RAG_MCP_KEY"  # the key of the server over HTTP; without it one is made at each start


def mcp(known: KnownLibrary, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Serve until the client leaves, or until Ctrl+C over HTTP; or list or change the settings of other programs."""
    if options.clients:
        return _list_clients(output)
    if options.add or options.remove:
        return _change_client(options, known, output)
    library = present(known)
    filters, port = lasting_filters(options, library), options.http
    require_protocol()
    from desktop_rag.mcp_server.transports import serve_http, serve_stdio

    if port is None:
        serve_stdio(library, filters, stop)
        return FOUND
    key = ServingKey(KEY, secrets.token_urlsafe(24))
    if not key.is_usable(output):
        return NOTHING
    ready = partial(key.print_address, library.folder, output=output)
    with port_told(port):
        serve_http(library, filters, port, key.key, ready, stop)
    return FOUND


def _list_clients(output: Output) -> int:
    """Print the programs whose settings can be changed, and which of them know the server."""
    for name, client in CLIENTS.items():
        added, installed = is_added(name), is_installed(name)
        if output.as_json:
            output.value({"program": name, "file": str(client.file()), "installed": installed, "added": added})
            continue
        state = "added" if added else "found" if installed else "not found"
        output.text((f"{name:16}", "bold"), (f"{state:10} {client.file()}", ""))
    return FOUND


def _change_client(options: argparse.Namespace, library: KnownLibrary, output: Output) -> int:
    """Show the change of a program's settings, ask, and write it."""
    change = plan_adding(options.add, library) if options.add else plan_removing(options.remove)
    if not change.changes:
        output.note(f"{change.client} has it already." if options.add else f"{change.client} does not have it.", "")
        return FOUND
    if output.as_json:
        output.value({"program": change.client, "file": str(change.file), "diff": change.diff()})
    else:
        for line in change.diff().splitlines():
            output.line(line, {"+": "green", "-": "red", "@": "dim"}.get(line[:1], ""))
    if not options.yes and not _confirmed(change, output):
        output.note("Nothing was changed.", "")
        return NOTHING
    carry_out(change)
    undo = f"desktop-rag mcp --{'remove' if options.add else 'add'} {options.add or options.remove}"
    output.note(f"{change.file} is changed. Start {change.client} again. To undo it: {undo}", "")
    return FOUND


def _confirmed(change: PlannedChange, output: Output) -> bool:
    if not sys.stdin.isatty():
        output.note("Add --yes to change the file.", "")
        return False
    output.note(f"Change {change.file}? [y/N] ", "")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
