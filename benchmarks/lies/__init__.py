"""The marks of statements about real documents: honest ones and lies.

- `bench` is the benchmark; `verdicts` sends an answer through the program's citation check and returns the marks.
- `cases` are answers with the label of each statement; `documents` are the files they cite, in a library.
- `facts` finds sentences and table rows in the documents; `honest`, `translated` (with `paraphrases`), `altered` and
  `misplaced` make statements of them, with the words of `vocabulary`.
- `statements` judges lists of statements; `unseen` has four, by people who knew the documents but not the checks: only
  their shares are read, each for the second look alone.

Labels must be right: an altered word stands nowhere near the cited lines, and an honest statement follows from them.
"""
