"""Adapters to other libraries: environments for learners, OpenSpiel, PettingZoo.

These libraries are imported only when their adapter is used. See docs/neighbours.md.
"""

from zerosum.games.openspiel import from_openspiel as from_openspiel
from zerosum.neighbours.openspiel import to_openspiel as to_openspiel
from zerosum.neighbours.pettingzoo import pettingzoo_env as pettingzoo_env
from zerosum.neighbours.vectors import Step as Step
from zerosum.neighbours.vectors import VectorEnv as VectorEnv

__all__ = ["Step", "VectorEnv", "from_openspiel", "pettingzoo_env", "to_openspiel"]
