#include <string>

#include "marshal.h"
#include "typed_array.h"

namespace s4r_addon {
namespace {

constexpr int kShapeKinds = static_cast<int>(s4r::ShapeKind::kMesh) + 1;
static_assert(kShapeKinds == 10, "the order of ShapeKind is that of SHAPE_KINDS in src/core/pack.ts");

s4r::Vec3 vec3_at(const std::vector<double>& values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

s4r::Pose pose_at(const std::vector<double>& v, std::size_t i) {
  const std::size_t k = 7 * i;
  return {{v[k], v[k + 1], v[k + 2]},
          {v[k + 3], v[k + 4], v[k + 5], v[k + 6]}};  // Eigen's constructor takes w first too
}

// The packed scene, field by field, into the core's structs.
class SceneReader {
 public:
  explicit SceneReader(const Napi::Value& packed) : env_(packed.Env()) {
    if (!packed.IsObject()) fail(env_, "scene", "a packed scene");
    packed_ = packed.As<Napi::Object>();
    const Napi::Value version = packed_.Get("version");
    if (!version.IsNumber() || version.As<Napi::Number>().DoubleValue() != kPackVersion)
      fail(env_, "scene.version", "layout version " + std::to_string(kPackVersion));
  }

  s4r::Scene read() {
    read_meshes();
    read_fields();
    read_shapes();
    read_bodies();
    read_joints();
    read_geoms();
    read_filter();
    scene_.up = vec3_at(array<double>("up", 3), 0);
    return std::move(scene_);
  }

 private:
  template <typename T>
  std::vector<T> array(const char* name) const {
    return copy_array<T>(packed_.Get(name), std::string("scene.") + name);
  }
  template <typename T>
  std::vector<T> array(const char* name, std::size_t length) const {
    return copy_array<T>(packed_.Get(name), std::string("scene.") + name, length);
  }

  // Indices, each below `count`.
  std::vector<std::int32_t> indices(const char* name, std::size_t length, std::size_t count) const {
    std::vector<std::int32_t> read = array<std::int32_t>(name, length);
    for (const std::int32_t index : read) check_index(name, index, count);
    return read;
  }

  void check_index(const char* name, std::int32_t index, std::size_t count) const {
    if (index < 0 || static_cast<std::size_t>(index) >= count)
      fail(env_, std::string("scene.") + name,
           "indices below " + std::to_string(count) + ", got " + std::to_string(index));
  }

  // Offsets from 0, ascending, to `total`; their number less one is the number of items.
  std::vector<std::int32_t> starts(const char* name, std::size_t total) const {
    std::vector<std::int32_t> read = array<std::int32_t>(name);
    bool valid = !read.empty() && read.front() == 0 && static_cast<std::size_t>(read.back()) == total;
    for (std::size_t i = 1; valid && i < read.size(); ++i) valid = read[i - 1] <= read[i];
    if (!valid)
      fail(env_, std::string("scene.") + name, "ascending offsets from 0 to " + std::to_string(total));
    return read;
  }

  void read_meshes() {
    const auto vertices = array<double>("meshVertices");
    const auto triangles = array<std::int32_t>("meshTriangles");
    const auto vertex_start = starts("meshVertexStart", vertices.size() / 3);
    const auto triangle_start = starts("meshTriangleStart", triangles.size() / 3);
    if (vertex_start.size() != triangle_start.size())
      fail(env_, "scene.meshTriangleStart", "as many meshes as meshVertexStart");
    for (std::size_t m = 0; m + 1 < vertex_start.size(); ++m) {
      auto mesh = std::make_shared<s4r::TriangleMesh>();
      for (std::int32_t v = vertex_start[m]; v < vertex_start[m + 1]; ++v)
        mesh->vertices.push_back(vec3_at(vertices, v));
      for (std::int32_t t = triangle_start[m]; t < triangle_start[m + 1]; ++t) {
        for (int k = 0; k < 3; ++k) check_index("meshTriangles", triangles[3 * t + k], mesh->vertices.size());
        mesh->triangles.push_back({triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]});
      }
      meshes_.push_back(std::move(mesh));
    }
  }

  void read_fields() {
    const auto heights = array<double>("fieldHeights");
    const auto start = starts("fieldStart", heights.size());
    const auto size = array<std::int32_t>("fieldSize", 2 * (start.size() - 1));
    for (std::size_t f = 0; f + 1 < start.size(); ++f) {
      auto field = std::make_shared<s4r::HeightField>();
      field->rows = size[2 * f];
      field->cols = size[2 * f + 1];
      field->heights.assign(heights.begin() + start[f], heights.begin() + start[f + 1]);
      const bool shaped = field->rows >= 2 && field->cols >= 2 &&
                          static_cast<std::size_t>(field->rows) * static_cast<std::size_t>(field->cols) ==
                              field->heights.size();
      if (!shaped)
        fail(env_, "scene.fieldSize", "rows and cols of at least 2 whose product is the number of heights");
      fields_.push_back(std::move(field));
    }
  }

  void read_shapes() {
    const auto kind = array<std::int32_t>("shapeKind");
    const auto size = array<double>("shapeSize", 3 * kind.size());
    const auto data = array<std::int32_t>("shapeData", kind.size());
    for (std::size_t s = 0; s < kind.size(); ++s) {
      check_index("shapeKind", kind[s], kShapeKinds);
      s4r::Shape shape;
      shape.kind = static_cast<s4r::ShapeKind>(kind[s]);
      shape.size = vec3_at(size, s);
      if (shape.kind == s4r::ShapeKind::kConvex || shape.kind == s4r::ShapeKind::kMesh) {
        check_index("shapeData", data[s], meshes_.size());
        shape.mesh = meshes_[data[s]];
      } else if (shape.kind == s4r::ShapeKind::kHeightField) {
        check_index("shapeData", data[s], fields_.size());
        shape.field = fields_[data[s]];
      }
      scene_.shapes.push_back(std::move(shape));
    }
  }

  void read_bodies() {
    const auto unit = array<std::int32_t>("bodyUnit");
    const std::size_t count = unit.size();
    const auto poses = array<double>("bodyPoses", 7 * count);
    const auto weld = indices("bodyWeld", count, count);
    const auto movable = array<std::uint8_t>("bodyMovable", count);
    const auto weight = array<double>("bodyWeight", count);
    const std::vector<s4r::Motion> motions = read_motions(count);
    for (std::size_t b = 0; b < count; ++b) {
      check_index("bodyUnit", unit[b], count);
      scene_.bodies.push_back({pose_at(poses, b), unit[b], weld[b], movable[b] != 0, weight[b], motions[b]});
    }
  }

  std::vector<s4r::Motion> read_motions(std::size_t count) const {
    const auto translate = array<std::uint8_t>("motionTranslate", count);
    const auto translate_axis = array<double>("motionTranslateAxis", 3 * count);
    const auto turn = array<std::uint8_t>("motionTurn", count);
    const auto turn_axis = array<double>("motionTurnAxis", 3 * count);
    const auto stands = array<std::uint8_t>("motionStands", count);
    const auto tilt = array<double>("motionTilt", 3 * count);
    const auto height = array<double>("motionHeight", count);
    const auto carried = array<double>("motionCarried", 3 * count);
    const auto edges = array<double>("motionEdges");
    if (edges.size() % 4 != 0) fail(env_, "scene.motionEdges", "four numbers per edge");
    const auto edge_start = starts("motionEdgeStart", edges.size() / 4);
    if (edge_start.size() != count + 1) fail(env_, "scene.motionEdgeStart", "one offset per body and one more");
    std::vector<s4r::Motion> motions(count);
    for (std::size_t b = 0; b < count; ++b) {
      check_index("motionTranslate", translate[b], 4);
      check_index("motionTurn", turn[b], 3);
      motions[b] = {static_cast<s4r::Motion::Translate>(translate[b]),
                    vec3_at(translate_axis, b),
                    static_cast<s4r::Motion::Turn>(turn[b]),
                    vec3_at(turn_axis, b),
                    stands[b] != 0,
                    vec3_at(tilt, b),
                    height[b],
                    vec3_at(carried, b),
                    {}};
      for (std::int32_t e = edge_start[b]; e < edge_start[b + 1]; ++e)
        motions[b].edges.push_back({{edges[4 * e], edges[4 * e + 1], edges[4 * e + 2]}, edges[4 * e + 3]});
    }
    return motions;
  }

  void read_joints() {
    const auto hinge = array<std::uint8_t>("jointHinge");
    const std::size_t count = hinge.size();
    const auto axis = array<double>("jointAxis", 3 * count);
    const auto anchor = array<double>("jointAnchor", 3 * count);
    const auto range = array<double>("jointRange", 2 * count);
    const auto leader = array<std::int32_t>("jointLeader", count);
    const auto ratio = array<double>("jointRatio", count);
    const auto bodies = array<std::int32_t>("jointBodies");
    const auto body_start = starts("jointBodyStart", bodies.size());
    if (body_start.size() != count + 1) fail(env_, "scene.jointBodyStart", "one offset per joint and one more");
    for (const std::int32_t body : bodies) check_index("jointBodies", body, scene_.bodies.size());
    for (std::size_t j = 0; j < count; ++j) {
      if (leader[j] != -1) check_index("jointLeader", leader[j], count);
      if (!(range[2 * j] <= 0.0 && range[2 * j + 1] >= 0.0)) fail(env_, "scene.jointRange", "ranges around 0");
      scene_.joints.push_back({hinge[j] != 0,
                               vec3_at(axis, j),
                               vec3_at(anchor, j),
                               {bodies.begin() + body_start[j], bodies.begin() + body_start[j + 1]},
                               range[2 * j],
                               range[2 * j + 1],
                               leader[j],
                               ratio[j]});
    }
  }

  void read_geoms() {
    const auto body = array<std::int32_t>("geomBody");
    const std::size_t count = body.size();
    const auto shape = indices("geomShape", count, scene_.shapes.size());
    const auto poses = array<double>("geomPoses", 7 * count);
    const auto margin = array<double>("geomMargin", count);
    const auto category = array<std::uint32_t>("geomCategory", count);
    const auto mask = array<std::uint32_t>("geomMask", count);
    for (std::size_t g = 0; g < count; ++g) {
      check_index("geomBody", body[g], scene_.bodies.size());
      scene_.geoms.push_back({body[g], shape[g], pose_at(poses, g), margin[g], category[g], mask[g]});
    }
  }

  void read_filter() {
    const Napi::Value rule = packed_.Get("maskRule");
    if (!rule.IsNumber()) fail(env_, "scene.maskRule", "0 or 1");
    scene_.masks_need_both = rule.As<Napi::Number>().DoubleValue() == 1.0;
    scene_.excluded_bodies = pairs("excludedBodies", scene_.bodies.size());
    scene_.excluded_geoms = pairs("excludedGeoms", scene_.geoms.size());
    const auto explicit_pairs = pairs("explicitPairs", scene_.geoms.size());
    const auto margins = array<double>("explicitMargins", explicit_pairs.size());
    for (std::size_t i = 0; i < explicit_pairs.size(); ++i)
      scene_.explicit_pairs.push_back({explicit_pairs[i].first, explicit_pairs[i].second, margins[i]});
  }

  std::vector<std::pair<int, int>> pairs(const char* name, std::size_t count) const {
    const auto flat = array<std::int32_t>(name);
    if (flat.size() % 2 != 0) fail(env_, std::string("scene.") + name, "an even number of elements");
    std::vector<std::pair<int, int>> read;
    for (std::size_t i = 0; i < flat.size(); i += 2) {
      check_index(name, flat[i], count);
      check_index(name, flat[i + 1], count);
      read.emplace_back(flat[i], flat[i + 1]);
    }
    return read;
  }

  Napi::Env env_;
  Napi::Object packed_;
  s4r::Scene scene_;
  std::vector<std::shared_ptr<const s4r::TriangleMesh>> meshes_;
  std::vector<std::shared_ptr<const s4r::HeightField>> fields_;
};

}  // namespace

s4r::Scene read_scene(const Napi::Value& packed) { return SceneReader(packed).read(); }

std::vector<s4r::Pose> read_poses(const Napi::Value& packed, const std::string& field, std::size_t count) {
  const auto values = copy_array<double>(packed, field, 7 * count);
  std::vector<s4r::Pose> poses;
  for (std::size_t i = 0; i < count; ++i) poses.push_back(pose_at(values, i));
  return poses;
}

}  // namespace s4r_addon
