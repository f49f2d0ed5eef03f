// Reading fields of JavaScript objects with checks: a wrong call throws a TypeError and never reads out of
// bounds.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace s4r_addon {

[[noreturn]] inline void fail(Napi::Env env, const std::string& field, const std::string& expected) {
  throw Napi::TypeError::New(env, field + ": expected " + expected);
}

template <typename T>
struct ArrayType;
template <>
struct ArrayType<double> {
  static constexpr napi_typedarray_type kType = napi_float64_array;
  static constexpr const char* kName = "a Float64Array";
};
template <>
struct ArrayType<std::int32_t> {
  static constexpr napi_typedarray_type kType = napi_int32_array;
  static constexpr const char* kName = "an Int32Array";
};
template <>
struct ArrayType<std::uint32_t> {
  static constexpr napi_typedarray_type kType = napi_uint32_array;
  static constexpr const char* kName = "a Uint32Array";
};
template <>
struct ArrayType<std::uint8_t> {
  static constexpr napi_typedarray_type kType = napi_uint8_array;
  static constexpr const char* kName = "a Uint8Array";
};

// A copy, because reading the next field may run JavaScript that changes or detaches this one's memory.
template <typename T>
std::vector<T> copy_array(const Napi::Value& value, const std::string& field) {
  const Napi::Env env = value.Env();
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != ArrayType<T>::kType)
    fail(env, field, ArrayType<T>::kName);
  const auto array = value.As<Napi::TypedArrayOf<T>>();
  return std::vector<T>(array.Data(), array.Data() + array.ElementLength());
}

// The same with the number of elements it must have.
template <typename T>
std::vector<T> copy_array(const Napi::Value& value, const std::string& field, std::size_t length) {
  std::vector<T> copy = copy_array<T>(value, field);
  if (copy.size() != length)
    fail(value.Env(), field, std::to_string(length) + " elements, got " + std::to_string(copy.size()));
  return copy;
}

}  // namespace s4r_addon
