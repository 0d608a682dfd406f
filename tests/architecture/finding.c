/* A mistake of each kind that a sanitizer is there to find: the build that has the sanitizer must
 * report it, or its silence about everything else means nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int race(void) {
    volatile int sum = 0;
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 1000; i++) sum = sum + i;
    return sum;
}

static int overflow(volatile int *one) { return INT32_MAX + *one; }

static int cast(volatile double *large) { return (int)*large; }

static int use_after_free(void) {
    char *volatile bytes = calloc(4, 1);
    free(bytes);
    return bytes[1];
}

static int leak(void) {
    void *volatile lost = malloc(100);
    lost = NULL;
    return lost != NULL;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    volatile int one = 1;
    volatile double large = 1e300;
    int result = 0;
    if (!strcmp(name, "race")) result = race();
    if (!strcmp(name, "overflow")) result = overflow(&one);
    if (!strcmp(name, "cast")) result = cast(&large);
    if (!strcmp(name, "use_after_free")) result = use_after_free();
    if (!strcmp(name, "leak")) result = leak();
    printf("%d\n", result);
    return 0;
}
