#include "calibrations/calibrate/command.h"

#include <stdio.h>

#ifdef HAVE_JSON

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrations/calibrate/core/document.h"
#include "engine/forerun.h"
#include "server/calibrations/document.h"

enum { DOCUMENT_BYTES = 256 * 1024 * 1024, CELL_BYTES = 40 };

/* "network.protocols" for "/network/protocols". */
static const char *name_of(const struct fr_part *part, char out[80])
{
    snprintf(out, 80, "%s%s%s", part->pointer + 1, part->kernels ? " " : "",
             part->kernels ? part->kernels : "");
    for (char *at = out; *at; at++)
        if (*at == '/')
            *at = '.';
    return out;
}

/* A number with its unit; "-" if it is not known. */
static const char *cell(double value, int decimals, const char *unit, char out[CELL_BYTES])
{
    if (isnan(value))
        return "-";
    snprintf(out, CELL_BYTES, "%.*f%s", decimals, value, unit);
    return out;
}

static void print_present(const struct fr_quality *quality)
{
    char name[80], samples[CELL_BYTES], spread[CELL_BYTES], error[CELL_BYTES], age[CELL_BYTES];

    printf("%-42s %-10s %8s %8s %14s %10s\n", "part", "source", "samples", "spread",
           "left-out error", "age (days)");
    for (size_t i = 0; i < quality->present; i++) {
        const struct fr_part *part = &quality->part[i];

        printf("%-42s %-10s %8s %8s %14s %10s%s%s%s\n", name_of(part, name),
               fr_provenances[part->provenance], cell(part->samples, 0, "", samples),
               cell(100 * part->spread_fraction, 1, " %", spread),
               cell(100 * part->error_fraction, 1, " %", error), cell(part->age_days, 0, "", age),
               part->spread_fraction > FR_NOISY_SPREAD ? "  noisy" : "",
               part->load ? "  loaded: " : "", part->load ? part->load : "");
    }
}

static void print_models(const char *before, uint64_t models)
{
    for (size_t i = 0; fr_models[i] && i < 64; i++) {
        if (!(models & UINT64_C(1) << i))
            continue;
        printf("%s%s", before, fr_models[i]->name);
        before = ", ";
    }
}

static void print_missing(const struct fr_quality *quality)
{
    char name[80];

    if (quality->parts == quality->present) {
        puts("\nno model lacks anything");
        return;
    }
    printf("\n%-42s %-18s %s\n", "missing", "measured by", "models");
    for (size_t i = quality->present; i < quality->parts; i++) {
        const struct fr_part *part = &quality->part[i];

        printf("%-42s %-18s", name_of(part, name), part->benchmark ? part->benchmark->name : "-");
        print_models(" refused: ", part->refused);
        print_models(part->refused ? "; less exact: " : " less exact: ", part->helped);
        putchar('\n');
    }
}

static bool print_commands(const struct fr_calibration *cal, const struct fr_quality *quality)
{
    static const char *const where[] = { "on one node", "on the whole machine" };
    char command[FR_QUALITY_COMMAND_BYTES];
    bool has_any = false;

    for (int is_of_job = 0; is_of_job < 2; is_of_job++) {
        fr_quality_command(cal, quality, NULL, is_of_job, command);
        if (*command)
            printf("\n%s:\n    %s\n", where[is_of_job], command);
        has_any = has_any || *command;
    }
    return has_any;
}

static enum fr_check_status report(const struct fr_calibration *cal, const char *id,
                                   const char *path)
{
    const time_t now = time(NULL);
    enum fr_check_status status = FR_CHECK_SOUND;
    struct fr_quality quality;
    struct tm utc;
    char day[16];

    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &utc));
    fr_quality_find(cal, day, &quality);
    printf("%s: calibration %s of %s, %s\n\n", path, id, cal->machine,
           cal->created_at ? cal->created_at : "without a date");
    print_present(&quality);
    print_missing(&quality);
    if (print_commands(cal, &quality))
        printf("\nthen:\n    forerun-calibrate --merge %s NEW.json -o MERGED.json\n", path);
    for (size_t i = 0; i < quality.present; i++)
        if (fr_part_is_doubtful(&quality.part[i]))
            status = FR_CHECK_DOUBTFUL;
    return status;
}

static void print_faults(const char *path, const struct fr_faults *faults)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        fprintf(stderr, "forerun-calibrate: %s: %s%s%s\n", path, faults->fault[i].where,
                *faults->fault[i].where ? ": " : "", faults->fault[i].message);
}

enum fr_check_status fr_check(const char *path)
{
    struct fr_arena *arena = fr_arena_new(DOCUMENT_BYTES);
    struct fr_calibration *cal = arena ? fr_arena_zeroed(arena, 1, sizeof *cal) : NULL;
    enum fr_check_status status = FR_CHECK_INVALID;
    struct fr_faults faults = { 0 };
    size_t length = 0;
    char *text = fr_output_read(path, &length), id[17];

    if (!text || !cal)
        fprintf(stderr, "forerun-calibrate: %s: %s\n", path,
                text ? "out of memory" : strerror(errno));
    else if (fr_calibration_read(text, length, arena, cal, id, &faults) != FR_OK)
        print_faults(path, &faults);
    else
        status = report(cal, id, path);
    free(text);
    fr_arena_free(arena);
    return status;
}

#else

enum fr_check_status fr_check(const char *path)
{
    fprintf(stderr,
            "forerun-calibrate: --check %s: built without jansson and libsodium; install them and "
            "build again, or ask forerund for /api/v1/calibrations/ID/quality\n",
            path);
    return FR_CHECK_INVALID;
}

#endif
