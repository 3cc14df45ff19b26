#include "server/http/call.h"

static int charge_up_to(struct fr_call *call, size_t bytes)
{
    int status;

    if (!fr_route_writes(call->rq.route) || bytes <= call->charged_bytes)
        return 0;
    status = fr_request_charge_more(&call->rq, FR_LIMIT_BYTES, (double)call->charged_bytes,
                                    (double)(bytes - call->charged_bytes), &call->reply);
    if (!status)
        call->charged_bytes = bytes;
    return status;
}

int fr_body_charge_declared(struct fr_call *call)
{
    return charge_up_to(call, (size_t)fr_upload_of(call).declared);
}

int fr_body_charge_arrived(struct fr_call *call)
{
    if (call->gather.state != FR_GATHER_OK)
        return 0;
    call->arrived_bytes = call->gather.length;
    return charge_up_to(call, call->arrived_bytes);
}

void fr_body_charge_end(struct fr_call *call)
{
    const size_t used = call->gather.state == FR_GATHER_OK ? call->arrived_bytes : 0;

    if (call->charged_bytes > used)
        fr_request_refund(&call->rq, FR_LIMIT_BYTES, (double)(call->charged_bytes - used));
    call->charged_bytes = call->arrived_bytes = 0;
}
