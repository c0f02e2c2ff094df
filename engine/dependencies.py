"""What must wait for what: the operations of a reader as a graph, and how far apart words are.

A graph maps every node to the nodes it waits for, in an order in which they could be done.
`ready_at` gives the depth of each operation, with as many workers as one likes: how many steps
must come one after another before it is done. `hops` gives the fewest steps from one word's
vector to another's: the way that a message, or a gradient, has to go.
"""

from __future__ import annotations

from collections.abc import Mapping

Node = tuple[str, int]  # what it is, and of which word (from 0)
Graph = Mapping[Node, tuple[Node, ...]]

#: The steps of one attention layer, in order (Vaswani et al. 2017, section 3.2.1).
STAGES = ("project", "scores", "weights", "context")


def ready_at(graph: Graph) -> dict[Node, int]:
    """The depth at which each operation is done: 1 where it waits for nothing."""
    depth: dict[Node, int] = {}
    for node, waits_for in graph.items():
        depth[node] = 1 + max((depth[other] for other in waits_for), default=0)
    return depth


def hops(graph: Graph, start: Node, goal: Node) -> int:
    """Edges on the shortest way from `start` to `goal`, found breadth first from the goal.

    Raises ValueError where there is no way."""
    reached, front, count = {goal}, [goal], 0
    while start not in reached:
        front = [*{other for node in front for other in graph[node]} - reached]
        if not front:
            raise ValueError(f"no way from {start} to {goal}")
        reached.update(front)
        count += 1
    return count


# Operations


def recurrent_reading(words: int) -> Graph:
    """h_t = tanh(W x_t + U h_{t-1}): all W x_t at once, then state after state."""
    graph: dict[Node, tuple[Node, ...]] = {("project", t): () for t in range(words)}
    for t in range(words):
        graph["state", t] = (("project", t), *((("state", t - 1),) if t else ()))
    return graph


def attentive_reading(words: int) -> Graph:
    """One layer of attention over all words: every stage for every word at once."""
    everyone = tuple(("project", t) for t in range(words))
    graph: dict[Node, tuple[Node, ...]] = dict.fromkeys(everyone, ())
    graph |= {("scores", t): everyone for t in range(words)}
    graph |= {("weights", t): (("scores", t),) for t in range(words)}
    return graph | {("context", t): (("weights", t), *everyone) for t in range(words)}


def recurrent_writing(words: int) -> Graph:
    """The same, where each word is known only when the one before it is done."""
    graph: dict[Node, tuple[Node, ...]] = {}
    for t in range(words):
        before: tuple[Node, ...] = (("state", t - 1),) if t else ()
        graph["project", t] = before
        graph["state", t] = (("project", t), *before)
    return graph


def attentive_writing(words: int) -> Graph:
    """Attention over what has been written so far; each word waits for the one before it."""
    graph: dict[Node, tuple[Node, ...]] = {}
    for t in range(words):
        so_far = tuple(("project", s) for s in range(t + 1))
        graph["project", t] = (("context", t - 1),) if t else ()
        graph["scores", t] = so_far
        graph["weights", t] = (("scores", t),)
        graph["context", t] = (("weights", t), *so_far)
    return graph


# Ways between words


def recurrent_way(words: int) -> Graph:
    """Each word's state is made from the one before it: RNN, LSTM and GRU alike."""
    return {("source", t): (("source", t - 1),) if t else () for t in range(words)}


def translating_way(source: int, target: int, looks_back: bool) -> Graph:
    """A one-way encoder hands over its last state to a decoder, which may look at all of them."""
    graph = dict(recurrent_way(source))
    seen = tuple(("source", t) for t in range(source)) if looks_back else ()
    for i in range(target):
        before: Node = ("target", i - 1) if i else ("source", source - 1)
        graph["target", i] = tuple(dict.fromkeys((before, *seen)))
    return graph


def attentive_way(words: int) -> Graph:
    """One layer of self-attention: each new vector is made from all of the old ones."""
    everyone = tuple(("source", t) for t in range(words))
    return dict.fromkeys(everyone, ()) | {("attended", t): everyone for t in range(words)}
