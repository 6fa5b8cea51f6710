#include <stdio.h>

int main(void) {
    int n, x;
    double sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n && scanf("%d", &x) == 1; i++) sum += x;
    if (n) printf("%.9f\n", sum / n);
    else puts("none");
}
