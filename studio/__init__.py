"""From scenes to files: what was asked (request), what it takes (plan), then done (production).

    render.py → request → tracing → plan → worker (draws) → cache → delivery → out/<lesson>/

Nothing in here computes: numbers come as trace files from a process of their own, so that the
processes that draw never load torch.
"""
