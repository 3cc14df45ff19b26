/* Fuzzes facts: those of a machine, and those of a partition in the body of a request; and the
 * request for a structure. What is accepted has no fault; a refusal has one. */
#include "tests/fuzz/setting.h"

#include "server/calibrations/document.h"
#include "server/http/handlers.h"
#include "server/json/decode.h"
#include "server/matrices/matrix.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_facts facts;
    struct fr_faults faults;
    struct fr_request rq;
    struct fr_reply reply;
    json_t *document;

    fuzz_begin(&rq, &reply);
    faults.count = 0;
    if (fr_facts_read((const char *)data, size, rq.arena, &facts, &faults) == FR_OK) {
        if (faults.count)
            abort();
        fr_facts_write(&reply.body, &facts);
        document = fr_json_parse(reply.body.text, reply.body.length, &faults);
        if (!document)
            abort(); /* answers hold this text as it is */
        fr_json_free(document);
    } else if (!faults.count) {
        abort();
    }
    faults.count = 0;
    document = fr_json_parse((const char *)data, size, &faults);
    if (document && !fr_facts_decode(document, rq.arena, &faults) != (faults.count > 0))
        abort();
    fr_json_free(document);
    fuzz_end(&rq, &reply);
    fuzz_begin(&rq, &reply); /* of a matrix that does not exist */
    rq.body = fuzz_text(&rq, data, size);
    rq.body_length = size;
    if (rq.body)
        fuzz_check(fr_post_structure(&rq, &reply), &reply);
    fuzz_end(&rq, &reply);
    return 0;
}
