/* Reads and writes a call such as `dtrsm LLNN 100 200 -1`, word by word, as the table of routines
 * describes it.  The text comes from requests and files, so every refusal shows printable bytes
 * only. */
#include "engine/blocked/routine.h"
#include "engine/core/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The current word, and the position after it. */
struct words {
    const char *at;
    const char *word;
    size_t length;
    bool is_tuple; /* commas and the first '(' are blanks, and a ')' is the end */
    bool is_open;  /* the '(' has been read */
};

/* `(dtrsm, R, L, ...)` or `dtrsm(R, L, ...)`. */
static bool is_tuple(const char *text)
{
    text += strspn(text, " \t");
    text += strcspn(text, " \t(;|\r\n");
    return text[strspn(text, " \t")] == '(';
}

static bool is_end(const struct words *words, char c)
{
    return c == '\0' || c == ';' || c == '|' || c == '\n' || c == '\r' ||
           (words->is_tuple && c == ')');
}

static bool is_blank(const struct words *words, char c)
{
    return c == ' ' || c == '\t' ||
           (words->is_tuple && (c == ',' || (c == '(' && !words->is_open)));
}

/* Advances to the next word of the call; false at its end. */
static bool next(struct words *words)
{
    for (; is_blank(words, *words->at); words->at++)
        words->is_open |= *words->at == '(';
    words->word = words->at;
    while (!is_end(words, *words->at) && !is_blank(words, *words->at))
        words->at++;
    words->length = (size_t)(words->at - words->word);
    return words->length > 0;
}

/* Whether the next word begins with a letter, as flags do and numbers do not. */
static bool begins_with_letter(const struct words *words)
{
    const char *at = words->at;

    while (is_blank(words, *at))
        at++;
    return isalpha((unsigned char)*at) != 0;
}

/* BLAS accepts flags in either case. */
static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Copies a word for a message, at most 31 bytes, others than printable ones as '?'. */
static const char *shown(const struct words *words, char out[32])
{
    size_t used = 0;

    for (; used < words->length && used < 31; used++)
        out[used] = isprint((unsigned char)words->word[used]) ? words->word[used] : '?';
    out[used] = '\0';
    return out;
}

static bool read_routine(struct words *words, struct blocked_call *out, char *why)
{
    char name[32], text[32], names[BLOCKED_NAMES_BYTES];

    if (!next(words)) {
        snprintf(why, BLOCKED_WHY_BYTES, "empty; a call is 'dtrsm LLNN 100 200 -1'");
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(words->length < 31 ? words->length : 31),
             words->word);
    out->kernel.routine = blocked_routine_find(name);
    if (!out->kernel.routine) {
        blocked_routine_names(names);
        snprintf(why, BLOCKED_WHY_BYTES, "%s is not a known routine; the routines are %s",
                 shown(words, text), names);
    }
    return out->kernel.routine != NULL;
}

/* Joined (`LLNN`) or separate (`L L N N`). */
static bool read_flags(struct words *words, struct blocked_call *out, char *why)
{
    const struct blocked_routine *routine = out->kernel.routine;
    size_t have = 0;
    char text[32];

    while (have < routine->flags && begins_with_letter(words) && next(words)) {
        for (size_t i = 0; i < words->length && have < routine->flags; i++) {
            const char letter = upper(words->word[i]);

            if (!letter || !strchr(routine->flag_letters[have], letter)) {
                snprintf(why, BLOCKED_WHY_BYTES, "flag %s of %s must be one of %s, not %c",
                         routine->flag_names[have], routine->name, routine->flag_letters[have],
                         isprint((unsigned char)letter) ? letter : '?');
                return false;
            }
            out->kernel.flags[have++] = letter;
            if (have == routine->flags && i + 1 < words->length) {
                snprintf(why, BLOCKED_WHY_BYTES, "%s takes %zu flags, not '%s'", routine->name,
                         routine->flags, shown(words, text));
                return false;
            }
        }
    }
    out->kernel.flags[have] = '\0';
    if (have < routine->flags) {
        snprintf(why, BLOCKED_WHY_BYTES, "%s takes %zu flags, not %zu", routine->name,
                 routine->flags, have);
        return false;
    }
    return true;
}

static bool read_sizes(struct words *words, blocked_letter *letter, void *context,
                       struct blocked_call *out, char *why)
{
    const struct blocked_routine *routine = out->kernel.routine;
    char text[32];

    for (size_t d = 0; d < routine->sizes; d++) {
        const char *digits;
        long long size;
        char *end;

        if (!next(words)) {
            snprintf(why, BLOCKED_WHY_BYTES, "%s takes %zu sizes, not %zu", routine->name,
                     routine->sizes, d);
            return false;
        }
        if (letter && letter(context, words->word, words->length, &out->size[d]))
            continue;
        digits = words->word;
        size = isdigit((unsigned char)*digits) ? strtoll(digits, &end, 10) : -1;
        if (size < 0 || end != words->word + words->length || size > BLOCKED_MAX_SIZE) {
            snprintf(why, BLOCKED_WHY_BYTES,
                     "size %s of %s: '%s' is not a whole number from 0 to %d%s",
                     routine->size_names[d], routine->name, shown(words, text), BLOCKED_MAX_SIZE,
                     letter ? " or one of m, n, k with a value" : "");
            return false;
        }
        out->size[d] = size;
    }
    return true;
}

static bool read_alpha(struct words *words, struct blocked_call *out, char *why)
{
    char text[32];

    out->alpha = 1;
    if ((words->is_tuple && !out->kernel.routine->has_alpha) || !next(words))
        return true;
    shown(words, text);
    if (out->kernel.routine->has_alpha && words->length < sizeof text &&
        fr_number_parse(text, &out->alpha) && isfinite(out->alpha)) {
        if (words->is_tuple || !next(words))
            return true;
        shown(words, text);
    }
    snprintf(why, BLOCKED_WHY_BYTES, "unexpected '%s'; %s ends %s", text, out->kernel.routine->name,
             out->kernel.routine->has_alpha ? "with alpha, a number" : "with its sizes");
    return false;
}

/* The operands of a tuple, beta among them, change no model. */
static bool read_operands(struct words *words, char *why)
{
    if (!words->is_tuple)
        return true;
    while (next(words) && !memchr(words->word, '(', words->length))
        continue;
    if (!words->length && *words->at == ')') {
        words->is_tuple = false;
        words->at++;
        if (!next(words))
            return true;
    }
    snprintf(why, BLOCKED_WHY_BYTES,
             words->is_tuple ? "')' is missing at the end" : "unexpected text after the ')'");
    return false;
}

size_t blocked_call_read(const char *text, blocked_letter *letter, void *context,
                         struct blocked_call *out, char why[BLOCKED_WHY_BYTES])
{
    struct words words = { .at = text, .is_tuple = is_tuple(text) };
    struct blocked_call call = { .alpha = 1 };

    if (!read_routine(&words, &call, why) || !read_flags(&words, &call, why) ||
        !read_sizes(&words, letter, context, &call, why) || !read_alpha(&words, &call, why) ||
        !read_operands(&words, why))
        return 0;
    *out = call;
    return (size_t)(words.at - text);
}

void blocked_alpha_print(double alpha, char out[BLOCKED_ALPHA_BYTES])
{
    *out = '+';
    fr_number_text(alpha, out + !signbit(alpha), BLOCKED_ALPHA_BYTES - 1);
}

void blocked_call_print(const struct blocked_call *call, char out[BLOCKED_CALL_BYTES])
{
    const struct blocked_routine *routine = call->kernel.routine;
    size_t used = (size_t)snprintf(out, BLOCKED_CALL_BYTES, "%s%s%s", routine->name,
                                   routine->flags ? " " : "", call->kernel.flags);

    for (size_t d = 0; d < routine->sizes; d++)
        used += (size_t)snprintf(out + used, BLOCKED_CALL_BYTES - used, " %" PRId64, call->size[d]);
    if (routine->has_alpha) {
        char alpha[BLOCKED_ALPHA_BYTES];

        blocked_alpha_print(call->alpha, alpha);
        snprintf(out + used, BLOCKED_CALL_BYTES - used, " %s", alpha);
    }
}

bool blocked_call_is_empty(const struct blocked_call *call)
{
    for (size_t d = 0; d < call->kernel.routine->sizes; d++)
        if (call->size[d] == 0)
            return true;
    return false;
}
