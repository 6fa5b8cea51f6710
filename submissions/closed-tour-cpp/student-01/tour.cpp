// Reads a board and prints a closed knight's tour of its empty squares: a search with a stack, no recursion.
#include "board.h"

#include <algorithm>
#include <iostream>
#include <vector>

// The squares that a knight can go to from here, those with the fewest ways on last.
static std::vector<Square> onward(const Board& board, const Square& here) {
    std::vector<std::pair<int, Square>> found;
    for (int d = 1; d <= 8; ++d) {
        const Square there = move(here, d);
        if (board.inRange(there) && board.get(there) == 0) found.emplace_back(-board.waysOn(there), there);
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
    std::vector<Square> squares;
    for (const auto& each : found) squares.push_back(each.second);
    return squares;
}

static bool knightsTour(Board& board) {
    const int total = board.nEmpty();
    if (total < 2) return false;
    const Square start = board.emptySquare();
    std::vector<Square> path{start};
    std::vector<std::vector<Square>> untried;
    board.set(start, 1);
    untried.push_back(onward(board, start));
    while (true) {
        const Square here = path.back();
        if (static_cast<int>(path.size()) == total)
            for (int d = 1; d <= 8; ++d)
                if (move(here, d) == start) return true;
        if (!untried.back().empty()) {
            const Square next = untried.back().back();
            untried.back().pop_back();
            path.push_back(next);
            board.set(next, static_cast<int>(path.size()));
            untried.push_back(board.hasDeadEnd(start, next) ? std::vector<Square>() : onward(board, next));
        } else {
            board.set(here, 0);
            path.pop_back();
            untried.pop_back();
            if (path.empty()) return false;
        }
    }
}

int main() {
    Board board(std::cin);
    if (knightsTour(board))
        std::cout << board;
    else
        std::cout << "no tour\n";
}
