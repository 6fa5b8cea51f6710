#include "board.h"

#include <istream>
#include <ostream>
#include <stdexcept>

static const int JUMPS[8][2] = {{-2, -1}, {-2, 1}, {-1, 2}, {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}};

bool operator==(const Square& s, const Square& r) { return s.i == r.i && s.j == r.j; }

Square move(const Square& s, int d) { return {s.i + JUMPS[d - 1][0], s.j + JUMPS[d - 1][1]}; }

Square moveBack(const Square& s, int d) { return {s.i - JUMPS[d - 1][0], s.j - JUMPS[d - 1][1]}; }

static bool areNext(const Square& s, const Square& r) {
    for (int d = 1; d <= 8; ++d)
        if (move(s, d) == r) return true;
    return false;
}

Board::Board(std::istream& in) {
    in >> m >> n;
    if (!in || m < 0 || n < 0) throw std::runtime_error("no board");
    rows.assign(m, std::vector<int>(n));
    for (auto& row : rows)
        for (int& value : row) in >> value;
}

bool Board::inRange(const Square& s) const { return s.i >= 0 && s.j >= 0 && s.i < m && s.j < n; }

int Board::get(const Square& s) const {
    if (!inRange(s)) throw std::runtime_error("not on the board");
    return rows[s.i][s.j];
}

void Board::set(const Square& s, int v) {
    if (!inRange(s)) throw std::runtime_error("not on the board");
    rows[s.i][s.j] = v;
}

int Board::nEmpty() const {
    int count = 0;
    for (const auto& row : rows)
        for (int value : row) count += value == 0;
    return count;
}

Square Board::emptySquare() const {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            if (rows[i][j] == 0) return {i, j};
    throw std::runtime_error("no square is empty");
}

int Board::waysOn(const Square& s) const {
    int count = 0;
    for (int d = 1; d <= 8; ++d) {
        const Square there = move(s, d);
        count += inRange(there) && get(there) == 0;
    }
    return count;
}

// An empty square needs two neighbours for the tour to come in and go out: empty ones, the end or the start.
bool Board::hasDeadEnd(const Square& start, const Square& here) const {
    bool hasWayBack = false;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const Square s{i, j};
            if (rows[i][j] != 0) continue;
            const bool atStart = areNext(s, start), atEnd = areNext(s, here) && !(here == start);
            hasWayBack = hasWayBack || atStart;
            if (waysOn(s) + atStart + atEnd < 2) {
                // With one square left, both of its neighbours are the ends.
                if (!(here == start && nEmpty() == 1)) return true;
            }
        }
    return !hasWayBack && nEmpty() > 0;
}

std::ostream& operator<<(std::ostream& out, const Board& board) {
    out << board.m << '\n' << board.n << '\n';
    for (const auto& row : board.rows) {
        for (std::size_t j = 0; j < row.size(); ++j) out << (j ? " " : "") << row[j];
        out << '\n';
    }
    return out;
}
