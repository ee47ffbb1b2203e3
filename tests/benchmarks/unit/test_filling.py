import numpy as np

from benchmarks.libraries.filling import noisy


def test_synthetic_vectors_are_unit_vectors_near_real_ones() -> None:
    chance = np.random.default_rng(1)
    real = chance.standard_normal((10, 384), np.float32)
    real /= np.linalg.norm(real, axis=1, keepdims=True)
    made = noisy(real, 50, chance)
    assert made.shape == (50, 384)
    assert made.dtype == np.float32
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert (made @ real.T).max(axis=1).min() > 0.8
    assert len(np.unique(made, axis=0)) == 50
