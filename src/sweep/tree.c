#include "sweep/tree.h"

#include <string.h>
#include <yaml.h>

#include "base/file.h"
#include "sweep/quote.h"
#include "sweep/tree_bytes.h"

#define ADVICE "; put the expression in double quotes"

enum { MOST_NODES = 100000 };

ks_status ks_place_fail(ks_error *error, const ks_place *place, const char *format, ...) {
    ks_error inner;
    va_list args;
    va_start(args, format);
    ks_fail_v(&inner, KS_INPUT, format, args);
    va_end(args);
    return ks_fail(error, KS_INPUT, "%s:%zu:%zu: %s", place->file, place->line, place->column,
                   inner.text);
}

typedef struct builder {
    yaml_parser_t yaml;
    const char *file;
    ks_arena *arena;
    size_t node_count;
    unsigned level;
    ks_error *error;
} builder;

static ks_place place_of(const builder *b, const yaml_mark_t *mark) {
    return (ks_place){b->file, mark->line + 1, mark->column + 1};
}

static ks_status syntax_error(const builder *b) {
    const yaml_parser_t *yaml = &b->yaml;
    if (yaml->error == YAML_MEMORY_ERROR) return ks_fail(b->error, KS_NO_MEMORY, "out of memory");
    const ks_place place = place_of(b, &yaml->problem_mark);
    return ks_place_fail(b->error, &place,
                         "found what YAML does not allow (%s%s%s), expected YAML" ADVICE,
                         yaml->context ? yaml->context : "", yaml->context ? ": " : "",
                         yaml->problem ? yaml->problem : "unreadable");
}

static ks_status next_event(builder *b, yaml_event_t *event) {
    memset(event, 0, sizeof *event);
    return yaml_parser_parse(&b->yaml, event) ? KS_OK : syntax_error(b);
}

static ks_status refuse(const builder *b, const yaml_event_t *event, const char *found) {
    const ks_place place = place_of(b, &event->start_mark);
    return ks_place_fail(b->error, &place, "found %s, expected YAML without it" ADVICE, found);
}

static ks_status refuse_extras(const builder *b, const yaml_event_t *event,
                               const yaml_char_t *anchor, const yaml_char_t *tag) {
    if (anchor) return refuse(b, event, "an anchor (&)");
    if (tag) return refuse(b, event, "a tag (!)");
    return KS_OK;
}

static size_t characters(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static ks_status fill_scalar(builder *b, const yaml_event_t *event, ks_tree *node) {
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    const yaml_scalar_style_t style = event->data.scalar.style;
    const size_t quotes = style == YAML_PLAIN_SCALAR_STYLE ? 0 : 2;
    ks_status status = refuse_extras(b, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (status == KS_OK) status = ks_tree_check_scalar(&node->place, text, length, b->error);
    if (status) return status;
    char *copy = ks_arena_take(b->arena, length + 1, 1);
    if (!copy) return ks_fail(b->error, KS_NO_MEMORY, "out of memory");
    memcpy(copy, text, length);
    node->kind = KS_TREE_SCALAR;
    node->text = copy;
    node->length = length;
    node->is_quoted = quotes > 0;
    node->is_verbatim =
        event->start_mark.line == event->end_mark.line &&
        event->end_mark.index - event->start_mark.index == characters(text, length) + quotes;
    return KS_OK;
}

static ks_status read_node(builder *b, const yaml_event_t *event, ks_tree **out);

static ks_status append(builder *b, ks_tree *parent, ks_tree ***last, const yaml_event_t *event) {
    const ks_status status = read_node(b, event, *last);
    if (status == KS_OK) {
        *last = (ks_tree **)&(**last)->next;
        parent->count++;
    }
    return status;
}

static ks_status read_items(builder *b, ks_tree *list, yaml_event_type_t end) {
    ks_tree **last = (ks_tree **)&list->first;
    for (;;) {
        yaml_event_t event;
        ks_status status = next_event(b, &event);
        const bool is_end = status == KS_OK && event.type == end;
        if (status == KS_OK && !is_end) status = append(b, list, &last, &event);
        yaml_event_delete(&event);
        if (status || is_end) return status;
    }
}

static ks_status read_key(builder *b, const yaml_event_t *event, const ks_tree *map, ks_tree *key) {
    key->place = place_of(b, &event->start_mark);
    if (event->type == YAML_ALIAS_EVENT) return refuse(b, event, "an alias (*)");
    if (event->type != YAML_SCALAR_EVENT)
        return ks_place_fail(b->error, &key->place,
                             "found a list or map as a key, expected a name" ADVICE);
    const ks_status status = fill_scalar(b, event, key);
    if (status) return status;
    const ks_tree *twin = ks_tree_find(map, key->text);
    if (twin)
        return ks_place_fail(
            b->error, &key->place,
            "found '%.60s' a second time, expected each key once (first at %s:%zu:%zu)", key->text,
            twin->key_place.file, twin->key_place.line, twin->key_place.column);
    if (map->count == KS_TREE_KEYS)
        return ks_place_fail(b->error, &key->place,
                             "found more than %d keys in a map, expected fewer", KS_TREE_KEYS);
    return KS_OK;
}

static ks_status read_entry(builder *b, ks_tree *map, ks_tree ***last,
                            const yaml_event_t *key_event) {
    ks_tree key = {0};
    ks_status status = read_key(b, key_event, map, &key);
    if (status) return status;
    yaml_event_t event;
    status = next_event(b, &event);
    if (status) return status;
    ks_tree **entry = *last;
    ks_tree *node = NULL;
    status = read_node(b, &event, &node);
    yaml_event_delete(&event);
    if (status) return status;
    node->key = key.text;
    node->key_place = key.place;
    *entry = node;
    *last = (ks_tree **)&node->next;
    map->count++;
    return KS_OK;
}

static ks_status read_entries(builder *b, ks_tree *map) {
    ks_tree **last = (ks_tree **)&map->first;
    for (;;) {
        yaml_event_t event;
        ks_status status = next_event(b, &event);
        const bool is_end = status == KS_OK && event.type == YAML_MAPPING_END_EVENT;
        if (status == KS_OK && !is_end) status = read_entry(b, map, &last, &event);
        yaml_event_delete(&event);
        if (status || is_end) return status;
    }
}

static ks_status read_collection(builder *b, const yaml_event_t *event, ks_tree *node) {
    const bool is_map = event->type == YAML_MAPPING_START_EVENT;
    const ks_status status = is_map ? refuse_extras(b, event, event->data.mapping_start.anchor,
                                                    event->data.mapping_start.tag)
                                    : refuse_extras(b, event, event->data.sequence_start.anchor,
                                                    event->data.sequence_start.tag);
    if (status) return status;
    if (++b->level > KS_TREE_LEVELS)
        return ks_place_fail(b->error, &node->place,
                             "found more than %d levels of nesting, expected fewer",
                             KS_TREE_LEVELS);
    node->kind = is_map ? KS_TREE_MAP : KS_TREE_LIST;
    const ks_status inner =
        is_map ? read_entries(b, node) : read_items(b, node, YAML_SEQUENCE_END_EVENT);
    b->level--;
    return inner;
}

static ks_status read_node(builder *b, const yaml_event_t *event, ks_tree **out) {
    const ks_place place = place_of(b, &event->start_mark);
    if (event->type == YAML_ALIAS_EVENT) return refuse(b, event, "an alias (*)");
    if (++b->node_count > MOST_NODES)
        return ks_place_fail(b->error, &place,
                             "found more than %d values in a file, expected fewer", MOST_NODES);
    ks_tree *node = ks_arena_take(b->arena, 1, sizeof *node);
    if (!node) return ks_fail(b->error, KS_NO_MEMORY, "out of memory");
    node->place = place;
    node->text = "";
    *out = node;
    return event->type == YAML_SCALAR_EVENT ? fill_scalar(b, event, node)
                                            : read_collection(b, event, node);
}

static ks_status read_start(builder *b, const yaml_event_t *event) {
    const bool has_directive = event->data.document_start.version_directive ||
                               event->data.document_start.tag_directives.start !=
                                   event->data.document_start.tag_directives.end;
    return has_directive ? refuse(b, event, "a directive (%)") : KS_OK;
}

/* Stream start, document start, the root, document end, stream end. */
static ks_status read_stream(builder *b, ks_tree **root) {
    for (;;) {
        yaml_event_t event;
        ks_status status = next_event(b, &event);
        const yaml_event_type_t type = event.type;
        if (status == KS_OK && type == YAML_DOCUMENT_START_EVENT)
            status = *root ? refuse(b, &event, "a second document") : read_start(b, &event);
        else if (status == KS_OK && type != YAML_STREAM_START_EVENT &&
                 type != YAML_DOCUMENT_END_EVENT && type != YAML_STREAM_END_EVENT)
            status = read_node(b, &event, root);
        yaml_event_delete(&event);
        if (status || type == YAML_STREAM_END_EVENT) return status;
    }
}

ks_status ks_tree_parse(const char *file, const char *bytes, size_t length, ks_arena *arena,
                        const ks_tree **root, ks_error *error) {
    builder b = {.file = file, .arena = arena, .error = error};
    ks_tree *tree = NULL;
    const ks_place start = {file, 1, 1};
    *root = NULL;
    if (length > KS_TREE_BYTES)
        return ks_place_fail(error, &start, "found %zu bytes, expected at most %d", length,
                             KS_TREE_BYTES);
    ks_status status = ks_tree_check_bytes(file, bytes, length, error);
    if (status) return status;
    if (!yaml_parser_initialize(&b.yaml)) return ks_fail(error, KS_NO_MEMORY, "out of memory");
    yaml_parser_set_encoding(&b.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.yaml, (const unsigned char *)bytes, length);
    status = read_stream(&b, &tree);
    yaml_parser_delete(&b.yaml);
    if (status) return status;
    if (!tree) return ks_place_fail(error, &start, "found nothing, expected a map");
    *root = tree;
    return KS_OK;
}

ks_status ks_tree_read(const char *file, ks_arena *arena, const ks_tree **root, ks_digest *digest,
                       ks_error *error) {
    const ks_place start = {file, 1, 1};
    ks_text bytes = {0};
    *root = NULL;
    if (strcmp(file, "-") != 0 && ks_path_is_folder(file))
        return ks_fail(error, KS_INPUT, "%s: found a folder, expected a YAML file", file);
    if (strcmp(file, "-") != 0 && !ks_path_exists(file))
        return ks_fail(error, KS_INPUT, "%s: found no such file, expected a YAML file", file);
    ks_status status = ks_file_read(file, KS_TREE_BYTES, &bytes, error);
    if (status == KS_INPUT)
        ks_place_fail(error, &start, "found a file of more than %d bytes, expected fewer",
                      KS_TREE_BYTES);
    if (status == KS_OK)
        status = ks_tree_parse(file, ks_text_string(&bytes), bytes.length, arena, root, error);
    if (digest) *digest = ks_digest_of(ks_text_string(&bytes), bytes.length);
    ks_text_free(&bytes);
    return status;
}

const ks_tree *ks_tree_find(const ks_tree *map, const char *key) {
    for (const ks_tree *entry = map->first; entry; entry = entry->next)
        if (entry->key && strcmp(entry->key, key) == 0) return entry;
    return NULL;
}

const char *ks_tree_found(char out[96], const ks_tree *node) {
    if (node->kind == KS_TREE_LIST) return strcpy(out, "a list");
    if (node->kind == KS_TREE_MAP) return strcpy(out, "a map");
    return ks_quote(out, node->text, node->length);
}

static ks_status unknown_key(const ks_tree *entry, const char *what, const char *const *keys,
                             size_t count, const char *advice, ks_error *error) {
    char found[KS_QUOTE_MAX];
    const char *near = ks_near(entry->key, keys, count);
    ks_text list = {0};
    for (size_t i = 0; i < count; i++) ks_text_add_format(&list, "%s%s", i ? ", " : "", keys[i]);
    ks_place_fail(error, &entry->key_place, "found the unknown key %s in %s, expected %s%s%s%s%s%s",
                  ks_quote(found, entry->key, strlen(entry->key)), what, count ? "one of " : "none",
                  ks_text_string(&list), near ? " (did you mean " : "", near ? near : "",
                  near ? "?)" : "", advice);
    ks_text_free(&list);
    return KS_INPUT;
}

ks_status ks_tree_expect_keys(const ks_tree *map, const char *what, const char *const *keys,
                              size_t count, const char *advice, ks_error *error) {
    char found[KS_QUOTE_MAX];
    if (map->kind != KS_TREE_MAP)
        return ks_place_fail(error, &map->place, "found %s, expected %s: a map%s",
                             ks_tree_found(found, map), what, advice);
    for (const ks_tree *entry = map->first; entry; entry = entry->next) {
        size_t i = 0;
        while (i < count && strcmp(keys[i], entry->key) != 0) i++;
        if (i == count) return unknown_key(entry, what, keys, count, advice, error);
    }
    return KS_OK;
}

bool ks_tree_is_name(const ks_tree *node) {
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    static const char rest[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    return node->kind == KS_TREE_SCALAR && node->length >= 1 && node->length <= 100 &&
           strchr(first, node->text[0]) && strspn(node->text, rest) == node->length;
}
