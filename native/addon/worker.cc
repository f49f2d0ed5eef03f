#include "worker.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "progress.h"
#include "typed_array.h"

namespace s4r_addon {
namespace {

using std::chrono::steady_clock;

// Jobs that compute at the same time, as each may use all cores. More of them wait on idle threads.
constexpr int kRunningJobs = 4;
std::counting_semaphore<kRunningJobs> slots{kRunningJobs};

// What outlives the job in JavaScript's cancel function. JavaScript thread only, except for the flag.
struct Control {
  std::atomic<bool> cancelled = false;
  std::thread thread;

  void join() {
    if (thread.joinable()) thread.join();
  }
};

// Owned by its thread-safe function, whose finalizer deletes it.
class Job {
 public:
  Job(Napi::Env env, Work work, const Napi::Value& on_progress, std::optional<double> time_limit)
      : env_(env), deferred_(env), work_(std::move(work)) {
    interrupt_.cancelled = &control_->cancelled;
    if (time_limit)
      interrupt_.deadline = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                                      std::chrono::duration<double>(*time_limit));
    if (!on_progress.IsFunction()) return;
    on_progress_ = Napi::Persistent(on_progress.As<Napi::Function>());
    interrupt_.on_progress = [this](s4r::Stage stage, double fraction, int overlaps) {
      if (progress_.push({stage, fraction, overlaps})) wake();
    };
  }

  // {promise, cancel(wait)}
  Napi::Object handle() const {
    Napi::Object handle = Napi::Object::New(env_);
    handle.Set("promise", deferred_.Promise());
    handle.Set("cancel", Napi::Function::New(env_, [control = control_](const Napi::CallbackInfo& info) {
                 control->cancelled.store(true, std::memory_order_relaxed);
                 if (info[0].ToBoolean()) control->join();
               }));
    return handle;
  }

  static void start(std::unique_ptr<Job> job) {
    const Napi::Env env = job->env_;
    if (napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "s4r"), 0, 1, job.get(),
                                        on_finalize, job.get(), on_wake, &job->wake_) != napi_ok)
      throw Napi::Error::New(env, "cannot create a thread-safe function");
    Job* self = job.release();
    // Hooks run in reverse order, so this one comes before the thread-safe function's own.
    napi_add_env_cleanup_hook(env, on_env_closing, self);
    try {
      self->control_->thread = std::thread([self] { self->execute(); });
    } catch (const std::system_error& error) {
      self->end();
      throw Napi::Error::New(env, std::string("cannot start a thread: ") + error.what());
    }
  }

 private:
  // The job's thread.
  void execute() {
    bool has_slot = false;
    while (!has_slot && interrupt_.check() == s4r::Interrupt::Reason::kNone)
      has_slot = slots.try_acquire_for(std::chrono::milliseconds(20));
    try {
      finish_ = work_(interrupt_);  // ends at once if interrupted
    } catch (const std::exception& error) {
      failure_ = error.what();
    } catch (...) {
      failure_ = "unknown error";
    }
    if (has_slot) slots.release();
    done_.store(true, std::memory_order_release);
    wake();
  }

  // Any thread: have `on_wake` called on the JavaScript thread.
  void wake() {
    const std::lock_guard lock(wake_mutex_);
    if (wake_ != nullptr) napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
  }

  // After this no thread touches the thread-safe function.
  napi_threadsafe_function take_wake() {
    const std::lock_guard lock(wake_mutex_);
    return std::exchange(wake_, nullptr);
  }

  // env is null, and the job already deleted, while Node drains the queue of a closed function.
  static void on_wake(napi_env env, napi_value, void* context, void*) {
    if (env == nullptr) return;
    Job* job = static_cast<Job*>(context);
    const bool done = job->done_.load(std::memory_order_acquire);  // read first: no event comes after it
    try {
      const Napi::HandleScope scope(env);
      job->report();
      if (done) job->settle();
    } catch (const Napi::Error&) {
      // The environment is closing and runs no JavaScript any more: there is no one left to tell.
    }
    if (done) job->end();
  }

  // Hand the progress events to the callback, until it throws. Plain Node-API, because what it throws may be
  // any value.
  void report() {
    for (const ProgressEvent& event : progress_.take()) {
      if (!thrown_.IsEmpty()) return;
      const napi_value arguments[] = {Napi::String::New(env_, name_of(event.stage)),
                                      Napi::Number::New(env_, event.fraction),
                                      Napi::Number::New(env_, event.overlaps)};
      napi_value exception = nullptr;
      if (napi_call_function(env_, env_.Undefined(), on_progress_.Value(), 3, arguments, nullptr) == napi_ok)
        continue;
      control_->cancelled.store(true, std::memory_order_relaxed);
      if (napi_get_and_clear_last_exception(env_, &exception) != napi_ok) return;
      Napi::Object box = Napi::Object::New(env_);  // references to primitive values are impossible
      box.Set("value", exception);
      thrown_ = Napi::Persistent(box);
    }
  }

  void settle() {
    try {
      if (!thrown_.IsEmpty())
        deferred_.Reject(thrown_.Value().Get("value"));
      else if (failure_)
        deferred_.Reject(Napi::Error::New(env_, *failure_).Value());
      else
        deferred_.Resolve(finish_(env_));
    } catch (const std::bad_alloc&) {
      deferred_.Reject(Napi::Error::New(env_, "no memory for the result").Value());
    }
  }

  // The thread-safe function, and with it the job, is deleted soon after.
  void end() {
    const napi_threadsafe_function wake = take_wake();
    if (wake == nullptr) return;
    napi_remove_env_cleanup_hook(env_, on_env_closing, this);
    control_->join();
    napi_release_threadsafe_function(wake, napi_tsfn_abort);
  }

  // A closing environment deletes the thread-safe function by itself, so the thread has to end first.
  static void on_env_closing(void* data) {
    Job* job = static_cast<Job*>(data);
    job->control_->cancelled.store(true, std::memory_order_relaxed);
    job->take_wake();
    job->control_->join();
  }

  static void on_finalize(napi_env, void* data, void*) { delete static_cast<Job*>(data); }

  Napi::Env env_;
  Napi::Promise::Deferred deferred_;
  Napi::FunctionReference on_progress_;
  Napi::ObjectReference thrown_;
  std::shared_ptr<Control> control_ = std::make_shared<Control>();

  // Set before the thread starts, or read after it is done.
  Work work_;
  s4r::Interrupt interrupt_;
  Finish finish_;
  std::optional<std::string> failure_;

  // Shared by both threads while it runs.
  ProgressQueue progress_;
  std::atomic<bool> done_ = false;
  std::mutex wake_mutex_;
  napi_threadsafe_function wake_ = nullptr;
};

}  // namespace

Napi::Value start_job(Napi::Env env, const Napi::Value& run, Work work) {
  if (!run.IsObject()) fail(env, "run", "an object");
  const Napi::Value limit = run.As<Napi::Object>().Get("timeLimit");
  const Napi::Value on_progress = run.As<Napi::Object>().Get("onProgress");
  if (!on_progress.IsUndefined() && !on_progress.IsFunction()) fail(env, "run.onProgress", "a function");
  std::optional<double> seconds;
  if (!limit.IsUndefined()) {
    if (limit.IsNumber()) seconds = limit.As<Napi::Number>().DoubleValue();
    if (!(seconds >= 0.0)) fail(env, "run.timeLimit", "seconds >= 0");
    // A year is as good as no limit and cannot overflow the clock.
    if (seconds > 365.0 * 86400.0) seconds.reset();
  }
  auto job = std::make_unique<Job>(env, std::move(work), on_progress, seconds);
  const Napi::Object handle = job->handle();
  Job::start(std::move(job));
  return handle;
}

}  // namespace s4r_addon
