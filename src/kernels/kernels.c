#include "kernels/kernels.h"

static const ks_kernel kernels[] = {
    {"decode_opt1", KS_TASK_ATTENTION, ks_decode_opt1, 1},
    {"decode_opt2", KS_TASK_ATTENTION, ks_decode_opt2, 1},
    {"decode_opt3", KS_TASK_ATTENTION, ks_decode_opt3, 2},
    {"decode_a1", KS_TASK_ATTENTION, ks_decode_a1, 1},
    {"gemm", KS_TASK_GEMM, ks_gemm, 0},
    {"gemm_bias_relu", KS_TASK_GEMM_BIAS_RELU, ks_gemm_bias_relu, 0},
    {"gemm_ktile_scale", KS_TASK_GEMM_KTILE_SCALE, ks_gemm_ktile_scale, 0},
    {"gemm_chain", KS_TASK_GEMM_CHAIN, ks_gemm_chain, 0},
    {"gemm_postnorm", KS_TASK_GEMM_POSTNORM, ks_gemm_postnorm, 0},
    {"math_chain", KS_TASK_MATH_CHAIN, ks_math_chain, 0},
    {"rmsnorm_linear", KS_TASK_RMSNORM_LINEAR, ks_rmsnorm_linear, 0},
};

const ks_kernel_table ks_kernels = {kernels, sizeof kernels / sizeof kernels[0]};
