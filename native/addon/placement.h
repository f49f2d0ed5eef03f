// The exports that place bodies; each starts a job like `check` of addon.cc.
#pragma once

#include <napi.h>

namespace s4r_addon {

// supports(scene, poses, {restTolerance, tolerance, threads}, run) -> {promise of packed supports, cancel()}
Napi::Value supports(const Napi::CallbackInfo& info);
// settle(scene, posesBefore, posesAfter, {restTolerance, tolerance, threads, maxShift?}, run)
// -> {promise of a packed settlement, cancel()}
Napi::Value settle(const Napi::CallbackInfo& info);
// lift(scene, poses, units, {maxShift?}, run) -> {promise of a packed lifting, cancel()}
Napi::Value lift(const Napi::CallbackInfo& info);

}  // namespace s4r_addon
