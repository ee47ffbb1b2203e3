"""A team's library on OpenSearch: the same retrieval service over a cluster, and the worker that writes it.

- `reader`: `TeamEngine`, the search engine of every library, over a catalog on the server.
- `writer`: `TeamSync`, one more copy that follows the change log of a library.
- `access`: the address of a team library, and where its files are for this computer.
- `format`: the indexes, their fields and records. `server`: requests to the nodes.

Nothing is shown that the server does not have at that moment: every hit is joined with its document in real time.
"""
