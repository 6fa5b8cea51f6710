// Knight's tour by backtracking, in the order of the directions.
#include <iostream>
#include <vector>

int m, n;
std::vector<std::vector<int>> board;
const int DI[] = {-2, -2, -1, 1, 2, 2, 1, -1};
const int DJ[] = {-1, 1, 2, 2, 1, -1, -2, -2};

bool isEmpty(int i, int j) { return i >= 0 && j >= 0 && i < m && j < n && board[i][j] == 0; }

bool search(int i, int j) {
    int total = 0;
    for (auto& row : board)
        for (int value : row) total += value == 0;
    std::vector<int> stack{0};
    board[i][j] = 1;
    while (true) {
        if (static_cast<int>(stack.size()) == total) return true;
        if (stack.back() < 8) {
            const int d = stack.back()++;
            if (isEmpty(i + DI[d], j + DJ[d])) {
                i += DI[d];
                j += DJ[d];
                stack.push_back(0);
                board[i][j] = static_cast<int>(stack.size());
            }
        } else {
            stack.pop_back();
            board[i][j] = 0;
            if (stack.empty()) return false;
            i -= DI[stack.back() - 1];
            j -= DJ[stack.back() - 1];
        }
    }
}

int main() {
    std::cin >> m >> n;
    board.assign(m, std::vector<int>(n));
    int start = -1;
    for (int k = 0; k < m * n; ++k) {
        std::cin >> board[k / n][k % n];
        if (start < 0 && board[k / n][k % n] == 0) start = k;
    }
    if (start < 0 || !search(start / n, start % n)) {
        std::cout << "no tour\n";
        return 0;
    }
    std::cout << m << '\n' << n << '\n';
    for (auto& row : board) {
        for (int value : row) std::cout << value << ' ';
        std::cout << '\n';
    }
}
