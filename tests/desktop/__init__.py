"""Tests of the whole program on a real X server, driven by keyboard, mouse and screen reader."""
