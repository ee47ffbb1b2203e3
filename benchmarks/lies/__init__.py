"""Whether the verdict on every statement of an answer is right: honest statements and lies about real documents.

- `bench` is the benchmark; `verdicts` sends an answer through the program's citation check and compares the standings.
- `cases` are answers with the expected verdict of each statement; `documents` are the files they cite, in a library.
- `facts` finds sentences and table rows in the documents; `honest`, `translated` (with `paraphrases`), `altered` and
  `misplaced` make statements of them, with the words of `vocabulary`.
- `handwritten` reads the cases written by hand, in `handwritten/*.toml`, with documents of their own.
- `statements` judges lists of statements; `unseen` has five, by people who knew the documents but not the checks. Of
  those called `held_out`, only the shares are read.

Labels must be right: an altered word stands nowhere near the cited lines, and an honest statement follows from them.
"""
