"""Child processes and the messages between processes: one mechanism for all of them.

Begin with `service`: a protocol declares the requests of a process, and the client and the dispatch follow from it.
Below it `remote` sends requests (cancel, heartbeat, restart) and `serving` answers them; `wire` has the envelope of
a message and of an error, and encodes a closed list of messages for the sandboxed readers and painters, which have one
conversation each; `connection` is a stream of byte messages, `child` starts this program again with a hidden verb.
`confinement` is what the kernel denies to each kind of child.

Messages are MessagePack checked against types, never pickle: a compromised child must not be able to send code.
"""
