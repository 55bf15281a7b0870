"""Connect four on a board of any size: drop stones into columns; ``k`` in a row win.

MAX plays x and moves first. Boards are bitboards, column by column from the left, with the bottom cell of
each column in its lowest bit. Each column has one more bit than the board has rows: this guard bit is always
empty, so a shift never carries a row of stones from one column into the next.

>>> game = connect_four(width=4, height=3, k=3)
>>> s = game.initial()
>>> for text in "2", "3", "2":
...     s = game.play(s, game.parse_move(s, text))
>>> print(game.show(s))
. . . .
. x . .
. x o .
1 2 3 4
>>> game.format_state(s)
'..../.x../.xo.'
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, WIN, Game
from zerosum.games.boards import connect_four as drawing
from zerosum.games.trained import check_switches, evaluated_with
from zerosum.jit.bits import bits, popcount


class Stones(NamedTuple):
    mover: int  # the stones of the player to move
    filled: int  # the stones of both


# Weights of the evaluation and of move ordering; only their proportions matter.
THREAT = 32  # an empty cell that would complete k in a row
TIMELY = 24  # bonus for a threat on a row where zugzwang favours its owner
CENTRAL = 2  # a stone, for each column nearer to the middle

PHASES = 4  # phases of the game for networks, by the number of stones
LONGEST = 9  # the most cells in a line pattern
BLOCK = (4, 2)  # columns and rows of the patterns that are not lines
LEARNED = (7, 6, 4)  # width, height and k of the board that the shipped patterns were learned on

WHOSE = ("own", "their")  # features are seen from the side to move

WINNING = 1 << 20  # this move wins
BLOCKING = 1 << 19  # the opponent would win there


def connect_four(width: int = 7, height: int = 6, k: int = 4, patterns: int = 0) -> Game:
    """The game on ``width`` columns of ``height`` cells, won by ``k`` stones in a row, column or diagonal.

    With ``patterns=1``, positions are evaluated by patterns that were learned on the usual board.

    >>> connect_four(5, 4).max_moves
    5
    """
    check(width, height, k, patterns)
    rows = height + 1
    bottom = sum(1 << rows * column for column in range(width))
    board = bottom * ((1 << height) - 1)
    column_cells = (1 << height) - 1
    # The middle first: its cells are on the most lines.
    columns = tuple(sorted(range(width), key=lambda column: abs(2 * column - width + 1)))
    # The directions in which k cells fit. The others must be skipped: their shifts could exceed 63.
    along_column, along_row, along_diagonal = k <= height, k <= width, k <= min(width, height)
    # The cells at least 1, 2 and 3 columns away from the edges.
    inner = tuple(sum(column_cells << rows * c for c in range(n, width - n)) for n in (1, 2, 3))
    # With an even height the second player can always answer in the same column and so fills the even rows; the
    # first player gets the odd ones (V. Allis, A Knowledge-based Approach of Connect-Four, 1988).
    odd_rows = bottom * sum(1 << row for row in range(0, height, 2))
    timely_for_max = odd_rows if height % 2 == 0 else 0
    timely_for_min = board & ~odd_rows if height % 2 == 0 else 0
    first_player = rows * width

    # Rules

    def initial():
        return Stones(0, 0)

    def to_move(s):
        return popcount(s.filled) & 1

    def moves(s):
        for column in columns:
            if not s.filled >> (rows * column + height - 1) & 1:
                yield column

    def play(s, column):
        # Adding to the column's lowest bit carries through its stones to the first free cell.
        return Stones(s.mover ^ s.filled, s.filled | (s.filled + (1 << rows * column)))

    def run(stones, step):
        """The first cell of each k in a row along ``step``."""
        length = 1
        while 2 * length <= k:
            stones &= stones >> length * step
            length *= 2
        if length < k:
            stones &= stones >> (k - length) * step
        return stones

    def aligned(stones):
        found = 0
        if along_column:
            found |= run(stones, 1)
        if along_row:
            found |= run(stones, rows)
        if along_diagonal:
            found |= run(stones, rows - 1) | run(stones, rows + 1)
        return found != 0

    def is_terminal(s):
        return aligned(s.mover ^ s.filled) or s.filled == board

    def utility(s):
        # Only the player who has just moved can have won.
        if not aligned(s.mover ^ s.filled):
            return 0
        return -1 if to_move(s) == MAX else 1

    # Knowledge

    def completing_along(stones, step):
        """The cells that would complete k in a row along ``step``."""
        if k == 4:
            pair = (stones << step) & (stones << 2 * step)
            found = pair & ((stones << 3 * step) | (stones >> step))
            pair = (stones >> step) & (stones >> 2 * step)
            return (found | (pair & ((stones << step) | (stones >> 3 * step)))) & board
        found = 0
        before = board  # cells with `gap` stones in a row behind them
        behind = stones
        for gap in range(k):
            after = board  # cells with `k - 1 - gap` stones in a row ahead of them
            ahead = stones
            for _ in range(k - 1 - gap):
                ahead >>= step
                after &= ahead
            found |= before & after
            behind = (behind << step) & board
            before &= behind
        return found

    def completing(stones):
        found = 0
        if along_column:
            found |= completing_along(stones, 1)
        if along_row:
            found |= completing_along(stones, rows)
        if along_diagonal:
            found |= completing_along(stones, rows - 1) | completing_along(stones, rows + 1)
        return found

    def evaluate(s):
        """Threats (empty cells that complete k in a row), more on rows that zugzwang favours; then central stones."""
        empty = board & ~s.filled
        ours, theirs = s.mover, s.mover ^ s.filled
        if to_move(s) != MAX:
            ours, theirs = theirs, ours
        our_threats, their_threats = completing(ours) & empty, completing(theirs) & empty
        value = THREAT * (popcount(our_threats) - popcount(their_threats))
        value += TIMELY * (popcount(our_threats & timely_for_max) - popcount(their_threats & timely_for_min))
        for cells in inner:
            value += CENTRAL * (popcount(ours & cells) - popcount(theirs & cells))
        return value

    def features(s, out):
        """The stones by cell, and the threats by row and by whether they can be played now, for the side to move."""
        other, empty, playable = s.mover ^ s.filled, board & ~s.filled, (s.filled + bottom) & board
        place = 0
        for column in range(width):
            for row in range(height):
                cell = rows * column + row
                if s.mover >> cell & 1:
                    out[place] = 1.0
                elif other >> cell & 1:
                    out[place + width * height] = 1.0
                place += 1
        place = 2 * width * height
        our_threats, their_threats = completing(s.mover) & empty, completing(other) & empty
        out[place] = popcount(our_threats & playable)
        out[place + 1] = popcount(our_threats & odd_rows)
        out[place + 2] = popcount(our_threats & ~odd_rows)
        out[place + 3] = popcount(their_threats & playable)
        out[place + 4] = popcount(their_threats & odd_rows)
        out[place + 5] = popcount(their_threats & ~odd_rows)
        return to_move(s)

    cells = [f"{chr(97 + column)}{row + 1}" for column in range(width) for row in range(height)]
    feature_names = [
        *(f"{whose} {cell}" for whose in WHOSE for cell in cells),
        *(f"{whose} threats {where}" for whose in WHOSE for where in ("at once", "on odd rows", "on even rows")),
    ]

    def active(s, player):
        """The player's stones, the opponent's, and whether the player moved first: zugzwang treats the two differently.

        Having moved first is encoded as one of the player's stones on an extra cell.
        """
        own = s.mover if player == to_move(s) else s.mover ^ s.filled
        for cell in bits(own):
            yield cell
        for cell in bits(own ^ s.filled):
            yield first_player + 1 + cell
        if player == MAX:
            yield first_player

    def phase(s):
        return popcount(s.filled) * PHASES // (width * height + 1)

    def bounds(s):
        """Wins and losses within two plies of threats, with the distance.

        Otherwise, a player who could not align k even with a stone on every empty cell cannot win.
        """
        other = s.mover ^ s.filled
        empty = board & ~s.filled
        playable = (s.filled + bottom) & board
        if completing(s.mover) & playable:
            low = high = WIN - 1
        else:
            dangers = completing(other) & empty
            answers = dangers & playable
            if answers == 0:
                answers = playable
            elif answers & (answers - 1):
                answers = 0  # two threats at once: only one can be stopped
            # A stone under a danger lets the opponent play there.
            if answers & ~(dangers >> 1):
                low = 4 - WIN if aligned(other | empty) else 0
                high = WIN - 3 if aligned(s.mover | empty) else 0
            else:
                low = high = 2 - WIN
        if to_move(s) == MAX:
            return low, high
        return -high, -low

    def order(s, column):
        """Wins first, then blocks, then moves that leave the most threats, nearest the middle first; blunders last."""
        cell = (s.filled + (1 << rows * column)) & ~s.filled
        if completing(s.mover) & cell:
            return WINNING
        centrality = width - abs(2 * column - width + 1)
        dangers = completing(s.mover ^ s.filled)
        if dangers & cell:
            return BLOCKING + centrality
        threats = popcount(completing(s.mover | cell) & board & ~s.filled) * 64 + centrality
        return threats if not dangers & (cell << 1) else threats - BLOCKING

    def key(s):
        """A unique key: in each column a 1 above the stones marks the height, with the mover's stones below it.

        No column overflows, so the key has (height + 1) * width bits.
        """
        return s.mover + s.filled + bottom

    def mirrored(stones):
        image = 0
        for column in range(width):
            image |= (stones >> rows * column & column_cells) << rows * (width - 1 - column)
        return image

    def canonical(s):
        """The position or its mirror image, whichever has the smaller numbers."""
        mover, filled = mirrored(s.mover), mirrored(s.filled)
        if filled < s.filled or (filled == s.filled and mover < s.mover):
            return Stones(mover, filled)
        return s

    # The endgame database, for small boards: one tier. Each column is a digit: its stones with the mark above them, as
    # in the key. Most indices are unused, because the players would not have the right number of stones.

    digits = (1 << rows) - 1

    def tiers(n: int) -> list[tuple[str, int]]:
        return [("all", digits**width)]

    def rank(s):
        index = 0
        for column in range(width):
            index = index * digits + (key(s) >> rows * column & digits) - 1
        return index

    def unrank(tier, index):
        mover = filled = 0
        for column in range(width - 1, -1, -1):
            tower = index % digits + 1
            index //= digits
            stones = 0
            while 2 * stones + 1 < tower:
                stones = 2 * stones + 1
            if stones >= 1 and tower <= stones:
                stones >>= 1
            mover |= (tower - stones - 1) << rows * column
            filled |= stones << rows * column
        return Stones(mover, filled)

    def is_valid(s):
        """Whether the players have the right number of stones, and no move followed k in a row."""
        other = s.mover ^ s.filled
        if popcount(s.mover) != popcount(s.filled) >> 1 or aligned(s.mover):
            return False
        if not aligned(other):
            return True
        for column in range(width):
            top = (s.filled & ~(s.filled >> 1)) & column_cells << rows * column
            if top & other and not aligned(other & ~top):
                return True
        return False

    # Notation and display

    def marks(s: Stones) -> list[list[str]]:
        """The cells as x, o and '.', from the top row down."""
        other = s.mover ^ s.filled
        x, o = (s.mover, other) if to_move(s) == MAX else (other, s.mover)
        cells = [[rows * column + row for column in range(width)] for row in reversed(range(height))]
        return [["x" if x >> c & 1 else "o" if o >> c & 1 else "." for c in row] for row in cells]

    def show(s: Stones) -> str:
        size = len(str(width))
        lines = [*marks(s), [str(column + 1) for column in range(width)]]
        return "\n".join(" ".join(mark.rjust(size) for mark in line) for line in lines)

    def parse_move(s: Stones, text: str) -> int:
        return int(text) - 1

    def format_move(s: Stones, column: int) -> str:
        return str(column + 1)

    def format_state(s: Stones) -> str:
        """The rows from the top, separated by '/'; the number of stones implies the side to move."""
        return "/".join("".join(row) for row in marks(s))

    def parse_state(text: str) -> Stones:
        lines = [line.strip() for line in text.lower().strip().split("/")]
        if len(lines) != height:
            raise ValueError(f"it has {len(lines)} rows instead of {height}")
        stones = {"x": 0, "o": 0}
        for row, line in zip(reversed(range(height)), lines, strict=True):
            if len(line) != width:
                raise ValueError(f"row {line!r} has {len(line)} cells instead of {width}")
            for column, mark in enumerate(line):
                if mark in stones:
                    stones[mark] |= 1 << rows * column + row
                elif mark != ".":
                    raise ValueError(f"{mark!r} is not x, o or '.'")
        filled = stones["x"] | stones["o"]
        for column in range(width):
            # If no stone of a column floats, its bits are a number of the form 2**n - 1.
            tower = filled >> rows * column & column_cells
            if tower & (tower + 1):
                raise ValueError(f"column {column + 1} has a stone above an empty cell")
        counts = {mark: popcount(cells) for mark, cells in stones.items()}
        if counts["x"] - counts["o"] not in (0, 1):
            raise ValueError(f"x moves first, so there cannot be {counts['x']} x and {counts['o']} o")
        mover, last = ("x", "o") if counts["x"] == counts["o"] else ("o", "x")
        if aligned(stones[mover]):
            raise ValueError(f"{mover} has {k} in a row, but {last} moved after that")
        if aligned(stones[last]):
            tops = [filled & ~(filled >> 1) & column_cells << rows * column for column in range(width)]
            if all(aligned(stones[last] & ~top) for top in tops):
                raise ValueError(f"{last} already had {k} in a row before the last move")
        return Stones(stones[mover], filled)

    handwritten = Game(
        "connect-four",
        Stones,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=width,
        actions=width,
        is_terminal=is_terminal,
        evaluate=evaluate,
        features=features,
        feature_names=feature_names,
        active=active,
        active_features=2 * (first_player + 1),
        max_active=width * height + 1,
        patterns=lines_and_blocks(width, height, k),
        cells=first_player + 1,
        phase=phase,
        phases=PHASES,
        bounds=bounds,
        advice={"bounds": True},
        order=order,
        key=key,
        canonical=canonical,
        tiers=tiers,
        tier=lambda s: 0,
        rank=rank,
        unrank=unrank,
        is_valid=is_valid,
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=parse_state,
        format_state=format_state,
        players=("Red", "Yellow"),
        **drawing.board(width, height, k, to_move),
        about=f"drop stones, {k} in a row on {width}×{height}",
    )
    return evaluated_with("connect_four_patterns.npz", handwritten) if patterns else handwritten


def lines_and_blocks(width: int, height: int, k: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Lines where k in a row fit, and blocks of cells, each with its mirror image and the extra cell for moving first.

    Only mirror images share weights, because the value of threats on a line depends on its rows.
    """
    everywhere = [(column, row) for column in range(width) for row in range(height)]
    steps = [[(i * across, i * up) for i in range(LONGEST)] for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))]
    groups = []
    for (column, row), line in product(everywhere, steps):
        cells = [(column + across, row + up) for across, up in line]
        on_board = [cell for cell in cells if cell in everywhere]
        before = (column - line[1][0], row - line[1][1])
        if len(on_board) >= k and (before not in everywhere or len(on_board) == LONGEST):
            groups.append(on_board)
    for column, row in product(range(width - BLOCK[0] + 1), range(height - BLOCK[1] + 1)):
        groups.append([(column + across, row + up) for up, across in product(*map(range, BLOCK[::-1]))])
    found: dict[frozenset[int], tuple[tuple[int, ...], ...]] = {}
    for cells in groups:
        mirror_image = [(width - 1 - column, row) for column, row in cells]
        both = tuple(
            (*((height + 1) * column + row for column, row in image), (height + 1) * width)
            for image in (cells, mirror_image)
        )
        if frozenset(both[1]) not in found:
            found[frozenset(both[0])] = both
    return tuple(found.values())


def check(width: int, height: int, k: int, patterns: int) -> None:
    """Raise GameError unless the board fits in 63 bits, has room for k in a row and is the usual one for patterns."""
    for name, number, least in (("width", width, 1), ("height", height, 1), ("k", k, 2)):
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise GameError(f"connect-four: {name} must be a whole number of at least {least}, not {number!r}")
    if (height + 1) * width > 63:
        raise GameError(
            f"connect-four: width={width}, height={height} is too big: (height + 1) * width"
            f" is {(height + 1) * width} and must be at most 63"
        )
    if k > max(width, height):
        raise GameError(f"connect-four: k={k} in a row does not fit on a {width}×{height} board")
    check_switches("connect-four", patterns=patterns)
    if patterns and (width, height, k) != LEARNED:
        raise GameError(
            "connect-four: patterns were learned for width=7, height=6, k=4,"
            f" not for width={width}, height={height}, k={k}; leave patterns=0"
        )
