#include <stdio.h>

int main(void) {
    double total = 0, number;
    while (scanf("%lf", &number) == 1) total += number;
    if (!feof(stdin)) {
        fputs("no number\n", stderr);
        return 2;
    }
    printf("%g\n", total);
    return 0;
}
