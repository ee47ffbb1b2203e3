"""Tests of the ruler of answers, without a library."""
