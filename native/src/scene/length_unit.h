// The internal length unit: movable geoms have a median extent of 0.1 units (App. A.7 normalises every object to 0.1).
#pragma once

#include "s4r/scene.h"

namespace s4r {

// Metres per unit; > 0. Depends on shapes and mobility only, not on poses.
double length_unit(const Scene& scene);

}  // namespace s4r
