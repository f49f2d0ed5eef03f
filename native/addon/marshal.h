// Between JavaScript values and the core's plain structs. Every function runs on the JavaScript thread and
// copies. The layouts are those of src/core/pack.ts; the readers throw Napi::TypeError for anything else.
#pragma once

#include <napi.h>

#include <vector>

#include "s4r/evaluate.h"
#include "s4r/placement.h"
#include "s4r/scene.h"
#include "s4r/solve.h"

namespace s4r_addon {

// PACK_VERSION of src/core/pack.ts.
inline constexpr int kPackVersion = 3;

s4r::Scene read_scene(const Napi::Value& packed);
// Float64Array, [x y z qw qx qy qz] per pose, metres.
std::vector<s4r::Pose> read_poses(const Napi::Value& packed, const std::string& field, std::size_t count);

s4r::EvaluateOptions read_evaluate_options(const Napi::Value& options);
s4r::ReferenceOptions read_reference_options(const Napi::Value& options);
s4r::DefaultOptions read_default_options(const Napi::Value& options);
s4r::SettleOptions read_settle_options(const Napi::Value& options);
s4r::LiftOptions read_lift_options(const Napi::Value& options);
// Which of the two the options' profile wants.
bool wants_reference(const Napi::Value& options);

Napi::Value write_evaluation(Napi::Env env, const s4r::Evaluation& evaluation);
Napi::Value write_solution(Napi::Env env, const s4r::Solution& solution);
// A solution with the pairs the judge finds left.
Napi::Value write_resolution(Napi::Env env, const s4r::Solution& solution,
                             const std::vector<std::pair<int, int>>& left);

}  // namespace s4r_addon
