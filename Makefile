# make video   installs what is missing and renders the default lesson
# make test    installs what is missing and passes the tests
# Both start from a bare Debian with Python 3.11. FLAGS="…" goes to render.py.

PYTHON ?= python3
VENV   ?= .venv
FLAGS  ?=
RUN     = $(VENV)/bin/python

.PHONY: video test setup lint clean

video: setup
	$(RUN) render.py $(FLAGS)

test:
	@PYTHON="$(PYTHON)" VENV="$(VENV)" scripts/setup.sh test
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m pytest -n 2 $(FLAGS)

setup:
	@PYTHON="$(PYTHON)" VENV="$(VENV)" scripts/setup.sh

lint:
	$(RUN) -m ruff check .
	$(RUN) -m mypy

clean:
	rm -rf $(VENV) out media build *.egg-info
