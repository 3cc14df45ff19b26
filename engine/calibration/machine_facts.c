
#include "engine/calibration/calibration.h"
#include "engine/core/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

const struct fr_machine_facts fr_no_facts = { .memory_bytes_per_node = NAN, .clock_hz = NAN };

/* How a fact is compared.  More than the machine has is impossible; everything else may be an
 * upgrade, a part of the machine, or another spelling. */
enum comparison {
    AT_MOST,   /* a count that may be smaller */
    COUNT,     /* a count: a smaller one differs, a larger one is impossible */
    SIZE,      /* a number, within `tolerance` of the larger one */
    SAME_WORDS /* a text, whose words are among those of the other */
};
#define FACT(f) offsetof(struct fr_machine_facts, f)
static const struct fact {
    const char *name, *pointer;
    enum comparison how;
    size_t known, found;
    double tolerance;
} facts[FR_COMPARED_FACTS] = {
    { "hosts", "/environment/hosts", AT_MOST, FACT(nodes), FACT(hosts), 0 },
    { "cores_per_node", "/node/cores_per_node", COUNT, FACT(cores_per_node), FACT(cores_per_node),
      0 },
    { "memory_bytes_per_node", "/node/memory_bytes", SIZE, FACT(memory_bytes_per_node),
      FACT(memory_bytes_per_node), 0.1 },
    { "clock_hz", "/node/clock_hz", SIZE, FACT(clock_hz), FACT(clock_hz), 0.05 },
    { "cpu", "/environment/cpu", SAME_WORDS, FACT(cpu), FACT(cpu), 0 },
    { "topology", "/network/topology/type", SAME_WORDS, FACT(topology), FACT(topology), 0 },
    { "mpi", "/environment/mpi", SAME_WORDS, FACT(mpi), FACT(mpi), 0 },
    { "blas", "/environment/blas", SAME_WORDS, FACT(blas), FACT(blas), 0 },
};

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Whether two words are equal but for capitals, or one is a version that the other begins with:
 * 4.1 and 4.1.4, v4.1. */
static bool is_same_word(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t common = a_length < b_length ? a_length : b_length;
    const char next = a_length > common ? a[common] : b_length > common ? b[common] : '.';

    for (size_t i = 0; i < common; i++)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return next == '.' && (a_length == b_length || isdigit((unsigned char)a[0]));
}

/* The next word of letters, digits and dots, without the v of a version; NULL at the end. */
static const char *next_word(const char **text, size_t *length)
{
    const char *word;

    while (**text && !isalnum((unsigned char)**text))
        (*text)++;
    if (!**text)
        return NULL;
    if (lower(**text) == 'v' && isdigit((unsigned char)(*text)[1]))
        (*text)++;
    word = *text;
    while (isalnum((unsigned char)**text) || **text == '.')
        (*text)++;
    *length = (size_t)(*text - word);
    return word;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    const char *own;
    size_t own_length;

    while ((own = next_word(&text, &own_length)))
        if (is_same_word(own, own_length, word, length))
            return true;
    return false;
}

static bool has_words(const char *text, const char *words)
{
    const char *word;
    size_t length;

    while ((word = next_word(&words, &length)))
        if (!has_word(text, word, length))
            return false;
    return true;
}

static const void *at(const struct fr_machine_facts *from, size_t offset)
{
    return (const char *)from + offset;
}

static void compare_texts(const char *known, const char *found, struct fr_mismatch *row,
                          bool *differs)
{
    if (!known || !found || has_words(known, found) || has_words(found, known))
        return;
    snprintf(row->known, sizeof row->known, "%s", known);
    snprintf(row->found, sizeof row->found, "%s", found);
    *differs = true;
}

static void compare_numbers(const struct fact *fact, double known, double found,
                            struct fr_mismatch *row, bool *differs)
{
    const bool is_more = found > known;

    if (!(known > 0) || !(found > 0) ||
        fabs(known - found) <= fact->tolerance * fmax(known, found) ||
        (fact->how == AT_MOST && !is_more))
        return;
    row->is_impossible = is_more && fact->how != SIZE;
    fr_number_text(known, row->known, sizeof row->known);
    fr_number_text(found, row->found, sizeof row->found);
    *differs = true;
}

static bool compare(const struct fact *fact, const struct fr_machine_facts *known,
                    const struct fr_machine_facts *found, struct fr_mismatch *row)
{
    const void *a = at(known, fact->known), *b = at(found, fact->found);
    bool differs = false;

    *row = (struct fr_mismatch){ .fact = fact->name, .pointer = fact->pointer };
    if (fact->how == SAME_WORDS)
        compare_texts(*(const char *const *)a, *(const char *const *)b, row, &differs);
    else if (fact->how == SIZE)
        compare_numbers(fact, *(const double *)a, *(const double *)b, row, &differs);
    else
        compare_numbers(fact, (double)*(const int64_t *)a, (double)*(const int64_t *)b, row,
                        &differs);
    return differs;
}

void fr_facts_compare(const struct fr_machine_facts *known, const struct fr_machine_facts *found,
                      struct fr_mismatches *out)
{
    out->count = 0;
    for (size_t i = 0; i < FR_COMPARED_FACTS; i++)
        out->count += compare(&facts[i], known, found, &out->row[out->count]);
}

void fr_environment_facts(const struct fr_environment *environment, char blas[FR_FACT_BYTES],
                          struct fr_machine_facts *out)
{
    const char *const part[] = { environment->blas.name, environment->blas.version,
                                 environment->blas.core };
    size_t used = 0;

    *out = fr_no_facts;
    for (size_t i = 0; i < sizeof part / sizeof *part && used < FR_FACT_BYTES; i++)
        if (part[i])
            used += (size_t)snprintf(blas + used, FR_FACT_BYTES - used, "%s%s", used ? " " : "",
                                     part[i]);
    out->cpu = environment->cpu;
    out->mpi = environment->mpi;
    out->blas = used ? blas : NULL;
    out->hosts = environment->hosts;
}

void fr_calibration_facts(const struct fr_calibration *cal, char blas[FR_FACT_BYTES],
                          struct fr_machine_facts *out)
{
    fr_environment_facts(&cal->environment, blas, out);
    out->cores_per_node = cal->node.cores_per_node;
    out->memory_bytes_per_node = cal->node.memory_bytes;
    out->clock_hz = cal->node.clock_hz;
    if (cal->network.topology.type >= 0)
        out->topology = fr_topology_types[cal->network.topology.type];
}
