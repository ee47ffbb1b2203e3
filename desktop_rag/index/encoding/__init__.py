"""The sentence encoder: turns sentences into vectors with an ONNX model.

`encoder` tokenises, batches and runs in parallel; `Network` wraps the ONNX session. The encoder's id is part of every
stored vector: vectors of different encoders are never compared.
"""
