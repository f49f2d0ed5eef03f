// A mesh as the inside tests need it.
#pragma once

#include "s4r/geometry.h"

namespace s4r {

// The same surface with equal vertices merged, and without unused vertices, triangles of fewer than three distinct
// vertices and repeated triangles: soups as STL files hold them become connected, and closed if they are.
TriangleMesh welded(const TriangleMesh& mesh);

}  // namespace s4r
