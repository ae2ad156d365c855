/* zap.c - see zap.h. */
#include "common/net/zap.h"

#include <stdio.h>
#include <string.h>

static bool frame_is(const struct zap_frame *frame, const char *text)
{
    return frame->count == strlen(text) && memcmp(frame->bytes, text, frame->count) == 0;
}

struct zap_answer zap_decide(const struct allow_list *list, const struct zap_frame *frames, size_t count)
{
    struct zap_answer answer = {.allowed = false, .name = "", .reason = "malformed request"};
    if (count != ZAP_REQUEST_FRAMES || !frame_is(&frames[0], "1.0")) return answer;
    answer.reason = "wrong domain";
    if (!frame_is(&frames[2], ZAP_DOMAIN)) return answer;
    answer.reason = "keys are required";
    if (!frame_is(&frames[5], "CURVE") || frames[6].count != KEY_BYTES) return answer;
    answer.reason = "key is not on the list";
    const char *name = allow_list_find(list, frames[6].bytes);
    if (!name) return answer;
    answer.allowed = true;
    answer.reason = "OK";
    snprintf(answer.name, sizeof answer.name, "%s", name);
    return answer;
}
