/* The newest calibration of each machine, decoded, and the older ones that were used last.  A share
 * stays valid after the catalogue has dropped the calibration. */
#include "server/calibrations/catalogue.h"

#include "server/calibrations/document.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_CALIBRATIONS = 64, DOCUMENT_BYTES = 256 * 1024 * 1024 };

static void free_loaded(void *value)
{
    struct fr_loaded *loaded = value;

    fr_cached_drop(loaded->decoded);
    fr_arena_free(loaded->arena);
    free(loaded);
}

/* Room for a calibration without facts, or NULL. */
static struct fr_loaded *new_loaded(void)
{
    struct fr_loaded *loaded = calloc(1, sizeof *loaded);

    if (!loaded)
        return NULL;
    loaded->cached = (struct fr_cached){ .owners = 1, .free = free_loaded };
    loaded->facts_json = "{}";
    loaded->arena = fr_arena_new(DOCUMENT_BYTES);
    if (loaded->arena)
        loaded->cal = fr_arena_zeroed(loaded->arena, 1, sizeof *loaded->cal);
    if (loaded->cal)
        return loaded;
    fr_cached_drop(loaded);
    return NULL;
}

struct fr_loaded *fr_loaded_read(const char *text, size_t length, struct fr_faults *faults)
{
    struct fr_loaded *loaded = new_loaded();

    if (!loaded)
        fr_fault(faults, FR_NOMEM, "", "the document is too large");
    else if (fr_calibration_read(text, length, loaded->arena, loaded->cal, loaded->id, faults) ==
             FR_OK)
        return loaded;
    fr_cached_drop(loaded);
    return NULL;
}

/* The same calibration, to be given other facts. */
static struct fr_loaded *copy_of(struct fr_loaded *known)
{
    struct fr_loaded *loaded = new_loaded();

    if (!loaded)
        return NULL;
    *loaded->cal = *known->cal;
    memcpy(loaded->id, known->id, sizeof loaded->id);
    loaded->decoded = fr_cached_share(known->decoded ? known->decoded : known);
    return loaded;
}

struct fr_catalog {
    struct fr_cache *older;     /* calibrations that are not the newest */
    pthread_mutex_t refreshing; /* held from reading the store until the table is updated, so that
                                 * no older calibration replaces it; taken before `lock` */
    pthread_rwlock_t lock;      /* protects all that follows */
    struct fr_loaded **newest;  /* one for each machine */
    size_t count, capacity;
};

static bool is_it(const void *value, const void *id)
{
    return strcmp(((const struct fr_loaded *)value)->id, id) == 0;
}

static bool is_any(const void *value, const void *nothing)
{
    (void)value, (void)nothing;
    return true;
}

struct fr_catalog *fr_catalog_new(void)
{
    struct fr_catalog *catalog = calloc(1, sizeof *catalog);

    if (!catalog)
        return NULL;
    pthread_mutex_init(&catalog->refreshing, NULL);
    pthread_rwlock_init(&catalog->lock, NULL);
    catalog->older = fr_cache_new(is_it, 0, KEPT_CALIBRATIONS);
    if (catalog->older)
        return catalog;
    fr_catalog_free(catalog);
    return NULL;
}

void fr_catalog_free(struct fr_catalog *catalog)
{
    if (!catalog)
        return;
    for (size_t i = 0; i < catalog->count; i++)
        fr_cached_drop(catalog->newest[i]);
    fr_cache_free(catalog->older);
    pthread_rwlock_destroy(&catalog->lock);
    pthread_mutex_destroy(&catalog->refreshing);
    free(catalog->newest);
    free(catalog);
}

/* The index of the machine's newest calibration, or `count`. */
static size_t place_of(const struct fr_catalog *catalog, const char *machine)
{
    size_t i = 0;

    while (i < catalog->count && strcmp(catalog->newest[i]->cal->machine, machine))
        i++;
    return i;
}

/* Replaces the machine's newest calibration; NULL removes it. */
static bool replace(struct fr_catalog *catalog, const char *machine, struct fr_loaded *loaded)
{
    struct fr_loaded *old = NULL;
    bool is_done = true;
    size_t place;

    pthread_rwlock_wrlock(&catalog->lock);
    place = place_of(catalog, machine);
    if (place < catalog->count)
        old = catalog->newest[place];
    if (old && !loaded) {
        catalog->newest[place] = catalog->newest[--catalog->count];
    } else if (loaded) {
        if (place == catalog->capacity) {
            const size_t capacity = 2 * catalog->capacity + 16;
            struct fr_loaded **longer = realloc(catalog->newest, capacity * sizeof *longer);

            if (longer) {
                catalog->newest = longer;
                catalog->capacity = capacity;
            }
        }
        is_done = place < catalog->capacity;
        if (is_done)
            catalog->newest[place] = loaded;
        if (is_done && !old)
            catalog->count++;
    }
    pthread_rwlock_unlock(&catalog->lock);
    fr_cached_drop(is_done ? old : loaded);
    return is_done;
}

/* No other thread has a share yet. */
static void take_facts(struct fr_loaded *loaded, struct fr_store *store)
{
    loaded->cal->facts =
        fr_facts_of(store, loaded->cal->machine, loaded->arena, &loaded->facts_json);
}

/* `known` (or NULL) is not decoded again if it is the newest in the store. */
static int refresh(struct fr_catalog *catalog, struct fr_store *store, const char *machine,
                   struct fr_loaded *known)
{
    struct fr_arena *arena = fr_arena_new(DOCUMENT_BYTES);
    struct fr_stored_calibration stored;
    struct fr_faults faults = { 0 };
    struct fr_loaded *loaded = NULL;
    int result = FR_STORE_FAILED;

    if (arena)
        result = fr_store_newest_calibration(store, machine, arena, &stored);
    if (result == FR_STORE_OK)
        loaded = known && strcmp(known->id, stored.id) == 0
                     ? copy_of(known)
                     : fr_loaded_read(stored.document, stored.document_length, &faults);
    fr_arena_free(arena);
    if (result == FR_STORE_FAILED)
        return FR_NOT_FOUND;
    if (result == FR_STORE_OK && !loaded)
        return FR_SYNTAX;
    if (loaded)
        take_facts(loaded, store);
    return replace(catalog, machine, loaded) ? FR_OK : FR_NOMEM;
}

static int refresh_alone(struct fr_catalog *catalog, struct fr_store *store, const char *machine,
                         struct fr_loaded *known)
{
    int code;

    pthread_mutex_lock(&catalog->refreshing);
    code = refresh(catalog, store, machine, known);
    pthread_mutex_unlock(&catalog->refreshing);
    return code;
}

int fr_catalog_refresh(struct fr_catalog *catalog, struct fr_store *store, const char *machine)
{
    struct fr_loaded *known = fr_catalog_newest(catalog, machine);
    const int code = refresh_alone(catalog, store, machine, known);

    fr_cached_drop(known);
    return code;
}

int fr_catalog_add(struct fr_catalog *catalog, struct fr_store *store, struct fr_loaded *decoded)
{
    return refresh_alone(catalog, store, decoded->cal->machine, decoded);
}

static bool is_current(struct fr_catalog *catalog, const struct fr_machine *machine)
{
    struct fr_loaded *loaded = fr_catalog_newest(catalog, machine->name);
    const char *id = machine->newest_calibration;
    const bool is_it = id ? loaded && strcmp(loaded->id, id) == 0 &&
                                strcmp(loaded->facts_json, machine->facts_json) == 0
                          : !loaded;

    fr_cached_drop(loaded);
    return is_it;
}

int fr_catalog_follow(struct fr_catalog *catalog, struct fr_store *store, const char *machine)
{
    struct fr_arena *arena = fr_arena_new(DOCUMENT_BYTES);
    int result = FR_STORE_FAILED, code = FR_OK;
    struct fr_machine found;

    if (arena)
        result = fr_store_glance_machine(store, machine, arena, &found);
    if (result == FR_STORE_FAILED)
        code = FR_NOT_FOUND;
    else if (result == FR_STORE_NONE || !is_current(catalog, &found))
        code = fr_catalog_refresh(catalog, store, machine);
    fr_arena_free(arena);
    fr_catalog_forget(catalog, NULL);
    return code;
}

int fr_catalog_load(struct fr_catalog *catalog, struct fr_store *store, struct fr_log *log)
{
    char after[80] = "";
    size_t count;

    do {
        struct fr_arena *arena = fr_arena_new(16 * 1024 * 1024);
        struct fr_machine *machines;

        count = 0;
        if (!arena || fr_store_list_machines(store, after[0] ? after : NULL, 100, arena, &machines,
                                             &count) == FR_STORE_FAILED) {
            fr_arena_free(arena);
            return FR_NOT_FOUND;
        }
        for (size_t i = 0; i < count; i++) {
            snprintf(after, sizeof after, "%s", machines[i].name);
            if (!is_current(catalog, &machines[i]) &&
                fr_catalog_refresh(catalog, store, after) != FR_OK)
                fr_log(log, FR_LOG_ERROR, "catalog", "machine", after, "error",
                       "its newest calibration cannot be read", NULL);
        }
        fr_arena_free(arena);
    } while (count == 100);
    return FR_OK;
}

struct fr_loaded *fr_catalog_newest(struct fr_catalog *catalog, const char *machine)
{
    struct fr_loaded *loaded = NULL;
    size_t place;

    pthread_rwlock_rdlock(&catalog->lock);
    place = place_of(catalog, machine);
    if (place < catalog->count)
        loaded = fr_cached_share(catalog->newest[place]);
    pthread_rwlock_unlock(&catalog->lock);
    return loaded;
}

struct fr_loaded *fr_catalog_find(struct fr_catalog *catalog, const char *id)
{
    struct fr_loaded *found = NULL;

    pthread_rwlock_rdlock(&catalog->lock);
    for (size_t i = 0; i < catalog->count && !found; i++)
        if (strcmp(catalog->newest[i]->id, id) == 0)
            found = fr_cached_share(catalog->newest[i]);
    pthread_rwlock_unlock(&catalog->lock);
    return found ? found : fr_cache_find(catalog->older, id);
}

struct fr_loaded *fr_catalog_get(struct fr_catalog *catalog, struct fr_store *store, const char *id,
                                 struct fr_arena *arena)
{
    struct fr_loaded *loaded = fr_catalog_find(catalog, id);
    const uint64_t since = fr_cache_moment(catalog->older); /* before its facts are read */
    struct fr_stored_calibration stored;
    struct fr_faults unread;

    if (loaded || fr_store_get_calibration(store, id, arena, &stored) != FR_STORE_OK)
        return loaded;
    unread.count = 0;
    loaded = fr_loaded_read(stored.document, stored.document_length, &unread);
    if (!loaded)
        return NULL;
    take_facts(loaded, store);
    loaded->cached.since = since;
    return fr_cache_keep(catalog->older, id, loaded);
}

void fr_catalog_forget(struct fr_catalog *catalog, const char *id)
{
    fr_cache_outdate(catalog->older);
    fr_cache_forget(catalog->older, id ? is_it : is_any, id);
}
