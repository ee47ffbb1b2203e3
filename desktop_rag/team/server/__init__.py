"""Requests to the nodes of an OpenSearch cluster.

- `team_connection`: requests, retries, bulk writes with versions; why the server refused, in sentences.
- `node_http`: HTTP over a connection that is kept; notices a node that is away.
"""
