#include <iostream>

int main() {
    double total = 0, number;
    while (std::cin >> number) total += number;
    if (!std::cin.eof()) {
        std::cerr << "no number\n";
        return 2;
    }
    std::cout << total << "\n";
}
