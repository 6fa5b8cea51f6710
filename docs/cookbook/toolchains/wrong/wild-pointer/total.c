#include <stdio.h>
#include <stdlib.h>

int main(void) {
    double total = 0, *number = NULL;
    while (scanf("%lf", number) == 1) total += *number;
    printf("%g\n", total);
    return 0;
}
