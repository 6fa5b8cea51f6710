#include <iostream>

int main() {
    double total = 0, number;
    while (std::cin >> number) total += number
    std::cout << total << "\n";
}
