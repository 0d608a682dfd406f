/* The product's kernels: GQA decode variants and legacy benches, one file each. */
#ifndef KS_KERNELS_KERNELS_H
#define KS_KERNELS_KERNELS_H

#include "host/host.h"

extern const ks_kernel_table ks_kernels;

/* A kernel's host calls for one point. */
typedef void ks_kernel_lower(ks_tl *tl, const ks_point *point, const ks_layout *layout);

ks_kernel_lower ks_decode_opt1, ks_decode_opt2, ks_decode_opt3, ks_decode_a1;
ks_kernel_lower ks_gemm, ks_gemm_bias_relu, ks_gemm_ktile_scale, ks_gemm_chain, ks_gemm_postnorm;
ks_kernel_lower ks_math_chain, ks_rmsnorm_linear;

#endif
