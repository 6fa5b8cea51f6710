// Knight's tour: asks for a board and a start, and draws a tour by Warnsdorff's rule.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using Board = std::vector<std::vector<int>>;

static const int JUMPS[8][2] = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}};

static bool is_free(const Board& board, int row, int column) {
    const int size = static_cast<int>(board.size());
    return row >= 0 && column >= 0 && row < size && column < size && board[row][column] == 0;
}

static int ways_on(const Board& board, int row, int column) {
    int count = 0;
    for (const auto& jump : JUMPS) count += is_free(board, row + jump[0], column + jump[1]);
    return count;
}

// Goes to the square with the fewest ways on; ties are drawn by lot.
static bool walk(Board& board, int row, int column, std::mt19937& lot) {
    const int squares = static_cast<int>(board.size() * board.size());
    for (int number = 1;; ++number) {
        board[row][column] = number;
        if (number == squares) return true;
        std::vector<std::pair<int, int>> best;
        int fewest = 9;
        for (const auto& jump : JUMPS) {
            const int r = row + jump[0], c = column + jump[1];
            if (!is_free(board, r, c)) continue;
            const int ways = ways_on(board, r, c);
            if (ways < fewest) best.clear();
            if (ways <= fewest) {
                fewest = ways;
                best.emplace_back(r, c);
            }
        }
        if (best.empty()) return false;
        std::tie(row, column) = best[lot() % best.size()];
    }
}

static void draw(const Board& board) {
    const std::string line(board.size() * 5 + 1, '-');
    std::cout << line << '\n';
    for (const auto& row : board) {
        for (int number : row) std::cout << std::setw(5) << number;
        std::cout << '\n';
    }
    std::cout << line << std::endl;
}

int main() {
    int size = 0;
    do {
        std::cout << "Size of the board, from 5 on: ";
        if (!(std::cin >> size)) return 1;
    } while (size < 5 || size > 80);

    std::string start;
    std::cout << "Start, such as a0: ";
    if (!(std::cin >> start)) return 1;
    const int row = start[0] - 'a', column = std::stoi(start.substr(1));

    if (size % 2 == 1 && (row + column) % 2 == 1) {
        std::cout << "There is no tour from this square." << std::endl;
        return 0;
    }
    std::mt19937 lot(1);
    for (;;) {
        Board board(size, std::vector<int>(size, 0));
        if (walk(board, row, column, lot)) {
            draw(board);
            return 0;
        }
    }
}
