"""Measurements, run as commands: they print tables and assert nothing."""
