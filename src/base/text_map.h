/* Texts numbered in the order in which they first came. */
#ifndef KS_BASE_TEXT_MAP_H
#define KS_BASE_TEXT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ks_text_map ks_text_map;

#define KS_TEXT_MAP_NONE SIZE_MAX

ks_text_map *ks_text_map_new(void);      /* NULL if out of memory */
void ks_text_map_free(ks_text_map *map); /* NULL is fine */
/* The number of `text`, a new one if it has none yet. KS_TEXT_MAP_NONE if out of memory. */
size_t ks_text_map_add(ks_text_map *map, const char *text);
size_t ks_text_map_find(const ks_text_map *map, const char *text); /* KS_TEXT_MAP_NONE: not there */
size_t ks_text_map_count(const ks_text_map *map);
const char *ks_text_map_at(const ks_text_map *map, size_t number);

#endif
