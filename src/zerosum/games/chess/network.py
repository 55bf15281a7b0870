"""The network that evaluates chess: learned here, by self-play. The header of its file tells by which commands."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from zerosum.game import Game
from zerosum.networks.sparse_file import SparseNetwork, learned

NETWORK = "network.npz"


def judged_by_network(game: Game) -> Game:
    """Chess evaluated by the shipped network. The weights by name, which are another evaluation's, are gone."""
    return learned(game.with_(weights_of=None, with_weights=None), _shipped())


@lru_cache(maxsize=1)
def _shipped() -> SparseNetwork:
    from zerosum.games.chess import chess

    content = files("zerosum.games.chess").joinpath(NETWORK).read_bytes()
    return SparseNetwork.parse(content, chess(network=0), NETWORK)
