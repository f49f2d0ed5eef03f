#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "marshal.h"
#include "typed_array.h"

namespace s4r_addon {
namespace {

// Fields of one options object. All are required unless read as optional: defaults are src/core/options.ts's
// business.
class OptionReader {
 public:
  OptionReader(const Napi::Value& options, std::string name) : env_(options.Env()), name_(std::move(name)) {
    if (!options.IsObject()) fail(env_, name_, "an object");
    options_ = options.As<Napi::Object>();
  }

  double number(const char* field) const {
    const Napi::Value value = options_.Get(field);
    if (!value.IsNumber()) fail(env_, name_ + "." + field, "a number");
    const double number = value.As<Napi::Number>().DoubleValue();
    if (!std::isfinite(number)) fail(env_, name_ + "." + field, "a finite number");
    return number;
  }

  std::optional<double> optional_number(const char* field) const {
    if (options_.Get(field).IsUndefined()) return std::nullopt;
    return number(field);
  }

  int integer(const char* field) const {
    const double value = number(field);
    if (std::abs(value) > std::numeric_limits<int>::max() || value != std::trunc(value))
      fail(env_, name_ + "." + field, "an integer");
    return static_cast<int>(value);
  }

  bool boolean(const char* field) const {
    const Napi::Value value = options_.Get(field);
    if (!value.IsBoolean()) fail(env_, name_ + "." + field, "true or false");
    return value.As<Napi::Boolean>().Value();
  }

  // True for `yes`, false for `no`.
  bool choice(const char* field, const char* yes, const char* no) const {
    const Napi::Value value = options_.Get(field);
    const std::string text = value.IsString() ? value.As<Napi::String>().Utf8Value() : "";
    if (text != yes && text != no)
      fail(env_, name_ + "." + field, std::string("'") + yes + "' or '" + no + "'");
    return text == yes;
  }

  Napi::Value value(const char* field) const { return options_.Get(field); }

 private:
  Napi::Env env_;
  std::string name_;
  Napi::Object options_;
};

}  // namespace

s4r::EvaluateOptions read_evaluate_options(const Napi::Value& value) {
  const OptionReader given(value, "options");
  return {given.number("tolerance"), given.integer("threads")};
}

s4r::ReferenceOptions read_reference_options(const Napi::Value& value) {
  const OptionReader given(value, "options");
  const OptionReader paper(given.value("reference"), "options.reference");
  s4r::ReferenceOptions options;
  options.margin = given.optional_number("margin");
  options.max_shift = given.optional_number("maxShift");
  options.max_turn = given.optional_number("maxTurn");
  options.tolerance = given.number("tolerance");
  options.threads = given.integer("threads");
  options.initial_scale = paper.number("initialScale");
  options.stride = paper.number("stride");
  options.min_stride = paper.number("minStride");
  options.max_attempts = paper.integer("maxAttempts");
  options.refresh_interval = paper.integer("refreshInterval");
  options.separation_padding = paper.number("separationPadding");
  options.qp_tolerance = paper.number("qpTolerance");
  options.qp_max_iterations = paper.integer("qpMaxIterations");
  options.tail_qp_tolerance = paper.number("tailQpTolerance");
  options.tail_qp_max_iterations = paper.integer("tailQpMaxIterations");
  options.tail_max_iterations = paper.integer("tailMaxIterations");
  options.tail_stagnation = paper.integer("tailStagnation");
  options.cleanup_iterations = paper.integer("penaltyCleanupIterations");
  options.event_jumps = paper.boolean("eventJumps");
  options.adaptive_skip = paper.boolean("adaptiveSkip");
  options.warm_start = paper.boolean("warmStart");
  options.sparse_qp = paper.boolean("sparseQp");
  options.progressive_scaling = paper.boolean("progressiveScaling");
  options.literal_pad = paper.choice("broadphasePad", "literal", "margin");
  options.scope_all = paper.choice("scope", "all", "conflict");
  options.start_scale = paper.optional_number("startScale");
  options.stop_scale = paper.optional_number("stopScale");
  return options;
}

bool wants_reference(const Napi::Value& value) {
  const OptionReader given(value, "options");
  const Napi::Value profile = given.value("profile");
  return profile.IsString() && profile.As<Napi::String>().Utf8Value() == "reference";
}

s4r::DefaultOptions read_default_options(const Napi::Value& value) {
  const OptionReader given(value, "options");
  s4r::DefaultOptions options;
  options.margin = given.optional_number("margin");
  options.max_shift = given.optional_number("maxShift");
  options.max_turn = given.optional_number("maxTurn");
  options.tolerance = given.number("tolerance");
  options.threads = given.integer("threads");
  options.polish = given.choice("profile", "default", "quick");
  const OptionReader given_parts(given.value("separation"), "options.separation");
  options.parts.max_rows = given_parts.integer("maxRows");
  options.parts.certificate = given_parts.boolean("certificate");
  options.parts.contour_push = given_parts.boolean("contourPush");
  options.parts.pair_scale = given_parts.boolean("pairScale");
  options.parts.pile = given_parts.boolean("pile");
  options.parts.islands = given_parts.boolean("islands");
  options.parts.pull = given_parts.boolean("pull");
  options.parts.snap_back = given_parts.boolean("snapBack");
  return options;
}

s4r::SettleOptions read_settle_options(const Napi::Value& value) {
  const OptionReader given(value, "options");
  return {given.number("restTolerance"), given.number("tolerance"), given.optional_number("maxShift"),
          given.integer("threads")};
}

s4r::LiftOptions read_lift_options(const Napi::Value& value) {
  return {OptionReader(value, "options").optional_number("maxShift")};
}

}  // namespace s4r_addon
