"""A real OpenSearch cluster on loopback, for the tests and benchmarks of team libraries.

`pom.xml` names what Maven resolves, `java/` holds the main class of a node, `cluster` starts and stops nodes. Each node
is a process of its own, which a test may kill.
"""
