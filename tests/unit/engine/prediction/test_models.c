/* The contract of a model: how every entry of fr_models describes itself. */
#include "tests/unit/support/question.h"

#include <dirent.h>
#include <stdio.h>

static bool is_key(const char *name)
{
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name) &&
           !(name[0] >= '0' && name[0] <= '9');
}

static bool is_sentence(const char *text)
{
    const size_t length = text ? strlen(text) : 0;

    return length > 4 && text[length - 1] == '.';
}

static void check_sentences(const char *const *texts, const char *of, const char *what)
{
    if (!texts || !texts[0])
        fail_msg("%s: no %s", of, what);
    for (; *texts; texts++)
        if (!is_sentence(*texts))
            fail_msg("%s: %s: '%s' is not a sentence", of, what, *texts);
}

static size_t choice_count(const struct fr_param *param)
{
    size_t count = 0;

    while (param->choices && param->choices[count])
        count++;
    return count;
}

static void check_choices(const struct fr_param *param, const char *of)
{
    const size_t count = choice_count(param);

    if (count < 2)
        fail_msg("%s.%s: fewer than two choices", of, param->name);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(param->choices[i], param->choices[j]) == 0)
                fail_msg("%s.%s: choice %s stands twice", of, param->name, param->choices[i]);
}

static void check_default(const struct fr_param *param, const char *of)
{
    struct fr_faults faults = { 0 };

    if (param->kind == FR_KIND_CHOICE)
        assert_in_range((size_t)param->fallback, 0, choice_count(param) - 1);
    else if (param->kind == FR_KIND_SET)
        assert_in_range((size_t)param->fallback, 0, ((size_t)1 << choice_count(param)) - 1);
    else if (param->kind == FR_KIND_BOOL)
        assert_true(param->fallback == 0 || param->fallback == 1);
    else if (fr_param_check(param, param->fallback, &faults) != FR_OK)
        fail_msg("%s.%s: default: %s", of, param->name, faults.fault[0].message);
}

static void check_param(const struct fr_model *model, const struct fr_param *param)
{
    const char *of = model->name;
    const unsigned how = param->flags & (FR_REQUIRED | FR_DEFAULT | FR_AUTOMATIC);
    static const size_t width[] = {
        [FR_KIND_INT] = sizeof(int64_t),
        [FR_KIND_REAL] = sizeof(double),
        [FR_KIND_BOOL] = sizeof(int),
        [FR_KIND_CHOICE] = sizeof(int),
        [FR_KIND_SET] = sizeof(int),
        [FR_KIND_VECTOR] = sizeof(struct fr_vector),
        [FR_KIND_TEXT] = sizeof(struct fr_words),
    };

    if (!is_key(param->name))
        fail_msg("%s: '%s' is no key", of, param->name);
    if (!param->unit || !is_sentence(param->doc))
        fail_msg("%s.%s: needs a unit and a sentence", of, param->name);
    assert_true(param->offset + width[param->kind] <= model->values_size);
    if (how & (how - 1))
        fail_msg("%s.%s: required, defaulted and automatic exclude each other", of, param->name);
    if (!how && !param->one_of && !(param->flags & FR_TUNABLE))
        fail_msg("%s.%s: says not how it gets a value", of, param->name);
    if (param->flags & FR_OPTIONAL && !(param->flags & FR_AUTOMATIC))
        fail_msg("%s.%s: optional, but not automatic", of, param->name);
    if (param->kind == FR_KIND_INT || param->kind == FR_KIND_REAL ||
        param->kind == FR_KIND_VECTOR) {
        assert_true(param->min < param->max);
        assert_true(isfinite(param->min) && isfinite(param->max));
        assert_true(*param->unit != '\0');
    }
    if (param->kind == FR_KIND_INT || param->kind == FR_KIND_VECTOR)
        assert_true(param->max <= 9007199254740992.0);
    if (param->kind == FR_KIND_CHOICE || param->kind == FR_KIND_SET)
        check_choices(param, of);
    if (param->flags & FR_DEFAULT)
        check_default(param, of);
    if (param->flags & FR_TUNABLE && param->kind != FR_KIND_CHOICE && param->kind != FR_KIND_BOOL &&
        !param->candidates)
        fail_msg("%s.%s: tunable, but nothing to try", of, param->name);
    for (const struct fr_param *other = model->params; other != param; other++)
        if (strcmp(other->name, param->name) == 0)
            fail_msg("%s.%s stands twice", of, param->name);
}

TEST(every_parameter_is_described)
{
    for (const struct fr_model *const *model = fr_models; *model; model++)
        for (const struct fr_param *param = (*model)->params; param->name; param++)
            check_param(*model, param);
}

TEST(every_output_is_described_and_time_is_one)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        assert_non_null(fr_output_find((*model)->outputs, "time_s"));
        for (const struct fr_output *output = (*model)->outputs; output->name; output++) {
            char flat[FR_OUTPUT_NAME_BYTES];

            fr_output_flat_name(output, flat);
            if (!is_key(flat) || !output->unit || !*output->unit || !is_sentence(output->doc))
                fail_msg("%s.%s: needs a unit and a sentence", (*model)->name, output->name);
            for (const struct fr_output *other = (*model)->outputs; other != output; other++)
                if (strcmp(other->name, output->name) == 0 || other->offset == output->offset)
                    fail_msg("%s.%s stands twice", (*model)->name, output->name);
        }
    }
}

TEST(every_model_says_what_it_is)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        const char *name = (*model)->name;

        assert_true(is_key(name));
        assert_non_null((*model)->family);
        assert_true(is_sentence((*model)->summary));
        assert_true((*model)->source && strlen((*model)->source) > 10);
        check_sentences((*model)->assumes, name, "assumption");
        check_sentences((*model)->blind_spots, name, "blind spot");
        assert_true((*model)->groups != 0);
        assert_ptr_equal(fr_model_find(name), *model);
        for (const char *const *grows = (*model)->grows_with; grows && *grows; grows++)
            assert_non_null(fr_param_find((*model)->params, *grows));
        assert_true(!(*model)->node_counts == !(*model)->set_nodes);
    }
    assert_null(fr_model_find("no_such_model"));
}

TEST(every_file_of_the_models_folder_is_listed)
{
    DIR *folder = opendir("engine/models");
    size_t files = 0, listed = 0;

    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name);
        char name[64];

        if (length < 3 || strcmp(entry->d_name + length - 2, ".c") != 0)
            continue;
        files++;
        snprintf(name, sizeof name, "%.*s", (int)length - 2, entry->d_name);
        if (!fr_model_find(name))
            fail_msg("engine/models/%s is not in list.h", entry->d_name);
    }
    closedir(folder);
    while (fr_models[listed])
        listed++;
    assert_int_equal(files, listed);
}
