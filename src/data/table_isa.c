#include "data/isa_loops.h"

const ks_isa KS_OF_ISA(ks_isa) = {
    .name = KS_ISA_NAME,
    .convert = &KS_OF_ISA(ks_convert_loops),
    .math = &KS_OF_ISA(ks_math_loops),
    .gemm = &KS_OF_ISA(ks_gemm_loops),
    .input = &KS_OF_ISA(ks_input_loops),
    .solve64 = &KS_OF_ISA(ks_solve64_loops),
    .solve32 = &KS_OF_ISA(ks_solve32_loops),
};
