/* Fuzzes the body of POST /api/v1/predict: requests with machines, calibrations, parameters,
 * what-ifs. */
#include "tests/fuzz/setting.h"

#include "server/http/handlers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_request rq;
    struct fr_reply reply;

    fuzz_begin(&rq, &reply);
    rq.body = fuzz_text(&rq, data, size);
    rq.body_length = size;
    if (rq.body)
        fuzz_check(fr_post_predictions(&rq, &reply), &reply);
    fuzz_end(&rq, &reply);
    return 0;
}
