// Where things stand: what rests on what, putting it back there after a solve, and raising what has no room.
#pragma once

#include <optional>
#include <vector>

#include "s4r/interrupt.h"
#include "s4r/scene.h"

namespace s4r {

// A unit that rests on another one or on scenery.
//
// It does if, with `tolerance` as the length of every move and the supporter where it is: moving it down makes the two
// overlap, also when it moves as far to any side on the way, and moving it up frees it of the supporter. So gaps
// (beyond the margins of the geoms) and depths up to the tolerance count, contacts steeper than 45 degrees do not, and
// what stands in a bowl or a cup rests on it although its walls are steep.
struct Support {
  int body = 0;     // root of the unit
  int on_body = 0;  // root of the unit it rests on, or a fixed body
  int on_geom = 0;  // of `on_body`; the first one it rests on
};

// In ascending order. Bodies at X_WB (by index), tolerance [m]; incomplete if interrupted.
std::vector<Support> find_supports(const Scene& scene, const std::vector<Pose>& X_WB, double tolerance, int threads = 0,
                                   const Interrupt& interrupt = {});

struct SettleOptions {
  double tolerance = 1e-3;                         // of resting [m], > 0
  double overlap_tolerance = 0.0;                  // depth that still counts as touching [m]
  std::optional<double> max_shift = std::nullopt;  // [m]; of the origin of every body from X_before
  int threads = 0;                                 // 0: one per core
};

struct Settlement {
  std::vector<Vec3> shifts;  // displacement of each body's origin from X_after in W [m]; exactly zero for who stays
  std::vector<Support> supports;  // in X_before
  std::vector<char> kept;         // by support: it still holds after the shifts
  bool interrupted = false;       // cancelled or out of time: the rest was not looked at
};

// Puts units that rested in X_before, and do not in X_after, back on what carried them, from the bottom to the top: by
// lowering them, or else by taking them along with their supporter. One that sank into its supporter is raised out of
// it. Whatever else a unit moved by this does not overlap in X_after it does not overlap afterwards either. A unit that
// can be put on none of its supporters is lowered onto what is below it, if that is not farther than its own size.
// Its motion holds; a unit that has to stand stays where it is.
Settlement settle(const Scene& scene, const std::vector<Pose>& X_before, const std::vector<Pose>& X_after,
                  const SettleOptions& options, const Interrupt& interrupt = {});

struct LiftOptions {
  std::optional<double> max_shift;  // [m]; from X_WB
};

struct Lifting {
  std::vector<Vec3> shifts;     // displacement of each body's origin in W [m]; exactly zero for who stays
  std::vector<double> heights;  // by entry of `units`: how far it was raised [m]; negative: there is no place for it
  bool interrupted = false;
};

// Raises the units (by their root bodies), one after the other, along `up` to the lowest place where they are free;
// those still to come are passed through. Gaps between triangle meshes lower than a sixteenth of the unit are not
// looked for. A unit that reaches through an upright half-space is first pushed inside.
Lifting lift(const Scene& scene, const std::vector<Pose>& X_WB, const std::vector<int>& units,
             const LiftOptions& options, const Interrupt& interrupt = {});

}  // namespace s4r
