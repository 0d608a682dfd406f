/* One lock guards what is below; it is not held while anything of a window is done. A window goes
 * from begun to current to ended. Items are only taken from the current one. */
#include "run/pipeline.h"

#include <omp.h>
#include <pthread.h>

typedef struct window {
    size_t item_count, taken, finished;
} window;

typedef struct state {
    const ks_pipeline *work;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    window windows[KS_PIPELINE_PLACES];
    uint64_t begun, current, ended; /* numbers of windows: ended <= current <= begun */
    bool is_beginning, is_ending;
} state;

static int place_of(uint64_t number) { return (int)(number % KS_PIPELINE_PLACES); }

static bool may_begin(const state *s) {
    const uint64_t ahead = s->work->is_one_by_one ? s->ended : s->current + 1;
    return !s->is_beginning && s->begun < s->work->window_count && s->begun <= ahead &&
           s->begun < s->ended + KS_PIPELINE_PLACES;
}

static void begin_next(state *s) {
    const uint64_t number = s->begun;
    s->is_beginning = true;
    pthread_mutex_unlock(&s->lock);
    const size_t count = s->work->begin(s->work->self, number, place_of(number));
    pthread_mutex_lock(&s->lock);
    s->windows[place_of(number)] = (window){.item_count = count};
    s->begun++;
    s->is_beginning = false;
    pthread_cond_broadcast(&s->changed);
}

static bool may_end(const state *s) {
    if (s->is_ending || s->ended == s->begun) return false;
    const window *w = &s->windows[place_of(s->ended)];
    return w->finished == w->item_count;
}

static void end_next(state *s) {
    s->is_ending = true;
    pthread_mutex_unlock(&s->lock);
    s->work->end(s->work->self, place_of(s->ended)); /* only who is ending changes s->ended */
    pthread_mutex_lock(&s->lock);
    s->ended++;
    if (s->current < s->ended) s->current = s->ended;
    s->is_ending = false;
    pthread_cond_broadcast(&s->changed);
}

/* The place of the window in which items are left to take; -1: there is none now. */
static int place_with_items(state *s) {
    for (; s->current < s->begun; s->current++) {
        const window *w = &s->windows[place_of(s->current)];
        if (w->taken < w->item_count) return place_of(s->current);
    }
    return -1;
}

/* Takes an item, doing first what else is due. False: nothing is left to do. */
static bool take(state *s, int *place, size_t *item) {
    for (;;) {
        if (s->work->is_over(s->work->self)) return false;
        *place = place_with_items(s);
        if (may_end(s)) {
            end_next(s);
        } else if (may_begin(s)) {
            begin_next(s);
        } else if (*place >= 0) {
            *item = s->windows[*place].taken++;
            return true;
        } else if (s->ended == s->work->window_count) {
            return false;
        } else {
            pthread_cond_wait(&s->changed, &s->lock);
        }
    }
}

static void work_on(state *s, int thread) {
    int place;
    size_t item;
    pthread_mutex_lock(&s->lock);
    while (take(s, &place, &item)) {
        pthread_mutex_unlock(&s->lock);
        s->work->run(s->work->self, thread, place, item);
        pthread_mutex_lock(&s->lock);
        s->windows[place].finished++;
    }
    pthread_cond_broadcast(&s->changed); /* others may wait for what is over */
    pthread_mutex_unlock(&s->lock);
}

ks_status ks_pipeline_run(const ks_pipeline *work, uint64_t *begun, uint64_t *ended) {
    state s = {.work = work};
    *begun = *ended = 0;
    if (pthread_mutex_init(&s.lock, NULL)) return KS_NO_MEMORY;
    if (pthread_cond_init(&s.changed, NULL)) {
        pthread_mutex_destroy(&s.lock);
        return KS_NO_MEMORY;
    }
#pragma omp parallel num_threads(work->threads)
    work_on(&s, omp_get_thread_num());
    *begun = s.begun;
    *ended = s.ended;
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    return KS_OK;
}
