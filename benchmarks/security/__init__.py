"""The canary suite: orders hidden in documents, and a scripted model that obeys every one of them; and fuzzing.

`payloads` are the families of orders, `carriers` the kinds of files they are planted in, `obedience` is the model;
`canaries` plants an order, asks in turns of different scopes and says what left. `flags` counts the orders that are
noticed and ordinary passages that are accused. `fuzzing` mutates small corpora for the `fuzz_targets`. `campaign` does
all of it (`bench security`). The scripted endpoint is that of the tests.
"""
