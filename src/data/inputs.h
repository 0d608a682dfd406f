/* The integer part of the generator that data.h describes. */
#ifndef KS_DATA_INPUTS_H
#define KS_DATA_INPUTS_H

#include <stdint.h>

#define KS_GAMMA UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t ks_mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
