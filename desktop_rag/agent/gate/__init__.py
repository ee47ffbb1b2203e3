"""The gate to endpoints: what may be sent, and the record of what was.

`guarded_chat` wraps every model of an endpoint: it refuses hosts that are not allowed, masks secrets, and writes to
the ledger (`sent_ledger`) before a byte leaves. `run_rules` takes never-send documents out of a run, and the engine
out of its results (`Scope.withheld`). `llm/redaction` looks at the finished request once more.
"""
