/* Fuzzes uploads of saved runs. The first byte chooses between a document or an array, and lines.
 * What is accepted is valid JSON with an id; a refusal has a reason. */
#include "tests/fuzz/setting.h"

#include "server/runs/run_document.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_uploaded_runs runs = { 0 };
    struct fr_faults faults;
    struct fr_request rq;
    struct fr_reply reply;
    int code;

    if (!size)
        return 0;
    fuzz_begin(&rq, &reply);
    faults.count = 0;
    code = fr_runs_read(&(struct fr_run_upload){ .text = fuzz_text(&rq, data + 1, size - 1),
                                                 .length = size - 1,
                                                 .is_json_lines = data[0] == '1',
                                                 .machine = "hopper" },
                        rq.arena, &runs, &faults);
    if ((code == FR_OK) != (faults.count == 0) || runs.count > FR_MAX_UPLOADED_RUNS)
        abort();
    fuzz_end(&rq, &reply);
    return 0;
}
