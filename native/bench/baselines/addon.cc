// The Node addon of the benches: solve(scene, method, run), gaps(scene, range, run). Jobs as in the product's addon,
// whose readers, writers and worker it shares.
#include <napi.h>

#include "gaps.h"
#include "marshal.h"
#include "problem.h"
#include "worker.h"

namespace s4r_addon {
namespace {

// -> {promise of a packed solution, cancel()}
Napi::Value solve(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  const std::string name = info[1].ToString();
  return start_job(info.Env(), info[2], [scene, name](const s4r::Interrupt& interrupt) -> Finish {
    auto solution = s4r::bench::solve_with(s4r::bench::method_named(name), *scene, interrupt);
    return [solution = std::move(solution)](Napi::Env env) { return write_solution(env, solution); };
  });
}

// -> {promise of {distances, crossings}, cancel()}
Napi::Value gaps(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  const double range = info[1].ToNumber();
  return start_job(info.Env(), info[2], [scene, range](const s4r::Interrupt& interrupt) -> Finish {
    return [gaps = s4r::bench::measure_gaps(*scene, range, interrupt)](Napi::Env env) -> Napi::Value {
      auto distances = Napi::Float64Array::New(env, gaps.distances.size());
      std::copy(gaps.distances.begin(), gaps.distances.end(), distances.Data());
      Napi::Object out = Napi::Object::New(env);
      out.Set("distances", distances);
      out.Set("crossings", static_cast<double>(gaps.crossings));
      return out;
    };
  });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("solve", Napi::Function::New<solve>(env, "solve"));
  exports.Set("gaps", Napi::Function::New<gaps>(env, "gaps"));
  return exports;
}

}  // namespace
}  // namespace s4r_addon

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) { return s4r_addon::init(env, exports); }
NODE_API_MODULE(s4r_baselines, init_addon)
