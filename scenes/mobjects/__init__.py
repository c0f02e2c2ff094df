"""The mobjects that stations are built from. One noun per file; each takes the theme first."""
