"""The kernel of the vectorised environment: one item advances one game by a move and writes the new observation.

The data of the games is in rows outside the memory, one row per kind: states, dice, moves, masks. A mask or an
observation has one byte per entry, eight in a word, so that NumPy can view the row as bytes.
"""

from __future__ import annotations

from zerosum.game import CHANCE, Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, memory_at
from zerosum.jit.yields import NO_FEATURE, OUT_OF_RANGE
from zerosum.search.dice import pick_outcome

# Settings: whether all games restart, whether finished ones do, plies after which a game is truncated, the number of
# actions if an action is a move (0: it is an index in the list), what is observed, and the words of mask and
# observation. Then the addresses of the rows.
WORDS = ITEMS.then(
    *("anew", "resets", "longest", "actions", "observed", "mask_words", "seen_words", "step_dice"),
    *("states_at", "chosen_at", "dice_at", "plies_at", "since_at", "noted_at", "keys_at"),
    *("flags_at", "rewards_at", "movers_at", "moves_at", "counts_at", "masks_at", "seen_at"),
)
ANEW, RESETS, LONGEST, ACTIONS, OBSERVED, MASK_WORDS, SEEN_WORDS, DICE, *PLACES = WORDS
STATES, CHOSEN, DICE_OF, PLIES, SINCE, NOTED, KEYS, FLAGS, REWARDS, MOVERS, MOVES, COUNTS, MASKS, SEEN = PLACES

GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2
NOTHING, ACTIVE, BITS = 0, 1, 2
"""What is observed: nothing, the features that ``active`` yields, or all bits of the State."""

SPREAD, LOW_BITS = 0x0002_0408_1020_4081, 0x0101_0101_0101_0101
"""Seven bits times SPREAD, masked with LOW_BITS, puts each bit in its own byte."""


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", width_of(game)),
        Region("bits", max(-(-game.active_features // 64), game.state_type.size)),
    ]


def bytes_of(byte):
    """The eight bits of a byte as the eight bytes of a word, the lowest first.

    >>> bytes_of(0b10000010) == 1 << 8 | 1 << 56
    True
    """
    return (byte & 127) * SPREAD & LOW_BITS | (byte >> 7) << 56


def repetition_of_one_game(rules: Rules):
    """``repeated(key, i, mem)`` records a position of game ``i``; returns whether it is a draw by repetition."""
    times = rules.repetition

    def repeated(key, i, mem):
        noted, keys = memory_at(mem[NOTED]), memory_at(mem[KEYS])
        first, here, count = i * (mem[LONGEST] + 1), noted[i], 1
        for j in range(memory_at(mem[SINCE])[i], here):
            if keys[first + j] == key:
                count += 1
        keys[first + here] = key
        noted[i] = here + 1
        return count >= times

    return repeated


def observing(rules: Rules):
    """``observe(s, i, player, mem)`` writes what a player sees; negative if the rule broke its promise."""
    active, pack, has_active = rules.active, rules.pack, rules.has["active"]
    features, size, bits = rules.game.active_features, rules.game.state_type.size, rules.at["bits"]

    def observe(s, i, player, mem):
        if mem[OBSERVED] == NOTHING:
            return 0
        words = size
        if mem[OBSERVED] == BITS:
            pack(s, mem, bits)
        elif has_active:
            words = (features + 63) >> 6
            for j in range(words):
                mem[bits + j] = 0
            if active(s, player, mem, bits, features) < 0:
                return NO_FEATURE
        seen, first, left = memory_at(mem[SEEN]), i * mem[SEEN_WORDS], mem[SEEN_WORDS]
        for j in range(words):
            word = mem[bits + j]
            for k in range(min(left, 8)):
                seen[first + 8 * j + k] = bytes_of(word >> 8 * k & 255)
            left -= 8
        return 0

    return observe


def build(rules: Rules):
    to_move, moves_into, chances, play, utility = (
        rules.to_move,
        rules.moves_into,
        rules.chances,
        rules.play,
        rules.utility,
    )
    is_terminal, key_of, reversible = rules.is_terminal, rules.key, rules.reversible
    pack, unpack, fail = rules.pack, rules.unpack, rules.fail
    width, max_chances = rules.max_moves, rules.max_chances
    has_chance, times = rules.has["chances"], rules.repetition
    size, start, buffer = rules.game.state_type.size, rules.at.state, rules.at["buffer"]
    repeated, observe = repetition_of_one_game(rules), observing(rules)

    def begin(i, mem):
        memory_at(mem[PLIES])[i] = 0
        memory_at(mem[SINCE])[i] = 0
        memory_at(mem[NOTED])[i] = 0

    def clear_mask(i, mem):
        masks = memory_at(mem[MASKS])
        for j in range(i * mem[MASK_WORDS], (i + 1) * mem[MASK_WORDS]):
            masks[j] = 0

    def hide(i, mem):
        """Clear the mask and the observation of a finished game."""
        clear_mask(i, mem)
        seen = memory_at(mem[SEEN])
        for j in range(i * mem[SEEN_WORDS], (i + 1) * mem[SEEN_WORDS]):
            seen[j] = 0
        memory_at(mem[COUNTS])[i] = 0

    def show(s, i, n, mem):
        """Write mask, observation and player of a position with ``n`` moves; negative if a rule broke its promise."""
        masks, moves, first = memory_at(mem[MASKS]), memory_at(mem[MOVES]), i * mem[MASK_WORDS]
        memory_at(mem[COUNTS])[i] = n
        clear_mask(i, mem)
        for j in range(n):
            action = j
            if mem[ACTIONS]:
                action = moves[i * width + j]
                if action >= mem[ACTIONS]:
                    return OUT_OF_RANGE
            masks[first + (action >> 3)] |= 1 << 8 * (action & 7)
        player = to_move(s, mem)
        memory_at(mem[MOVERS])[i] = player
        return observe(s, i, player, mem)

    def item(i, mem):
        """Advance game ``i`` by a move and all dice rolls after it, to the next choice of a player or the end."""
        states, moves, plies = memory_at(mem[STATES]), memory_at(mem[MOVES]), memory_at(mem[PLIES])
        flags, rewards = memory_at(mem[FLAGS]), memory_at(mem[REWARDS])
        s = unpack(mem, start)
        is_first = mem[ANEW] != 0
        if is_first:
            begin(i, mem)
        else:
            rewards[i] = 0
            if mem[RESETS] == 0 and flags[i] != GOES_ON:
                return 1
            s = unpack(states, i * size)
            move = memory_at(mem[CHOSEN])[i]
            if mem[ACTIONS] == 0:
                move = moves[i * width + move]
            if times > 0:
                if not reversible(s, move, mem):
                    memory_at(mem[SINCE])[i] = memory_at(mem[NOTED])[i]
            s = play(s, move, mem)
            plies[i] += 1
        flags[i] = GOES_ON
        rewards[i] = 0
        while True:
            ended, n = GOES_ON, 0
            result = 0.0
            if is_terminal(s, mem):
                ended, result = TERMINATED, floating(utility(s, mem))
            else:
                if has_chance:
                    if to_move(s, mem) == CHANCE:
                        n = chances(s, mem, buffer, buffer + 2 * max_chances)
                        if n < 0:
                            return fail(s, n, mem)
                        mem[DICE] = memory_at(mem[DICE_OF])[i]
                        s = play(s, pick_outcome(buffer, n, DICE, mem), mem)
                        memory_at(mem[DICE_OF])[i] = mem[DICE]
                        plies[i] += 1
                        if plies[i] < mem[LONGEST]:
                            continue
                        ended = TRUNCATED
                if ended == GOES_ON and times > 0:
                    if repeated(key_of(s, mem), i, mem):
                        ended = TERMINATED
                if ended == GOES_ON:
                    n = moves_into(s, moves, i * width, (i + 1) * width, mem)
                    if n < 0:
                        return fail(s, n, mem)
                    if n == 0:
                        ended, result = TERMINATED, floating(utility(s, mem))
                    elif plies[i] >= mem[LONGEST]:
                        ended = TRUNCATED
            if ended == GOES_ON:
                n = show(s, i, n, mem)
                if n < 0:
                    return fail(s, n, mem)
                break
            flags[i] = ended
            rewards[i] = float_word(result)
            if mem[RESETS] == 0 or is_first:
                hide(i, mem)
                break
            s, is_first = unpack(mem, start), True  # once only: a start that is already over stays over
            begin(i, mem)
        pack(s, states, i * size)
        return 1

    return item


STEP = ItemKernel(
    "step",
    ("to_move", "moves", "chances", "play", "utility", "is_terminal", "key", "reversible", "active"),
    build,
    WORDS,
    regions,
)
