// The reference: perft of English draughts in C++, with the algorithm of zerosum's rules.
//
//   checkers_twin DEPTH       lines of play of DEPTH plies; the moves of the last ply are counted, not played: steps by
//                             popcount, jumps by walking them
//
// Prints the count and the seconds. Build with: g++ -std=c++20 -O3 -march=native

#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using Board = uint64_t;

// One bit after every eight squares is unused, so that steps are shifts by 4 and by 5 everywhere.
constexpr Board rows(int first, int last) {
  Board board = 0;
  for (int square = first; square <= last; ++square) board |= Board{1} << (square - 1 + (square - 1) / 8);
  return board;
}
constexpr Board kBoard = rows(1, 32);
constexpr Board kTop = rows(1, 4);
constexpr Board kBottom = rows(29, 32);
constexpr int kMostMoves = 192;

struct Position {
  Board black, white, kings;
  int turn;
};

inline Board towards(Board piece, int direction) {
  switch (direction) {
    case 0: return piece << 4;
    case 1: return piece << 5;
    case 2: return piece >> 4;
    default: return piece >> 5;
  }
}

struct Side {
  Board own, other, down, up, empty;
};

inline Side side_of(const Position& p) {
  const Board empty = kBoard & ~(p.black | p.white);
  if (p.turn == 0) return {p.black, p.white, p.black, p.black & p.kings, empty};
  return {p.white, p.black, p.white & p.kings, p.white, empty};
}

inline Board jumpers(const Side& s) {
  const Board down = s.down & (((s.other >> 4) & (s.empty >> 8)) | ((s.other >> 5) & (s.empty >> 10)));
  return down | (s.up & (((s.other << 4) & (s.empty << 8)) | ((s.other << 5) & (s.empty << 10))));
}

// All jumps, depth first; `found` receives each move: start, number of captures, directions.
template <typename Found>
inline void jumps(const Position& p, const Side& s, Board able, Found found) {
  for (; able; able &= able - 1) {
    const int start = std::countr_zero(able);
    Board piece = Board{1} << start;
    const bool is_man = !(piece & p.kings);
    const int first = is_man && p.turn ? 2 : 0;
    const int last = is_man && !p.turn ? 2 : 4;
    const Board free = s.empty | piece;
    Board prey = s.other;
    int length = 0, direction = first;
    uint32_t path = 0;
    bool has_gone_on = false;
    for (;;) {
      if (direction < last) {
        const Board over = towards(piece, direction);
        const Board to = towards(over, direction);
        if ((over & prey) && (to & free)) {
          piece = to;
          prey ^= over;
          path |= static_cast<uint32_t>(direction) << (2 * length);
          ++length;
          has_gone_on = false;
          direction = is_man && (to & (kTop | kBottom)) ? last : first;
        } else {
          ++direction;
        }
      } else {
        if (!has_gone_on) found(static_cast<uint32_t>(start) | static_cast<uint32_t>(length) << 6 | path << 10);
        if (length == 0) break;
        --length;
        direction = static_cast<int>(path >> (2 * length) & 3);
        path ^= static_cast<uint32_t>(direction) << (2 * length);
        const Board over = towards(piece, direction ^ 2);
        piece = towards(over, direction ^ 2);
        prey ^= over;
        has_gone_on = true;
        ++direction;
      }
    }
  }
}

inline int generate(const Position& p, uint32_t* moves) {
  const Side s = side_of(p);
  int n = 0;
  if (const Board able = jumpers(s)) {
    jumps(p, s, able, [&](uint32_t move) { moves[n++] = move; });
    return n;
  }
  const Board steps[4] = {s.down & s.empty >> 4, s.down & s.empty >> 5, s.up & s.empty << 4, s.up & s.empty << 5};
  for (uint32_t direction = 0; direction < 4; ++direction)
    for (Board b = steps[direction]; b; b &= b - 1)
      moves[n++] = static_cast<uint32_t>(std::countr_zero(b)) | direction << 10;
  return n;
}

inline int count(const Position& p) {
  const Side s = side_of(p);
  if (const Board able = jumpers(s)) {
    int n = 0;
    jumps(p, s, able, [&](uint32_t) { ++n; });
    return n;
  }
  return std::popcount(s.down & s.empty >> 4) + std::popcount(s.down & s.empty >> 5) +
         std::popcount(s.up & s.empty << 4) + std::popcount(s.up & s.empty << 5);
}

inline Position play(const Position& p, uint32_t move) {
  const Side s = side_of(p);
  const Board here = Board{1} << (move & 63);
  const int length = move >> 6 & 15;
  Board there = here, other = s.other, kings = p.kings;
  if (length == 0) {
    there = towards(here, static_cast<int>(move >> 10));
  } else {
    Board taken = 0;
    uint32_t path = move >> 10;
    for (int i = 0; i < length; ++i, path >>= 2) {
      const Board over = towards(there, static_cast<int>(path & 3));
      taken |= over;
      there = towards(over, static_cast<int>(path & 3));
    }
    other ^= taken;
    kings &= ~taken;
  }
  const Board own = (s.own & ~here) | there;
  if (here & p.kings) {
    kings = (kings & ~here) | there;
  } else {
    kings |= there & (p.turn == 0 ? kBottom : kTop);
  }
  if (p.turn == 0) return {own, other, kings, 1};
  return {other, own, kings, 0};
}

uint64_t perft(const Position& p, int depth) {
  if (depth == 1) return static_cast<uint64_t>(count(p));
  uint32_t moves[kMostMoves];
  const int n = generate(p, moves);
  uint64_t total = 0;
  for (int i = 0; i < n; ++i) total += perft(play(p, moves[i]), depth - 1);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const int depth = argc > 1 ? std::atoi(argv[1]) : 0;
  if (depth < 1) {
    std::fprintf(stderr, "usage: checkers_twin DEPTH\n");
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t leaves = perft({rows(1, 12), rows(21, 32), 0, 0}, depth);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%" PRIu64 " %.6f\n", leaves, seconds.count());
}
