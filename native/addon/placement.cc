#include "placement.h"

#include <memory>
#include <vector>

#include "marshal.h"
#include "s4r/placement.h"
#include "typed_array.h"
#include "worker.h"

namespace s4r_addon {
namespace {

using Poses = std::shared_ptr<const std::vector<s4r::Pose>>;

std::shared_ptr<const s4r::Scene> scene_of(const Napi::Value& packed) {
  return std::make_shared<const s4r::Scene>(read_scene(packed));
}

Poses poses_of(const Napi::Value& packed, const char* field, const s4r::Scene& scene) {
  return std::make_shared<const std::vector<s4r::Pose>>(read_poses(packed, field, scene.bodies.size()));
}

Napi::Float64Array write_shifts(Napi::Env env, const std::vector<s4r::Vec3>& shifts) {
  auto out = Napi::Float64Array::New(env, 3 * shifts.size());
  for (std::size_t i = 0; i < shifts.size(); ++i)
    for (int k = 0; k < 3; ++k) out[3 * i + k] = shifts[i][k];
  return out;
}

Napi::Object write_supports(Napi::Env env, const std::vector<s4r::Support>& supports) {
  auto body = Napi::Int32Array::New(env, supports.size());
  auto on_body = Napi::Int32Array::New(env, supports.size());
  auto on_geom = Napi::Int32Array::New(env, supports.size());
  for (std::size_t i = 0; i < supports.size(); ++i) {
    body[i] = supports[i].body;
    on_body[i] = supports[i].on_body;
    on_geom[i] = supports[i].on_geom;
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("body", body);
  out.Set("onBody", on_body);
  out.Set("onGeom", on_geom);
  return out;
}

Napi::Value write_settlement(Napi::Env env, const s4r::Settlement& settlement) {
  auto kept = Napi::Uint8Array::New(env, settlement.kept.size());
  for (std::size_t i = 0; i < settlement.kept.size(); ++i) kept[i] = settlement.kept[i];
  Napi::Object out = write_supports(env, settlement.supports);
  out.Set("kept", kept);
  out.Set("shifts", write_shifts(env, settlement.shifts));
  out.Set("interrupted", settlement.interrupted);
  return out;
}

Napi::Value write_lifting(Napi::Env env, const s4r::Lifting& lifting) {
  auto heights = Napi::Float64Array::New(env, lifting.heights.size());
  for (std::size_t i = 0; i < lifting.heights.size(); ++i) heights[i] = lifting.heights[i];
  Napi::Object out = Napi::Object::New(env);
  out.Set("heights", heights);
  out.Set("shifts", write_shifts(env, lifting.shifts));
  out.Set("interrupted", lifting.interrupted);
  return out;
}

}  // namespace

Napi::Value supports(const Napi::CallbackInfo& info) {
  const auto scene = scene_of(info[0]);
  const Poses poses = poses_of(info[1], "poses", *scene);
  const s4r::SettleOptions options = read_settle_options(info[2]);
  return start_job(info.Env(), info[3], [scene, poses, options](const s4r::Interrupt& interrupt) -> Finish {
    return [found = s4r::find_supports(*scene, *poses, options.tolerance, options.threads,
                                       interrupt)](Napi::Env env) { return write_supports(env, found); };
  });
}

Napi::Value settle(const Napi::CallbackInfo& info) {
  const auto scene = scene_of(info[0]);
  const Poses before = poses_of(info[1], "posesBefore", *scene);
  const Poses after = poses_of(info[2], "posesAfter", *scene);
  const s4r::SettleOptions options = read_settle_options(info[3]);
  return start_job(info.Env(), info[4],
                   [scene, before, after, options](const s4r::Interrupt& interrupt) -> Finish {
                     return [settlement = s4r::settle(*scene, *before, *after, options, interrupt)](
                                Napi::Env env) { return write_settlement(env, settlement); };
                   });
}

Napi::Value lift(const Napi::CallbackInfo& info) {
  const auto scene = scene_of(info[0]);
  const Poses poses = poses_of(info[1], "poses", *scene);
  const std::vector<int> units = copy_array<std::int32_t>(info[2], "units");
  for (const int unit : units)
    if (unit < 0 || static_cast<std::size_t>(unit) >= scene->bodies.size())
      fail(info.Env(), "units", "body ids");
  const s4r::LiftOptions options = read_lift_options(info[3]);
  return start_job(info.Env(), info[4],
                   [scene, poses, units, options](const s4r::Interrupt& interrupt) -> Finish {
                     return [lifting = s4r::lift(*scene, *poses, units, options, interrupt)](Napi::Env env) {
                       return write_lifting(env, lifting);
                     };
                   });
}

}  // namespace s4r_addon
