"""Builds a Xapian index of passages; run by a Python with Xapian's bindings, usually another one than ours.

Usage: python xapian_peer.py FOLDER < passages, one JSON string a line. Prints the CPU seconds without reading them.
"""

import json
import sys
import time


def main() -> None:
    """Index the passages, every word with its positions, none stemmed."""
    import xapian

    passages = [json.loads(line) for line in sys.stdin]
    began = time.process_time()
    database = xapian.WritableDatabase(sys.argv[1], xapian.DB_CREATE_OR_OVERWRITE)
    generator = xapian.TermGenerator()
    for passage in passages:
        document = xapian.Document()
        generator.set_document(document)
        generator.index_text(passage)
        database.add_document(document)
    database.commit()
    database.close()
    sys.stdout.write(f"{time.process_time() - began}\n")


if __name__ == "__main__":
    main()
