// One job on a thread of its own, seen from JavaScript as {promise, cancel(wait)}.
#pragma once

#include <napi.h>

#include <functional>

#include "s4r/interrupt.h"

namespace s4r_addon {

// Builds the JavaScript result; runs on the JavaScript thread.
using Finish = std::function<Napi::Value(Napi::Env)>;
// Runs on the job's thread and touches no JavaScript.
using Work = std::function<Finish(const s4r::Interrupt&)>;

// `run`: {timeLimit?: seconds from now, onProgress?(stage, fraction, overlaps)}.
// The promise resolves with what `work` finishes with, and rejects if it throws or if onProgress threw, which
// also cancels. `cancel(true)` returns only when the thread has ended. A pending job keeps the process alive.
//
// A thread of its own, not Napi::AsyncWorker: Node waits for async work before it tells anyone that an
// environment closes, so a terminated worker_thread would hang until the job is done. Here the closing
// environment cancels it.
Napi::Value start_job(Napi::Env env, const Napi::Value& run, Work work);

}  // namespace s4r_addon
