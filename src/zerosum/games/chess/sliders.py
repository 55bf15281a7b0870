"""Magic bitboards: the attacks of rooks and bishops, looked up by their blockers.

The mask of a square has all squares that can block a slider there. The blockers in the mask, multiplied by a magic
number and shifted down, give an index; two sets of blockers share an index only if the attacks are the same. The
multipliers were found by trying sparse random numbers; ``tests/games/test_chess_rules.py`` proves each one
(the idea: P. Kannan, Magic move-bitboard generation in computer chess, 2007).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

# fmt: off
BISHOP_MULTIPLIERS = [
    0x0010843004004010, 0x001001810C008802, 0x109800A522000008, 0x0484040080022222,
    0x0051104000870000, 0x8003142014000108, 0x0000880128A00200, 0x4161008804010410,
    0x20001810A4183041, 0x2001A21004008480, 0x0900091801010021, 0x15200820802C0100,
    0xA810111040020024, 0x08498A0202200400, 0x00000C0292101004, 0x4200808404090414,
    0x8909204090141080, 0x0020000208022080, 0x8004082800240030, 0x0048023088210000,
    0x0004101A02021011, 0x3001011210020900, 0x0112400084100840, 0x4040400084040100,
    0x040CC00064101400, 0x0410020028480300, 0x090C040002081050, 0x484108002400C230,
    0x40018E0024010404, 0x01010100020088A0, 0x200840412A020210, 0x042105000208C100,
    0x130808090005A000, 0x4429082001135412, 0x800540A8001000D4, 0x0000020084080080,
    0x0009010400B20060, 0x000408004A220104, 0x0048020280A40080, 0x00020041101A0080,
    0x0106080218004005, 0x0084011110C42800, 0x082202012A008410, 0x0046220612002400,
    0x01069841040000C0, 0x5C040906C3000200, 0x1404018C04061100, 0x2910011045800100,
    0x00028208B2400D00, 0x0030440211100000, 0x6160122128080004, 0x40600201A0880401,
    0x001490110202001D, 0x0240081010222000, 0x210882C4240C0084, 0x02100400A4044000,
    0xC000802C02064002, 0x021088C40C014844, 0x0008000842209000, 0x0040C00000841100,
    0x0402000890020223, 0x0008800810410208, 0x680004086A040C20, 0x00400E4208420080,
]
ROOK_MULTIPLIERS = [
    0x0080004000608018, 0x04C0004230006000, 0x0100102900600240, 0x0080180080100034,
    0x0180040080480002, 0x4200100E00440158, 0x42000C0148088200, 0x0100082082014100,
    0x0001800580C00022, 0x4001002481004000, 0x1011002001024014, 0x000C808010000800,
    0x8041801801808400, 0x1102003200500804, 0x0020804100020080, 0x2A80800041000080,
    0x8002848000314000, 0x8005494010002000, 0x0708410020010010, 0x0113808010048801,
    0x2208004024004200, 0x4004008004800200, 0x280C110100040200, 0x0004020001084084,
    0x41801040C0036000, 0x9080200040005000, 0x2244902200420082, 0x0001100080180082,
    0x0100080080800C00, 0x2804000480020080, 0x0140504400A10A08, 0x01804042000500A4,
    0x0000400820800084, 0x0805201000404000, 0x0060200101004050, 0x1400100009002100,
    0x4828440081800800, 0x000100040100480A, 0x0040580104001082, 0x8024105902001084,
    0x108014402000C000, 0x2020A08209020040, 0x0808110020010042, 0x0424190090010020,
    0x0280110108010004, 0x10020118900A0014, 0x030021100804001A, 0x4000450860820004,
    0x4002800030400080, 0x0000400C81200880, 0x00A0004021005300, 0x0000100028008280,
    0x0000840048008080, 0x8C00020080040080, 0x0206000108040200, 0x0C20204100840600,
    0x8004104500800421, 0x2381210A00304082, 0x0800200010C10049, 0x0000081000600501,
    0x1002002008041002, 0x9442000430070882, 0x0000104A0810810C, 0x01500D0402244282,
]
# fmt: on

NOT_FILE = {1: np.uint64(0xFEFE_FEFE_FEFE_FEFE), -1: np.uint64(0x7F7F_7F7F_7F7F_7F7F), 0: np.uint64(2**64 - 1)}


def rays(squares: Words, occupied: Words, steps: tuple[tuple[int, int], ...]) -> Words:
    """The attacks of sliders on these squares (one bit each), including the blockers; for many squares together."""
    found = np.zeros_like(squares)
    for up, right in steps:
        shift = 8 * up + right
        front = squares
        for _ in range(7):
            front = (front << np.uint64(shift) if shift > 0 else front >> np.uint64(-shift)) & NOT_FILE[right]
            found |= front
            front = front & ~occupied
    return found


def blocker_mask(square: int, steps: tuple[tuple[int, int], ...]) -> int:
    """The squares that can block a slider: the last square of each ray cannot."""
    mask = 0
    for up, right in steps:
        row, column = square // 8 + up, square % 8 + right
        while 0 <= row + up < 8 and 0 <= column + right < 8:
            mask |= 1 << 8 * row + column
            row, column = row + up, column + right
    return mask


def subsets(mask: int) -> Words:
    """All 2**n subsets of the n squares in ``mask``."""
    found = np.zeros(1, np.uint64)
    while mask:
        lowest = mask & -mask
        found = np.concatenate((found, found | np.uint64(lowest)))
        mask ^= lowest
    return found


def build_sliders() -> tuple[Words, Words]:
    """Return ``finders``, a row (mask, multiplier, shift, offset) for each square, for bishops and then rooks; and
    ``slides``, the attacks that they look up."""
    finders = np.zeros((2, 64, 4), np.uint64)
    blockers, origins, places = [], [], []
    size = 0
    kinds = ((BISHOP_STEPS, BISHOP_MULTIPLIERS), (ROOK_STEPS, ROOK_MULTIPLIERS))
    reached = []
    for kind, (steps, multipliers) in enumerate(kinds):
        for square, multiplier in enumerate(multipliers):
            mask = blocker_mask(square, steps)
            shift = 64 - mask.bit_count()
            finders[kind, square] = mask, multiplier, shift, size
            sets = subsets(mask)
            blockers.append(sets)
            origins.append(np.full(len(sets), 1 << square, np.uint64))
            places.append((sets * np.uint64(multiplier) >> np.uint64(shift)) + np.uint64(size))
            size += len(sets)
        reached.append(rays(np.concatenate(origins), np.concatenate(blockers), steps))
        blockers, origins = [], []
    slides = np.zeros(size, np.uint64)
    slides[np.concatenate(places)] = np.concatenate(reached)
    return finders, slides
