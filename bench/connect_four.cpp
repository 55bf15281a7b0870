// The yardstick: connect four 7 × 6 in C++, the same two algorithms that zerosum compiles from Python rules.
//
//   connect_four perft DEPTH       counts the lines of play of DEPTH plies; the last ply is counted, not played
//   connect_four alphabeta DEPTH   fixed-depth, fail-soft alpha-beta with a transposition table, horizon worth 0
//
// Prints: value nodes seconds. Perft prints its count as both value and nodes.
// Build with: g++ -std=c++20 -O3 -march=native

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/mman.h>

namespace {

constexpr int kWidth = 7;
constexpr int kHeight = 6;
constexpr int kStride = kHeight + 1;  // one empty row above the board keeps lines from wrapping round

constexpr uint64_t bottom_row() {
  uint64_t row = 0;
  for (int column = 0; column < kWidth; ++column) row |= uint64_t{1} << (kStride * column);
  return row;
}
constexpr uint64_t kBottom = bottom_row();
constexpr uint64_t kBoard = kBottom * ((uint64_t{1} << kHeight) - 1);
constexpr int kColumns[kWidth] = {3, 2, 4, 1, 5, 0, 6};  // the middle first, as zerosum's rules yield them

struct Position {
  uint64_t mover;   // stones of the side to move
  uint64_t filled;  // stones of both sides
};

// Whether four of these stones stand in a row. No early exits: they would be mispredicted.
inline bool four_in_a_row(uint64_t stones) {
  const auto fours = [stones](int step) {
    const uint64_t pairs = stones & (stones >> step);
    return pairs & (pairs >> (2 * step));
  };
  return (fours(1) | fours(kHeight) | fours(kStride) | fours(kStride + 1)) != 0;
}

// Only the side that has just moved can have completed a line.
inline bool last_mover_won(const Position& p) { return four_in_a_row(p.mover ^ p.filled); }

inline bool is_terminal(const Position& p) { return last_mover_won(p) || p.filled == kBoard; }

inline Position play(const Position& p, int column) {
  return {p.mover ^ p.filled, p.filled | (p.filled + (uint64_t{1} << (kStride * column)))};
}

// Writes the columns with room, the middle first, and returns how many there are.
inline int generate(const Position& p, int* moves) {
  int count = 0;
  for (int column : kColumns) {
    if (!(p.filled >> (kStride * column + kHeight - 1) & 1)) moves[count++] = column;
  }
  return count;
}

uint64_t perft(const Position& p, int depth) {
  if (is_terminal(p)) return 0;
  int moves[kWidth];
  const int count = generate(p, moves);
  if (depth == 1) return count;
  uint64_t lines = 0;
  for (int i = 0; i < count; ++i) lines += perft(play(p, moves[i]), depth - 1);
  return lines;
}

// ---- alpha-beta ----------------------------------------------------------------------------------------------

constexpr int64_t kWin = int64_t{1} << 20;  // a win in n plies is worth kWin - n
constexpr int64_t kInfinity = int64_t{1} << 30;

// A packed entry, from the low bits: move (8), bound (8), depth (16), value (32).
enum Bound : int64_t { kExact = 1, kLower = 2, kUpper = 3 };

struct Entry {
  uint64_t key;
  int64_t data;
};

// One entry a slot, always replaced. An all-zero entry has no bound and so never matches.
class Table {
 public:
  static constexpr size_t kSize = size_t{1} << 22;

  Table() {
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      std::perror("mmap");
      std::exit(1);
    }
    madvise(memory, kBytes, MADV_HUGEPAGE);  // NumPy asks for the same, so both sides pay the same for a miss
    std::memset(memory, 0, kBytes);          // touched before the clock starts, as a cleared engine's table is
    entries_ = static_cast<Entry*>(memory);
  }

  Entry& at(uint64_t key) const { return entries_[key & (kSize - 1)]; }

 private:
  static constexpr size_t kBytes = kSize * sizeof(Entry);
  Entry* entries_;
};

inline uint64_t mix(uint64_t seed, uint64_t word) {
  uint64_t h = (seed ^ word) * 0xBF58476D1CE4E5B9;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EB;
  return h ^ (h >> 31);
}

inline uint64_t key_of(const Position& p) { return mix(0, p.mover + p.filled + kBottom); }

class Search {
 public:
  // Fail-soft value for the side to move: exact inside (alpha, beta), else a bound on the side it fell.
  int64_t value(const Position& p, int64_t alpha, int64_t beta, int depth, int ply) {
    ++nodes_;
    if (is_terminal(p)) return last_mover_won(p) ? ply - kWin : 0;
    if (depth == 0) return 0;

    const uint64_t key = key_of(p);
    Entry& entry = table_.at(key);
    int hash_move = -1;
    if (entry.key == key && entry.data != 0) {
      const int64_t stored = entry.data >> 32;
      hash_move = static_cast<int>(entry.data & 0xFF);
      if ((entry.data >> 16 & 0xFFFF) >= depth) {
        const int64_t bound = entry.data >> 8 & 0xFF;
        if (bound == kExact || (bound == kLower && stored >= beta) || (bound == kUpper && stored <= alpha)) {
          return stored;
        }
      }
    }

    int moves[kWidth];
    const int count = generate(p, moves);
    bring_to_front(moves, count, hash_move);

    const int64_t floor = alpha;
    int64_t best = -kInfinity;
    int best_move = moves[0];
    for (int i = 0; i < count; ++i) {
      const int64_t found = -value(play(p, moves[i]), -beta, -alpha, depth - 1, ply + 1);
      if (found > best) {
        best = found;
        best_move = moves[i];
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
      }
    }
    const int64_t bound = best >= beta ? kLower : best <= floor ? kUpper : kExact;
    entry = {key, best << 32 | int64_t{depth} << 16 | bound << 8 | best_move};
    return best;
  }

  uint64_t nodes() const { return nodes_; }

 private:
  // The other moves keep their order.
  static void bring_to_front(int* moves, int count, int wanted) {
    for (int i = 0; i < count; ++i) {
      if (moves[i] != wanted) continue;
      for (; i > 0; --i) moves[i] = moves[i - 1];
      moves[0] = wanted;
      return;
    }
  }

  Table table_;
  uint64_t nodes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  const int depth = argc == 3 ? std::atoi(argv[2]) : 0;
  if ((what != "perft" && what != "alphabeta") || depth < 1) {
    std::fprintf(stderr, "usage: %s perft|alphabeta DEPTH\n", argv[0]);
    return 2;
  }
  const Position start{0, 0};
  int64_t value = 0;
  uint64_t nodes = 0;
  Search search;
  const auto begin = std::chrono::steady_clock::now();
  if (what == "perft") {
    nodes = perft(start, depth);
    value = static_cast<int64_t>(nodes);
  } else {
    value = search.value(start, -kInfinity, kInfinity, depth, 0);
    nodes = search.nodes();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%lld %llu %.6f\n", static_cast<long long>(value), static_cast<unsigned long long>(nodes), seconds.count());
  return 0;
}
