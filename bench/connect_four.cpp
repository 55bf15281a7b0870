// The reference: connect four on 7 × 6 in C++, with the same algorithms that zerosum compiles from Python rules.
//
//   connect_four perft DEPTH      lines of play of DEPTH plies; the moves of the last ply are counted, not played,
//                                 by the parent of the leaf
//   connect_four leanperft DEPTH  the same, but the moves of the last ply are counted with one popcount
//   connect_four alphabeta DEPTH  what zerosum's Engine does with a table and its move first, all else switched off:
//                                 the same table, deepening, proof flags, limits and principal variation, hence
//                                 exactly the same nodes
//   connect_four lean DEPTH       a minimal alpha-beta: one table slot per key, none of those extras
//
// Prints value, nodes and seconds; perft prints its count as both value and nodes. The horizon is worth 0.
// Build with: g++ -std=c++20 -O3 -march=native

#include <algorithm>
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

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

// Whether four of these stones are in a row. No early exits: they would be mispredicted.
inline bool four_in_a_row(uint64_t stones) {
  const auto fours = [stones](int step) {
    const uint64_t pairs = stones & (stones >> step);
    return pairs & (pairs >> (2 * step));
  };
  return (fours(1) | fours(kHeight) | fours(kStride) | fours(kStride + 1)) != 0;
}

// Only the side that has just moved can have completed a line.
inline bool last_mover_won(Position p) { return four_in_a_row(p.mover ^ p.filled); }

inline bool is_terminal(Position p) { return last_mover_won(p) || p.filled == kBoard; }

inline Position play(Position p, int column) {
  return {p.mover ^ p.filled, p.filled | (p.filled + (uint64_t{1} << (kStride * column)))};
}

// Writes the columns with room, the middle first, and returns how many there are.
inline int generate(Position p, int* moves) {
  int count = 0;
  for (int column : kColumns) {
    if (!(p.filled >> (kStride * column + kHeight - 1) & 1)) moves[count++] = column;
  }
  return count;
}

// ---- perft ---------------------------------------------------------------------------------------------------

// The number of moves, counted column by column as generate() would write them.
struct ColumnByColumn {
  static int count(Position p) {
    int count = 0;
    for (int column : kColumns) count += !(p.filled >> (kStride * column + kHeight - 1) & 1);
    return count;
  }
};

// The number of moves, all columns at once: this needs knowledge of the rules.
struct AtOnce {
  static int count(Position p) { return std::popcount(~p.filled & kBottom << (kHeight - 1)); }
};

template <typename Moves>
inline int64_t last_ply(Position p) {
  return is_terminal(p) ? 0 : Moves::count(p);
}

// Lines of depth >= 2 plies. The parent of a leaf counts its moves itself, which saves a call for each.
template <typename Moves>
int64_t count_lines(Position p, int depth) {
  if (is_terminal(p)) return 0;
  int moves[kWidth];
  const int count = generate(p, moves);
  int64_t lines = 0;
  for (int i = 0; i < count; ++i) {
    const Position child = play(p, moves[i]);
    lines += depth == 2 ? last_ply<Moves>(child) : count_lines<Moves>(child, depth - 1);
  }
  return lines;
}

template <typename Moves>
int64_t perft(Position p, int depth) {
  return depth == 1 ? last_ply<Moves>(p) : count_lines<Moves>(p, depth);
}

// ---- what both searches share --------------------------------------------------------------------------------

constexpr int kMaxPly = kWidth * kHeight + 2;
constexpr int64_t kWin = int64_t{1} << 20;     // a win n plies from the root is worth kWin - n
constexpr int64_t kWon = kWin - 4096;          // values from here on are wins
constexpr int64_t kNoBound = int64_t{1} << 40;  // beyond every value

enum Bound : int64_t { kLower = 1, kUpper = 2, kExact = 3 };

// Unique: in each column a 1 above the stones marks the height, and below it are the mover's stones.
inline uint64_t key_of(Position p) { return p.mover + p.filled + kBottom; }

// Zeroed memory for a table. NumPy asks for huge pages too, so both sides pay the same for a miss.
template <typename Row>
Row* zeroed(size_t rows) {
  const size_t bytes = rows * sizeof(Row);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(1);
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 0, bytes);  // fetches the pages now, before the clock starts, as zerosum does
  return static_cast<Row*>(memory);
}

// The key as a row number: Fibonacci hashing.
inline size_t spread(uint64_t key, size_t mask) { return (key * 0x9E3779B97F4A7C15) >> 24 & mask; }

// In the table, wins are counted from the position itself, so they are right wherever it is reached.
inline int64_t to_table(int64_t value, int ply) {
  if (value >= kWon) return value + ply;
  return value <= -kWon ? value - ply : value;
}

inline int64_t from_table(int64_t value, int ply) {
  if (value >= kWon) return value - ply;
  return value <= -kWon ? value + ply : value;
}

// ---- zerosum's alpha-beta ------------------------------------------------------------------------------------

// What is known about a position, from the low end: 12 bits index of the best move, 10 bits depth, 2 bits bound,
// 1 bit proven, 7 bits age, 32 bits value for the side to move. 0 is no entry.
struct Data {
  int64_t bits = 0;

  Data() = default;
  explicit Data(int64_t raw) : bits(raw) {}
  Data(int64_t value, int age, bool proven, Bound bound, int depth, int index)
      : bits(value << 32 | int64_t{age} << 25 | int64_t{proven} << 24 | bound << 22 | int64_t{depth} << 12 | index) {}

  int index() const { return bits & 4095; }
  int depth() const { return bits >> 12 & 1023; }
  int64_t bound() const { return bits >> 22 & 3; }
  bool proven() const { return bits >> 24 & 1; }
  int age() const { return bits >> 25 & 127; }
  int64_t value() const { return bits >> 32; }
};

// Buckets of four entries, each a cache line. The key is stored mixed with the data, for threads without locks.
class Table {
 public:
  Data probe(uint64_t key) const {
    for (const Entry& entry : bucket(key)) {
      if (entry.data != 0 && (entry.mixed ^ entry.data) == key) return Data(entry.data);
    }
    return Data();
  }

  // Over the entry of the same position, else the least useful one: old, then shallow.
  void remember(uint64_t key, Data found) {
    Entry* place = nullptr;
    int worth = 1 << 30;
    for (Entry& entry : bucket(key)) {
      const Data data(entry.data);
      if (entry.data == 0 || (entry.mixed ^ entry.data) == key) {
        place = &entry;
        break;
      }
      const int this_one = data.depth() - 8 * ((found.age() - data.age()) & 127);
      if (this_one < worth) {
        place = &entry;
        worth = this_one;
      }
    }
    *place = {key ^ found.bits, found.bits};
  }

 private:
  struct Entry {
    uint64_t mixed;
    int64_t data;
  };
  using Bucket = Entry[4];
  static constexpr size_t kBuckets = size_t{1} << 20;  // 64 MB

  Bucket& bucket(uint64_t key) const { return buckets_[spread(key, kBuckets - 1)]; }

  Bucket* buckets_ = zeroed<Bucket>(kBuckets);
};

class Search {
 public:
  // The value of the start position, deepening until a depth is reached or all is proven.
  int64_t deepen(Position root, int depth) {
    int moves[kWidth];
    const int count = generate(root, moves);
    int64_t best = 0;
    for (int d = 1; d <= depth; ++d) {
      best = iterate(root, moves, count, d);
      if (proven_) break;
    }
    return best;
  }

  int64_t nodes() const { return nodes_; }

 private:
  // The value of the root; its best move comes first for the next depth, the others keep their order.
  int64_t iterate(Position root, int* moves, int count, int depth) {
    int64_t best = -kNoBound;
    int best_place = 0;
    bool all_proven = true;
    pv_length_[0] = 0;
    for (int i = 0; i < count; ++i) {
      const int64_t found = -value(play(root, moves[i]), -kNoBound, -best, depth - 1, 1);
      all_proven &= proven_;
      if (found > best) {
        best = found;
        best_place = i;
        extend_pv(0, moves[i]);
      }
    }
    proven_ = all_proven || best >= kWin - depth;
    for (int i = best_place; i > 0; --i) std::swap(moves[i], moves[i - 1]);
    return best;
  }

  // What value() returns at the horizon, without a separate call.
  int64_t leaf_value(Position p, int ply) {
    if (++nodes_ >= node_limit_) stop_ = true;
    pv_length_[ply] = 0;
    proven_ = is_terminal(p);
    return proven_ && last_mover_won(p) ? ply - kWin : 0;
  }

  // Fail-soft, for the side to move: a result v <= low means value <= v, v >= high means value >= v, else it is
  // exact. Leaves proven_, and where low + 1 < high the line in the row of ply.
  int64_t value(Position p, int64_t low, int64_t high, int depth, int ply) {
    if (stop_) return 0;
    if (++nodes_ >= node_limit_) stop_ = true;
    const bool open_window = high - low > 1;
    if (open_window) pv_length_[ply] = 0;
    if (is_terminal(p)) {
      proven_ = true;
      return last_mover_won(p) ? ply - kWin : 0;
    }
    if (depth == 0) {
      proven_ = false;
      return 0;
    }

    const uint64_t key = key_of(p);
    int hint = -1;
    if (const Data data = table_.probe(key); data.bits != 0) {
      hint = data.index();
      if (data.depth() >= depth || data.proven()) {
        const int64_t known = from_table(data.value(), ply);
        const int64_t bound = data.bound();
        if (bound == kExact || (bound == kLower && known >= high) || (bound == kUpper && known <= low)) {
          proven_ = data.proven();
          return known;
        }
      }
    }

    int moves[kWidth];
    const int count = generate(p, moves);
    int swapped = 0;
    if (hint >= 0 && hint < count) {
      swapped = hint;
      std::swap(moves[0], moves[hint]);
    }

    const int64_t start = low;
    int64_t best = -kNoBound;
    int best_index = 0;
    bool all_proven = true;
    for (int i = 0; i < count; ++i) {
      const Position child = play(p, moves[i]);
      const int64_t found = depth == 1 ? -leaf_value(child, ply + 1) : -value(child, -high, -low, depth - 1, ply + 1);
      if (stop_) return 0;
      if (found > best) {
        best = found;
        best_index = i == 0 ? swapped : i == swapped ? 0 : i;
        if (found > low) {
          low = found;
          if (open_window) extend_pv(ply, moves[i]);
          if (low >= high) {
            all_proven = proven_;
            break;
          }
        }
      }
      all_proven &= proven_;
    }
    proven_ = all_proven || best >= kWin - ply - depth;  // a win within the depth is certain whatever else is unknown
    const Bound bound = best >= high ? kLower : best <= start ? kUpper : kExact;
    table_.remember(key, Data(to_table(best, ply), kAge, proven_, bound, depth, best_index));
    return best;
  }

  void extend_pv(int ply, int move) {
    int* const here = pv_[ply];
    const int length = pv_length_[ply + 1];
    here[0] = move;
    std::copy_n(pv_[ply + 1], length, here + 1);
    pv_length_[ply] = length + 1;
  }

  static constexpr int kAge = 1;  // the first search

  Table table_;
  int64_t nodes_ = 0;
  int64_t node_limit_ = int64_t{1} << 62;
  volatile bool stop_ = false;  // another thread may set it
  bool proven_ = false;         // of the last value(): it did not depend on the horizon
  int pv_length_[kMaxPly] = {};
  int pv_[kMaxPly][kMaxPly] = {};
};

// ---- lean alpha-beta -----------------------------------------------------------------------------------------

class LeanSearch {
 public:
  int64_t value(Position p, int64_t low, int64_t high, int depth, int ply) {
    ++nodes_;
    if (is_terminal(p)) return last_mover_won(p) ? ply - kWin : 0;
    if (depth == 0) return 0;

    const uint64_t key = key_of(p);
    Entry& entry = entries_[spread(key, kEntries - 1)];
    int hint = -1;
    if (entry.key == key) {
      hint = entry.move;
      const int64_t known = from_table(entry.value, ply);
      if (entry.depth >= depth && (entry.bound == kExact || (entry.bound == kLower && known >= high) ||
                                   (entry.bound == kUpper && known <= low))) {
        return known;
      }
    }

    int moves[kWidth];
    const int count = generate(p, moves);
    if (hint >= 0) std::swap(moves[0], *std::find(moves, moves + count, hint));

    const int64_t start = low;
    int64_t best = -kNoBound;
    int best_move = moves[0];
    for (int i = 0; i < count && low < high; ++i) {
      const int64_t found = -value(play(p, moves[i]), -high, -low, depth - 1, ply + 1);
      if (found > best) {
        best = found;
        best_move = moves[i];
        low = std::max(low, best);
      }
    }
    const Bound bound = best >= high ? kLower : best <= start ? kUpper : kExact;
    entry = {key, static_cast<int32_t>(to_table(best, ply)), static_cast<int16_t>(depth),
             static_cast<int8_t>(bound), static_cast<int8_t>(best_move)};
    return best;
  }

  int64_t nodes() const { return nodes_; }

 private:
  struct Entry {
    uint64_t key;  // 0 marks an empty slot; no position has it
    int32_t value;
    int16_t depth;
    int8_t bound;
    int8_t move;
  };
  static constexpr size_t kEntries = size_t{1} << 22;  // 64 MB

  Entry* entries_ = zeroed<Entry>(kEntries);
  int64_t nodes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view task = argc == 3 ? argv[1] : "";
  const int depth = argc == 3 ? std::atoi(argv[2]) : 0;
  if ((task != "perft" && task != "leanperft" && task != "alphabeta" && task != "lean") || depth < 1) {
    std::fprintf(stderr, "usage: %s perft|leanperft|alphabeta|lean DEPTH\n", argv[0]);
    return 2;
  }
  const Position start{0, 0};
  static Search search;
  static LeanSearch lean;
  int64_t value = 0;
  int64_t nodes = 0;
  const auto begin = std::chrono::steady_clock::now();
  if (task == "perft") {
    value = nodes = perft<ColumnByColumn>(start, depth);
  } else if (task == "leanperft") {
    value = nodes = perft<AtOnce>(start, depth);
  } else if (task == "alphabeta") {
    value = search.deepen(start, depth);
    nodes = search.nodes();
  } else {
    value = lean.value(start, -kNoBound, kNoBound, depth, 0);
    nodes = lean.nodes();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%" PRId64 " %" PRId64 " %.6f\n", value, nodes, seconds.count());
  return 0;
}
