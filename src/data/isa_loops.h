/* Inside one compilation of the *_isa.c files: KS_ISA, given on the command line, is the suffix of
 * their names, KS_ISA_NAME what ks_isa.name says. */
#ifndef KS_DATA_ISA_LOOPS_H
#define KS_DATA_ISA_LOOPS_H

#include "data/isa.h"

#ifndef KS_ISA
#define KS_ISA plain
#define KS_ISA_NAME "plain"
#endif

#define KS_ISA_JOIN(name, suffix) name##_##suffix
#define KS_ISA_EXPAND(name, suffix) KS_ISA_JOIN(name, suffix)
#define KS_OF_ISA(name) KS_ISA_EXPAND(name, KS_ISA)

/* Rows accumulated side by side, and bytes of a row: as much as the registers bear; and bytes of
 * a register, as a vector type must not be wider. */
enum { KS_BLOCK_ROWS = 4 };
#if defined(__AVX512F__)
enum { KS_BLOCK_BYTES = 256, KS_VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { KS_BLOCK_BYTES = 64, KS_VECTOR_BYTES = 32 };
#else
enum { KS_BLOCK_BYTES = 32, KS_VECTOR_BYTES = 16 };
#endif

#define KS_INLINE static inline __attribute__((always_inline))

extern const ks_convert_loops KS_OF_ISA(ks_convert_loops);
extern const ks_math_loops KS_OF_ISA(ks_math_loops);
extern const ks_gemm_loops KS_OF_ISA(ks_gemm_loops);
extern const ks_input_loops KS_OF_ISA(ks_input_loops);
extern const ks_solve64_loops KS_OF_ISA(ks_solve64_loops);
extern const ks_solve32_loops KS_OF_ISA(ks_solve32_loops);
extern const ks_isa KS_OF_ISA(ks_isa);

#endif
