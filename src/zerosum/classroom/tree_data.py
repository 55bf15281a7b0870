"""Read trees from nested lists, from a mapping of names to children, and from JSON; and write JSON.

Players alternate: below MAX comes MIN. A chance node takes no turn: the player below it is the one who would have been
in its place. A node whose children have probabilities is a chance node: ``[(0.5, 3), (0.5, [1, 2])]``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from zerosum.classroom.node import (
    HIGHEST,
    KIND_NAMES,
    KINDS,
    LEAF,
    Node,
    check_node,
    is_number,
    leaf,
    named,
)
from zerosum.errors import TreeError
from zerosum.game import CHANCE, MAX, MIN


def after(kind: int) -> int:
    """The player who moves next if the players alternate."""
    return MIN if kind == MAX else MAX


def check_height(levels: int, place: str) -> None:
    if levels > HIGHEST:
        raise TreeError(f"{place}: the tree has more than {HIGHEST} levels; does it contain itself?")


def read_lists(lists: Any, first: int = MAX, names: Sequence[str] | None = None) -> Node:
    """The tree of nested lists, with inner nodes named A, B, C … level by level, or as given."""
    return named(_from_list(lists, first, "the root", 0), names)


def _from_list(item: Any, mover: int, place: str, level: int) -> Node:
    check_height(level, place)
    if is_number(item):
        return check_node(leaf(item), place)
    if not isinstance(item, list | tuple):
        raise TreeError(f"{place}: {item!r} is neither a number (a leaf) nor a list (an inner node)")
    if not item:
        raise TreeError(f"{place}: the node is empty; give it children, or replace it with a number")
    kind, shares, items = _split_chances(list(item), mover, place)
    following = mover if kind == CHANCE else after(mover)
    base = "" if level == 0 else place
    children = tuple(_from_list(x, following, f"{base}[{i}]", level + 1) for i, x in enumerate(items))
    return check_node(Node(kind, children=children, probabilities=shares), place)


def _split_chances(items: list[Any], mover: int, place: str) -> tuple[int, tuple[float, ...], list[Any]]:
    """The kind of the node, the probabilities of its children if it is a chance node, and the children alone."""
    paired = [isinstance(item, tuple) and len(item) == 2 for item in items]
    if not any(paired):
        return mover, (), items
    if not all(paired):
        where = paired.index(False)
        raise TreeError(f"{place}: child {where + 1} has no probability, but others do; write (0.5, child)")
    return CHANCE, tuple(share for share, _ in items), [item for _, item in items]


def read_mapping(mapping: Mapping[str, Any], first: int = MAX, kinds: Mapping[str, int | str] | None = None) -> Node:
    """The tree of a mapping as in the notes: the first name is the root, strings are nodes and numbers leaves.

    ``kinds`` gives the kind of some nodes by name; the players below them alternate again.
    """
    if not mapping:
        raise TreeError("the mapping is empty; write at least one node, such as {'A': [3, 12, 8]}")
    for name in kinds or {}:
        if name not in mapping:
            raise TreeError(f"kinds names {name!r}, which is not a node of the mapping")
    parents: dict[str, str] = {}

    def build(name: str, mover: int, above: tuple[str, ...]) -> Node:
        check_height(len(above), name)
        items = mapping[name]
        if is_number(items):
            return check_node(Node(LEAF, name, items), name)
        if not isinstance(items, list | tuple):
            raise TreeError(f"{name}: {items!r} is neither a list of children nor a number")
        if not items:
            raise TreeError(f"{name}: the node is empty; give it children, or replace it with a number")
        kind, shares, children = _split_chances(list(items), mover, name)
        if kinds and name in kinds:
            kind = read_kind(kinds[name], name)
            mover = mover if kind == CHANCE else kind
        following = mover if kind == CHANCE else after(mover)
        made = tuple(child(item, f"child {i} of {name}", name, following, above) for i, item in enumerate(children, 1))
        return check_node(Node(kind, name, children=made, probabilities=shares), name)

    def child(item: Any, place: str, parent: str, mover: int, above: tuple[str, ...]) -> Node:
        if is_number(item):
            return check_node(leaf(item), place)
        if not isinstance(item, str):
            raise TreeError(f"{place}: {item!r} is neither a number nor the name of a node")
        if item in (*above, parent):
            way = (*above, parent)[(*above, parent).index(item) :]
            raise TreeError(f"{place}: {item!r} is above itself: {' → '.join([*way, item])} is a cycle")
        if item not in mapping:
            raise TreeError(f"{place}: {item!r} is not a number, and the mapping has no node with this name")
        if item in parents:
            raise TreeError(f"{place}: {item!r} is already a child of {parents[item]}; in a tree a node has one parent")
        parents[item] = parent
        return build(item, mover, (*above, parent))

    root = next(iter(mapping))
    tree = build(root, first, ())
    lost = [name for name in mapping if name not in parents and name != root]
    if lost:
        raise TreeError(f"{lost[0]}: this node cannot be reached from {root}")
    return tree


def read_kind(word: int | str, place: str) -> int:
    """MAX, MIN, CHANCE or LEAF, from the constant or its name."""
    if isinstance(word, str) and word.lower() in KINDS:
        return KINDS[word.lower()]
    if not isinstance(word, str) and word in KIND_NAMES:
        return word
    raise TreeError(f"{place}: unknown kind of node {word!r}; choose {', '.join(KINDS)}")


# JSON


FIELDS = ("kind", "name", "value", "children", "moves", "labels", "probabilities", "picture", "noisy")


def read_json(text: str) -> tuple[Node, str]:
    """The tree and its title, from the output of ``write_json``, or from lists or a mapping as JSON."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        raise TreeError(f"line {problem.lineno}, column {problem.colno}: not JSON: {problem.msg}") from problem
    except RecursionError as problem:
        raise TreeError(f"the JSON has more than {HIGHEST} levels") from problem
    if is_number(data) or isinstance(data, list):
        return read_lists(data), ""
    if not isinstance(data, dict):
        raise TreeError(f"{data!r} is not a tree; a tree in JSON is a list, a mapping, or an object with a 'root'")
    if "root" not in data or isinstance(data["root"], list):
        return read_mapping({name: _pairs(children) for name, children in data.items()}), ""
    return _from_json(data["root"], "root", 0), str(data.get("title", ""))


def _pairs(children: Any) -> Any:
    """Children with probabilities as tuples: JSON has none, so in a mapping such a child is a list of two."""
    if not isinstance(children, list):
        return children
    return [tuple(child) if isinstance(child, list) else child for child in children]


def _from_json(data: Any, place: str, level: int) -> Node:
    check_height(level, place)
    if is_number(data):
        return check_node(leaf(data), place)
    if not isinstance(data, dict):
        raise TreeError(f"{place}: {data!r} is neither a number nor an object {{…}}")
    for word in data:
        if word not in FIELDS:
            raise TreeError(f"{place}: unknown field {word!r}; a node has {', '.join(FIELDS)}")
    for word, wanted in (("name", str), ("picture", str), ("noisy", bool)):
        if word in data and not isinstance(data[word], wanted):
            raise TreeError(f"{place}.{word}: {data[word]!r} is not {'a string' if wanted is str else 'true or false'}")
    lists = {word: _list(data, word, place) for word in ("children", "moves", "labels", "probabilities")}
    for move in lists["moves"]:
        if not isinstance(move, int) or isinstance(move, bool):
            raise TreeError(f"{place}.moves: {move!r} is not a whole number")
    children = tuple(_from_json(c, f"{place}.children[{i}]", level + 1) for i, c in enumerate(lists["children"]))
    node = Node(
        read_kind(data.get("kind", LEAF), place),
        data.get("name", ""),
        data.get("value"),
        children,
        tuple(lists["moves"]),
        tuple(map(str, lists["labels"])),
        tuple(lists["probabilities"]),
        data.get("picture", ""),
        data.get("noisy", False),
    )
    return check_node(node, place)


def _list(data: dict[str, Any], word: str, place: str) -> list[Any]:
    found = data.get(word, [])
    if not isinstance(found, list):
        raise TreeError(f"{place}.{word}: {found!r} is not a list")
    return found


def write_json(root: Node, title: str) -> str:
    """The whole tree as JSON; a plain leaf is just its number."""

    def plain(node: Node) -> Any:
        if node.kind == LEAF and not (node.name or node.picture or node.noisy):
            return node.value
        data: dict[str, Any] = {"kind": node.player}
        for word in ("name", "value", "labels", "probabilities", "picture", "noisy"):
            found = getattr(node, word)
            if found or (word == "value" and found is not None):
                data[word] = found
        if node.moves != tuple(range(len(node.children))):
            data["moves"] = node.moves
        if node.children:
            data["children"] = [plain(child) for child in node.children]
        return data

    return json.dumps({"title": title, "root": plain(root)}, ensure_ascii=False, indent=1)
