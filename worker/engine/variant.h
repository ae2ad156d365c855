/* variant.h - engines that differ from the released one, for matches and tuning. Not used by the worker. */
#ifndef MURAKUMO_ENGINE_VARIANT_H
#define MURAKUMO_ENGINE_VARIANT_H

#include "worker/engine/engine.h"
#include "worker/engine/eval.h"
#include "worker/engine/params.h"

/* As engine_new, with another evaluator or other search parameters (copied). */
struct engine *engine_new_variant(const struct engine_options *options, const struct engine_sink *sink,
                                  const struct eval_ops *eval, const struct search_params *params);

#endif
