/* Fields of a document: one descriptor per field, from which decoding, refusals, schemas and
 * what-if paths follow. */
#ifndef FR_CALIBRATION_FIELD_H
#define FR_CALIBRATION_FIELD_H

#include <stdbool.h>
#include <stddef.h>

/* The decoded rows of a table, in document order. */
#define FR_TABLE(T)   \
    struct {          \
        T *row;       \
        size_t count; \
    }

typedef FR_TABLE(double) fr_numbers;
typedef FR_TABLE(const char *) fr_texts;
typedef FR_TABLE(fr_numbers) fr_number_lists;

/* The common initial members of all tables. */
struct fr_rows_head {
    const void *row;
    size_t count;
};

/* Measured values lie in this range, so that products of a few of them stay finite. */
#define FR_LEAST 1e-30
#define FR_GREATEST 1e30

/* How a field of the document is read. */
enum fr_field_kind {
    FR_FIELD_NUMBER,  /* double */
    FR_FIELD_COUNT,   /* int64_t */
    FR_FIELD_TEXT,    /* const char * */
    FR_FIELD_BOOL,    /* int */
    FR_FIELD_CHOICE,  /* int, index into `choices` */
    FR_FIELD_OBJECT,  /* a struct in place; with FR_FIELD_LONE a lone number is all its members' */
    FR_FIELD_TABLE,   /* FR_TABLE of structs */
    FR_FIELD_NUMBERS, /* fr_numbers; a lone number is a list of one where FR_FIELD_LONE is set */
    FR_FIELD_TEXTS,   /* fr_texts */
    FR_FIELD_LISTS,   /* fr_number_lists */
    FR_FIELD_ANY,     /* not decoded here; with `fields` an object of records, by any name */
};
enum fr_field_flags {
    FR_FIELD_NEEDED = 1,     /* required wherever its object is present */
    FR_FIELD_NULL = 2,       /* null means without limit */
    FR_FIELD_ZERO = 4,       /* 0 is a legal value (all others are > 0) */
    FR_FIELD_NAME = 8,       /* names its row in a what-if path */
    FR_FIELD_LONE = 16,      /* a lone number stands for the whole: a list of one, or each member */
    FR_FIELD_SELECTS = 32,   /* its choice decides which siblings are legal (`when`) */
    FR_FIELD_SIGNED = 64,    /* any finite number */
    FR_FIELD_SHARE = 128,    /* at most 1 */
    FR_FIELD_SHOWN = 256,    /* carried, but read by no model: not compared */
    FR_FIELD_UNIQUE = 512,   /* a table, no two rows of which have the same keys */
    FR_FIELD_RISING = 1024,  /* rises from row to row; of limits, the last alone is null */
    FR_FIELD_OR_NEXT = 2048, /* exactly one of this number and the next is given */
};
/* The effect of a what-if factor that applies to a whole table or through an alias. */
enum fr_scaling {
    FR_SCALE_NOT,       /* abscissas, counts and keys stay */
    FR_SCALE_VALUE,     /* multiplied */
    FR_SCALE_RATE,      /* a rate: multiplied */
    FR_SCALE_RATE_TIME, /* a time that represents a rate: divided */
    FR_SCALE_BANDWIDTH,
    FR_SCALE_INVERSE_BANDWIDTH, /* multiplied; divided by network.bandwidth=*F */
    FR_SCALE_LATENCY,
};
struct fr_field {
    const char *name;
    enum fr_field_kind kind;
    size_t offset;
    size_t size; /* TABLE: bytes of a row */
    const char *unit;
    const char *doc;
    const struct fr_field *fields; /* OBJECT, TABLE */
    const char *const *choices;
    enum fr_scaling scaling;
    unsigned flags;
    unsigned when;          /* bits of the selecting sibling's choices; 0: always */
    unsigned group;         /* top level: the enum fr_group it is */
    bool is_about_document; /* top level: not a calibrated value */
};

/* The columns that identify a row: its name, or else those that no factor scales: abscissae, counts
 * and texts. */
enum { FR_MOST_KEYS = 8 };
struct fr_row_keys {
    const struct fr_field *column[FR_MOST_KEYS];
    size_t count;
};
struct fr_row_keys fr_row_keys_of(const struct fr_field *fields);

/* Marks every field of the record as absent. */
void fr_fields_clear(const struct fr_field *fields, void *record);

#endif
