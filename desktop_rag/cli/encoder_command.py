"""`desktop-rag encoder`: show or change the sentence encoder of the search by meaning."""

import argparse
from dataclasses import replace

from desktop_rag.cli.output import FOUND, Output, shown_path
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.paths import encoder_folder, settings_file
from desktop_rag.settings import chosen_encoder, load, save
from desktop_rag.text.display import printable


def encoder(options: argparse.Namespace, output: Output) -> int:
    """Change the encoder if one is given, then print the one in use; raises `EncoderError`."""
    folder = encoder_folder() if options.shipped else options.folder.absolute() if options.folder else chosen_encoder()
    loaded = Encoder.load(folder)
    loaded.encode(["A sentence."])  # an encoder that fails must not be chosen
    if options.folder or options.shipped:
        chosen = "" if options.shipped else str(folder)
        save(settings_file(), replace(load(settings_file()), encoder=chosen))
    if output.as_json:
        output.value({"type": "encoder", "path": printable(folder), "id": loaded.id, "dimensions": loaded.dimensions})
        return FOUND
    output.line(f"{shown_path(folder)}  {loaded.dimensions} dimensions")
    if options.folder or options.shipped:
        output.note(
            "Libraries are encoded again when their indexer next starts: close the window, or run `desktop-rag index`. "
            "Until that is complete, the search uses the vectors of the previous encoder."
        )
    return FOUND
