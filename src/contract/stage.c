#include "contract/stage.h"

#define X(name) #name,
static const char *const kinds[] = {KS_ROW_KIND_MAP(X)};
static const char *const phases[] = {KS_PHASE_MAP(X)};
static const char *const resources[] = {KS_RESOURCE_MAP(X)};
#undef X

const char *ks_row_kind_name(ks_row_kind kind) { return kinds[kind]; }
const char *ks_phase_name(ks_phase phase) { return phases[phase]; }
const char *ks_resource_name(ks_resource resource) { return resources[resource]; }
