"""Graphs for other programs, and from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._errors import InputError

#: Which way an adjacency matrix is read: gadjid's words.
EdgeDirection = Literal["from row to column", "from column to row"]
#: What is taken for a graph: an adjacency matrix, a networkx.DiGraph, a graph of causal-learn, or a fitted model.
GraphLike = Any


class GraphExports:
    """What a graph becomes elsewhere."""

    adjacency_: npt.NDArray[np.int8]
    edges_: list[tuple[str, str]]
    feature_names_in_: npt.NDArray[Any]
    confidence_: dict[tuple[str, str], float]
    p_values_: dict[tuple[str, str], float]
    direction_: dict[tuple[str, str], str]
    direction_confidence_: dict[tuple[str, str], float]
    gain_: dict[tuple[str, str], float]
    gain_se_: dict[tuple[str, str], float]
    effect_: dict[tuple[str, str], str]

    def _file(self, name: str) -> bytes:
        raise NotImplementedError

    def _evidence(self) -> list[tuple[str, dict[tuple[str, str], Any]]]:
        return [
            ("p_value", self.p_values_),
            ("confidence", self.confidence_),
            ("direction", self.direction_),
            ("direction_confidence", self.direction_confidence_),
            ("gain", self.gain_),
            ("gain_se", self.gain_se_),
            ("effect", self.effect_),
        ]

    def adjacency(self, edge_direction: EdgeDirection) -> npt.NDArray[np.int8]:
        """The adjacency matrix, read the way you say.

        >>> import oslow
        >>> model = oslow.R2Sort(prune="cam").fit("sachs")
        >>> bool((model.adjacency("from column to row") == model.adjacency_.T).all())
        True
        """
        self._file("graph.dot")
        return self.adjacency_.copy() if _row_to_column(edge_direction) else self.adjacency_.T.copy()

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.DiGraph``: every column is a node, edges carry what is known of them.

        >>> import oslow
        >>> graph = oslow.R2Sort(prune="cam").fit("sachs").to_networkx()
        >>> graph.number_of_nodes()
        11
        """
        import networkx

        self._file("graph.dot")
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.feature_names_in_.tolist())
        for edge in self.edges_:
            graph.add_edge(*edge, **{key: known[edge] for key, known in self._evidence() if edge in known})
        return graph

    def to_dot(self) -> str:
        """The graph in the language of Graphviz; DoWhy's ``CausalModel`` takes it as well.

        >>> import oslow
        >>> oslow.R2Sort(prune="cam").fit("sachs").to_dot().splitlines()[0]
        'digraph oslow {'
        """
        return self._file("graph.dot").decode()

    def to_graphml(self) -> str:
        """The graph as GraphML.

        >>> import oslow
        >>> oslow.R2Sort(prune="cam").fit("sachs").to_graphml()[:5]
        '<?xml'
        """
        return self._file("graph.graphml").decode()

    def to_gml(self) -> str:
        """The graph as GML, the form that DoWhy's documentation uses.

        >>> import oslow
        >>> oslow.R2Sort(prune="cam").fit("sachs").to_gml().splitlines()[0]
        'graph ['
        """
        self._file("graph.dot")
        lines = ["graph [", "  directed 1"]
        names: list[str] = self.feature_names_in_.tolist()
        for node, name in enumerate(names):
            lines += ["  node [", f"    id {node}", f"    label {_gml_text(name)}", "  ]"]
        place = {name: node for node, name in enumerate(names)}
        for cause, effect in self.edges_:
            lines += ["  edge [", f"    source {place[cause]}", f"    target {place[effect]}", "  ]"]
        return "\n".join([*lines, "]"]) + "\n"

    def to_pandas(self) -> Any:
        """The edges as a pandas data frame with the columns ``from``, ``to`` and what is known of them.

        >>> import oslow
        >>> list(oslow.R2Sort(prune="cam").fit("sachs").to_pandas().columns)
        ['from', 'to', 'p_value']
        """
        import pandas

        self._file("graph.dot")
        frame = pandas.DataFrame(self.edges_, columns=["from", "to"])
        for name, known in self._evidence():
            if known:
                frame[name] = [known.get(edge, float("nan")) for edge in self.edges_]
        return frame

    def to_causal_learn(self) -> Any:
        """The graph as a ``GeneralGraph`` of causal-learn; an edge whose direction the data do not tell has no arrow.

        >>> import oslow
        >>> graph = oslow.R2Sort(prune="cam").fit("sachs").to_causal_learn()  # doctest: +SKIP
        """
        from causallearn.graph.Edge import Edge
        from causallearn.graph.Endpoint import Endpoint
        from causallearn.graph.GeneralGraph import GeneralGraph
        from causallearn.graph.GraphNode import GraphNode

        self._file("graph.dot")
        nodes = {name: GraphNode(name) for name in self.feature_names_in_.tolist()}
        graph = GeneralGraph(list(nodes.values()))
        for cause, effect in self.edges_:
            undecided = self.direction_.get((cause, effect)) == "undecided"
            end = Endpoint.TAIL if undecided else Endpoint.ARROW
            graph.add_edge(Edge(nodes[cause], nodes[effect], Endpoint.TAIL, end))
        return graph


def _gml_text(name: str) -> str:
    return '"' + "".join(_gml_character(c) for c in name) + '"'


def _gml_character(character: str) -> str:
    return character if character.isascii() and character.isprintable() and character not in '"&' else f"&#{ord(character)};"


def _row_to_column(edge_direction: str) -> bool:
    if edge_direction not in ("from row to column", "from column to row"):
        raise InputError(
            f"edge_direction: {edge_direction!r} is neither 'from row to column' nor 'from column to row'",
            "say which way your matrix is read: does entry [i, j] mean i → j (from row to column)?",
        )
    return edge_direction == "from row to column"


def edges_of(
    graph: GraphLike, edge_direction: str | None, names: Sequence[str] | None = None
) -> tuple[list[str] | None, int, list[tuple[int, int]]]:
    """Names (where there are any), number of nodes and edges of whatever is taken for a graph; nodes in the order of
    ``names``, if given."""
    if isinstance(graph, GraphExports):
        own = graph.feature_names_in_.tolist()
        return _placed(own, [(own.index(a), own.index(b)) for a, b in graph.edges_], names)
    if hasattr(graph, "get_graph_edges"):
        return _placed(*_of_causal_learn(graph), names)
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        if not graph.is_directed():
            raise InputError("the graph is not directed", "pass a networkx.DiGraph")
        own = [str(node) for node in graph.nodes]
        place = {node: k for k, node in enumerate(graph.nodes)}
        return _placed(own, [(place[a], place[b]) for a, b in graph.edges], names)
    matrix = np.asarray(graph.to_numpy() if hasattr(graph, "to_numpy") else graph)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"a matrix of shape {matrix.shape} is no graph", "an adjacency matrix is square")
    if not np.isin(matrix, (0, 1)).all():
        raise InputError("an adjacency matrix holds 0 and 1 only", "round it, or compare with a threshold")
    if edge_direction is None:
        raise InputError(
            "which way is the matrix read?", "pass edge_direction='from row to column' if entry [i, j] means i → j"
        )
    directed = matrix if _row_to_column(edge_direction) else matrix.T
    own_names = [str(name) for name in graph.columns] if hasattr(graph, "columns") else None
    edges = [(int(a), int(b)) for a, b in zip(*np.nonzero(directed))]
    return _placed(own_names, edges, names) if own_names is not None else (None, len(matrix), edges)


def _placed(
    own: list[str], edges: list[tuple[int, int]], names: Sequence[str] | None
) -> tuple[list[str] | None, int, list[tuple[int, int]]]:
    if names is None:
        return own, len(own), edges
    if sorted(own) != sorted(names):
        only = sorted(set(own) ^ set(names))
        raise InputError("the two graphs have different nodes", f"only one of them has {', '.join(only)}")
    place = {name: k for k, name in enumerate(names)}
    return list(names), len(own), [(place[own[a]], place[own[b]]) for a, b in edges]


def _of_causal_learn(graph: Any) -> tuple[list[str], list[tuple[int, int]]]:
    names = [node.get_name() for node in graph.get_nodes()]
    edges = []
    for edge in graph.get_graph_edges():
        ends = edge.get_endpoint1().name, edge.get_endpoint2().name
        first, second = names.index(edge.get_node1().get_name()), names.index(edge.get_node2().get_name())
        if ends == ("TAIL", "ARROW"):
            edges.append((first, second))
        elif ends == ("ARROW", "TAIL"):
            edges.append((second, first))
        else:
            raise InputError(
                f"the edge between {names[first]} and {names[second]} has no direction",
                "orient it first: only directed acyclic graphs can be judged",
            )
    return names, edges


def from_causal_learn(graph: Any) -> tuple[npt.NDArray[np.int8], list[str]]:
    """Adjacency matrix (from row to column) and names of a directed graph of causal-learn.

    >>> import oslow
    >>> adjacency, names = oslow.from_causal_learn(graph)  # doctest: +SKIP
    """
    names, edges = _of_causal_learn(graph)
    adjacency = np.zeros((len(names), len(names)), dtype=np.int8)
    for cause, effect in edges:
        adjacency[cause, effect] = 1
    return adjacency, names
