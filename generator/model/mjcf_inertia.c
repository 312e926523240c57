/* SPDX-License-Identifier: MIT */
/* mjcf_inertia.c: see mjcf_inertia.h. MuJoCo's XML reference: inertial, geom, compiler. */
#include "model/mjcf_inertia.h"

#include "model/mesh.h"
#include "model/mjcf_frames.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Less than this encloses nothing [m^3]. */
static const double LEAST_VOLUME = 1e-18;

/* What a product of inertia may be off by, as a part of the largest moment. */
static const double ROUNDING = 1e-15;

/* MuJoCo takes no moving body without a mass; where each of these is less, it stands for none, as --mjcf
 * writes it [kg, kg m^2]. */
static const double NO_MASS = 1.5e-14;

/* A geom: where it is, and what its shape is. */
typedef struct geom {
  ag_mjcf_item item;
  const char *type;
  double size[3];
  ag_pose pose; /* in the frame that it stands in */
  double volume;
  double per_mass[3]; /* rotational inertia about its centre, of 1 kg [m^2] */
} geom;

static bool fail_geom(const ag_mjcf *m, const geom *g, const char *what, const char *remedy) {
  return ag_fail(m->err, g->item.element->path, g->item.element->line, remedy, "%s %s",
                 g->item.whose, what);
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void of_ellipsoid(geom *g, double a, double b, double c) {
  g->volume = 4 * PI / 3 * a * b * c;
  g->per_mass[0] = (b * b + c * c) / 5;
  g->per_mass[1] = (a * a + c * c) / 5;
  g->per_mass[2] = (a * a + b * b) / 5;
}

static void of_box(geom *g, double a, double b, double c) {
  g->volume = 8 * a * b * c;
  g->per_mass[0] = (b * b + c * c) / 3;
  g->per_mass[1] = (a * a + c * c) / 3;
  g->per_mass[2] = (a * a + b * b) / 3;
}

static void of_cylinder(geom *g, double r, double half) {
  g->volume = 2 * PI * r * r * half;
  g->per_mass[0] = g->per_mass[1] = r * r / 4 + half * half / 3;
  g->per_mass[2] = r * r / 2;
}

/* A cylinder of the length l and two half spheres, by their parts of the volume: those of the half
 * spheres about the capsule's centre are 2 r^2 / 5 + l^2 / 4 + 3 l r / 8 across. */
static void of_capsule(geom *g, double r, double half) {
  const double l = 2 * half, balls = 4 * r / (4 * r + 3 * l), rest = 1 - balls;
  g->volume = PI * r * r * l + 4 * PI / 3 * r * r * r;
  g->per_mass[2] = rest * r * r / 2 + balls * 2 * r * r / 5;
  g->per_mass[0] = g->per_mass[1] =
      rest * (r * r / 4 + l * l / 12) + balls * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
}

/* `fromto`: the axis from one end to the other in place of pose and length. */
static bool read_ends(const ag_mjcf *m, geom *g, int nsizes) {
  double ends[6], along[3], length = 0;
  int n;
  const bool round = strcmp(g->type, "capsule") == 0 || strcmp(g->type, "cylinder") == 0;
  if (!ag_mjcf_numbers(&g->item, "fromto", 6, 6, ends, &n)) return false;
  if (n == 0 || ag_element_text(g->item.element, "pos")) return true;
  for (int i = 0; i < 3; ++i) {
    along[i] = ends[i] - ends[3 + i];
    length += along[i] * along[i];
    g->pose.p[i] = 0.5 * (ends[i] + ends[3 + i]);
  }
  if (length == 0) return fail_geom(m, g, "has the length 0", "write two different ends");
  ag_mjcf_turn_z(along, g->pose.R);
  if (!round && nsizes < 2) g->size[1] = g->size[0];
  g->size[round ? 1 : 2] = 0.5 * sqrt(length);
  return true;
}

static bool measure(const ag_mjcf *m, geom *g) {
  static const struct {
    const char *name;
    int sizes;
  } SHAPES[] = {{"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"ellipsoid", 3}, {"box", 3}};
  const double *s = g->size;
  int needed = 0;
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; ++i)
    if (strcmp(g->type, SHAPES[i].name) == 0) needed = SHAPES[i].sizes;
  if (needed == 0)
    return fail_geom(m, g,
                     ag_printf(m->arena, "has the type \"%s\", whose mass is not read", g->type),
                     "give the body an <inertial>");
  for (int i = 0; i < needed; ++i)
    if (!(s[i] > 0)) return fail_geom(m, g, "has a size that is not above 0", "write its size");
  if (needed == 1) of_ellipsoid(g, s[0], s[0], s[0]);
  if (strcmp(g->type, "ellipsoid") == 0) of_ellipsoid(g, s[0], s[1], s[2]);
  if (strcmp(g->type, "box") == 0) of_box(g, s[0], s[1], s[2]);
  if (strcmp(g->type, "cylinder") == 0) of_cylinder(g, s[0], s[1]);
  if (strcmp(g->type, "capsule") == 0) of_capsule(g, s[0], s[1]);
  return true;
}

/* --- meshes ----------------------------------------------------------------------------------- */

static const char *name_of_mesh(const ag_mjcf *m, const ag_element *mesh) {
  const char *name = ag_element_text(mesh, "name"), *file = ag_element_text(mesh, "file");
  if (name || !file) return name;
  const char *slash = strrchr(file, '/');
  const char *base = slash ? slash + 1 : file, *end = strrchr(base, '.');
  return ag_printf(m->arena, "%.*s", (int)(end ? end - base : (long)strlen(base)), base);
}

static const ag_element *mesh_find(const ag_mjcf *m, const char *name) {
  for (const ag_element *e = m->root->children; e; e = e->next)
    for (const ag_element *c = ag_element_is(e, "asset") ? e->children : NULL; c; c = c->next) {
      const char *own = ag_element_is(c, "mesh") ? name_of_mesh(m, c) : NULL;
      if (own && strcmp(own, name) == 0) return c;
    }
  return NULL;
}

/* A mesh's file, found from the folder of the model's. */
static const char *path_of_mesh(const ag_mjcf *m, const char *file) {
  const char *slash = strrchr(m->doc->path, '/'), *base = strrchr(file, '/');
  const char *meshes = m->settings.mesh_folder;
  if (m->settings.strip_path && base) file = base + 1;
  if (file[0] == '/') return file;
  const int length = slash ? (int)(slash + 1 - m->doc->path) : 0;
  const bool whole = meshes && meshes[0] == '/';
  return ag_printf(m->arena, "%.*s%s%s%s", whole ? 0 : length, m->doc->path, meshes ? meshes : "",
                   meshes && *meshes && meshes[strlen(meshes) - 1] != '/' ? "/" : "", file);
}

/* The inertia of a geom that is a mesh: its mass is `mass`, or density times volume where that is
 * NaN. */
static bool inertia_of_mesh(ag_mjcf *m, const geom *g, double mass, double density,
                            ag_inertia *out) {
  const char *name = ag_mjcf_attribute(&g->item, "mesh");
  const ag_element *mesh = name ? mesh_find(m, name) : NULL;
  if (!mesh) return fail_geom(m, g, "names a mesh that is not in <asset>", "declare the mesh");
  const char *file = ag_element_text(mesh, "file");
  ag_mjcf_item item = {m, mesh, "mesh", 0, ag_printf(m->arena, "mesh \"%s\"", name)};
  double scale[3] = {1, 1, 1};
  int n;
  if (!ag_mjcf_class_of(m, mesh, "class", 0, &item.class_) ||
      !ag_mjcf_numbers(&item, "scale", 3, 3, scale, &n))
    return false;
  if (!file || ag_element_text(mesh, "refpos") || ag_element_text(mesh, "refquat"))
    return ag_fail(m->err, mesh->path, mesh->line, "give the bodies that use it an <inertial>",
                   "mesh \"%s\": only meshes of a file are read, without refpos and refquat", name);
  const char *how = ag_mjcf_attribute(&item, "inertia");
  if (how && (strcmp(how, "shell") == 0 || strcmp(how, "convex") == 0))
    return ag_fail(m->err, mesh->path, mesh->line, "give the bodies that use it an <inertial>",
                   "mesh \"%s\" has inertia=\"%s\", which is not read: its volume counts", name,
                   how);
  const ag_mesh_source source = {path_of_mesh(m, file), mesh->path, mesh->line};
  ag_triangles triangles;
  if (!ag_mesh_read(&source, &triangles, m->arena, m->err)) return false;
  ag_document_note(m->doc, source.file, m->arena);
  const ag_volume v = ag_mesh_volume(&triangles, scale);
  if (!(v.volume >= LEAST_VOLUME))
    return ag_fail(m->err, mesh->path, mesh->line, "give the bodies that use it an <inertial>",
                   "mesh \"%s\" encloses no volume", name);
  const double rho = isnan(mass) ? density : mass / v.volume, *s = v.second;
  *out = (ag_inertia){.m = rho * v.volume,
                      .I = {rho * (s[3] + s[5]), -rho * s[1], -rho * s[2], rho * (s[0] + s[5]),
                            -rho * s[4], rho * (s[0] + s[3])}};
  for (int i = 0; i < 3; ++i) out->h[i] = rho * v.first[i];
  return true;
}

/* --- a body's geoms --------------------------------------------------------------------------- */

static bool has_no_volume(const char *type) {
  return strcmp(type, "plane") == 0 || strcmp(type, "hfield") == 0;
}

static bool read_geom(const ag_mjcf *m, const ag_element *e, int inherited, geom *g, int *nsizes) {
  const char *name = ag_element_text(e, "name");
  *g = (geom){.item = {m, e, "geom", inherited,
                       name ? ag_printf(m->arena, "geom \"%s\"", name) : "a <geom>"}};
  if (!ag_mjcf_class_of(m, e, "class", inherited, &g->item.class_)) return false;
  g->type = ag_mjcf_attribute(&g->item, "type");
  if (!g->type) g->type = "sphere";
  return ag_mjcf_numbers(&g->item, "size", 1, 3, g->size, nsizes) &&
         ag_mjcf_pose(m, &g->item, &g->pose);
}

/* Adds a geom's inertia. at: the pose of what it stands in, in the body's frame. */
static bool add_geom(ag_mjcf *m, const ag_element *e, int inherited, const ag_pose *at,
                     ag_inertia *sum) {
  geom g;
  int nsizes;
  double mass = (double)NAN, density = 1000, group = 0;
  if (!read_geom(m, e, inherited, &g, &nsizes) || !ag_mjcf_number(&g.item, "mass", &mass) ||
      !ag_mjcf_number(&g.item, "density", &density) || !ag_mjcf_number(&g.item, "group", &group))
    return false;
  if (mass < 0 || density < 0)
    return fail_geom(m, &g, "has a mass or density below 0", "write its mass [kg]");
  const bool counted = group >= m->settings.least_group && group <= m->settings.most_group;
  if (!counted || mass == 0 || (isnan(mass) && density == 0) || has_no_volume(g.type)) return true;
  const char *shell = ag_mjcf_attribute(&g.item, "shellinertia");
  if (shell && strcmp(shell, "true") == 0)
    return fail_geom(m, &g, "has a shell's inertia, which is not read",
                     "give the body an <inertial>");
  ag_inertia own = {0};
  if (strcmp(g.type, "mesh") == 0) {
    if (!inertia_of_mesh(m, &g, mass, density, &own)) return false;
  } else {
    if (ag_mjcf_attribute(&g.item, "mesh"))
      return fail_geom(m, &g, "is fitted to a mesh, which is not read",
                       "give the body an <inertial>");
    if (!read_ends(m, &g, nsizes) || !measure(m, &g)) return false;
    own.m = isnan(mass) ? density * g.volume : mass;
    own.I[0] = own.m * g.per_mass[0], own.I[3] = own.m * g.per_mass[1];
    own.I[5] = own.m * g.per_mass[2];
  }
  const ag_pose pose = ag_pose_mul(at, &g.pose);
  own = ag_inertia_transform(&pose, &own);
  ag_inertia_add(sum, &own);
  return true;
}

static bool add_geoms(ag_mjcf *m, const ag_element *element, int inherited, const ag_pose *at,
                      ag_inertia *sum) {
  for (const ag_element *e = element->children; e; e = e->next) {
    if (ag_element_is(e, "geom") && !add_geom(m, e, inherited, at, sum)) return false;
    if (!ag_element_is(e, "frame")) continue;
    const ag_mjcf_item item = {m, e, "", -1, "<frame>"};
    ag_pose pose;
    int class_;
    if (!ag_mjcf_class_of(m, e, "childclass", inherited, &class_) || !ag_mjcf_pose(m, &item, &pose))
      return false;
    pose = ag_pose_mul(at, &pose);
    if (!add_geoms(m, e, class_, &pose, sum)) return false;
  }
  return true;
}

/* --- the link --------------------------------------------------------------------------------- */

static void set_from_geoms(const ag_inertia *sum, ag_urdf_link *link) {
  double centre[3];
  ag_inertia_centre(sum, centre, link->inertia);
  for (int i = 0; i < 3; ++i) link->com.xyz[i].value = centre[i];
  link->mass = sum->m;
}

/* Along the body's axes. A product of inertia that is 0 but for the rounding of the quaternion, by
 * which programs write principal axes, is 0. */
static void turn_inertia(const ag_pose *pose, const ag_inertia *central, double out[6]) {
  const ag_inertia turned = ag_inertia_transform(pose, central); /* no mass: about the centre */
  const double *I = turned.I, largest = fmax(fmax(fabs(I[0]), fabs(I[3])), fabs(I[5]));
  for (int i = 0; i < 6; ++i) out[i] = fabs(I[i]) < ROUNDING * largest ? 0 : I[i];
}

/* MuJoCo takes no mass and no moment below 0, but for rounding. */
static bool check_positive(const ag_mjcf *m, const ag_mjcf_item *item, double mass,
                           const double I[6]) {
  const double slack = 1e-12 * (fabs(I[0]) + fabs(I[3]) + fabs(I[5]));
  double moments[3];
  ag_principal_moments(I, moments);
  if (mass >= 0 && moments[0] >= -slack) return true;
  return ag_fail(m->err, item->element->path, item->element->line, "correct these numbers",
                 "%s: mass %g kg, principal moments %g, %g and %g kg m^2: none can be below 0",
                 item->whose, mass, moments[0], moments[1], moments[2]);
}

static bool read_inertial(const ag_mjcf *m, const ag_element *e, ag_urdf_link *link) {
  static const int ORDER[6] = {0, 3, 5, 1, 2, 4}; /* of fullinertia: xx yy zz xy xz yz */
  const ag_mjcf_item item = {m, e, "", -1,
                             ag_printf(m->arena, "<inertial> of body \"%s\"", link->name)};
  ag_pose pose;
  double mass = (double)NAN, full[6], diagonal[3];
  int nfull, ndiagonal;
  if (!ag_mjcf_pose(m, &item, &pose) || !ag_mjcf_number(&item, "mass", &mass) ||
      !ag_mjcf_numbers(&item, "fullinertia", 6, 6, full, &nfull) ||
      !ag_mjcf_numbers(&item, "diaginertia", 3, 3, diagonal, &ndiagonal))
    return false;
  if (isnan(mass))
    return ag_fail(m->err, e->path, e->line, "write mass=\"...\"", "%s has no mass", item.whose);
  if (!ag_element_text(e, "pos"))
    return ag_fail(m->err, e->path, e->line, "write pos=\"x y z\"", "%s has no pos", item.whose);
  ag_inertia central = {0};
  bool any = fabs(mass) > NO_MASS;
  for (int i = 0; i < 6 && nfull; ++i) central.I[ORDER[i]] = full[i];
  for (int i = 0; i < 3 && !nfull && ndiagonal; ++i) central.I[ORDER[i]] = diagonal[i];
  for (int i = 0; i < 6; ++i) any = any || fabs(central.I[i]) > NO_MASS;
  if (!any) return true;
  if (!check_positive(m, &item, mass, central.I)) return false;
  turn_inertia(&pose, &central, link->inertia);
  for (int i = 0; i < 3; ++i) link->com.xyz[i].value = pose.p[i];
  link->com.line = ag_document_line(m->doc, e);
  link->mass = mass;
  return true;
}

/* <compiler>: boundmass, boundinertia, balanceinertia. */
static bool bound(const ag_mjcf *m, const ag_element *body, ag_urdf_link *link) {
  const ag_mjcf_settings *s = &m->settings;
  double moments[3], *I = link->inertia;
  if (link->mass < s->least_mass) link->mass = s->least_mass;
  ag_principal_moments(I, moments);
  const bool raise = s->least_moment > 0 && moments[0] < s->least_moment;
  if (raise && (I[1] != 0 || I[2] != 0 || I[4] != 0))
    return ag_fail(m->err, body->path, body->line, "write an <inertial> with its diaginertia",
                   "body \"%s\": boundinertia would change an inertia that is not along its axes",
                   link->name);
  for (int i = 0; raise && i < 6; i += i == 0 ? 3 : 2) I[i] = fmax(I[i], s->least_moment);
  ag_principal_moments(I, moments);
  if (!s->balance_inertia || moments[0] + moments[1] >= moments[2]) return true;
  const double mean = (moments[0] + moments[1] + moments[2]) / 3;
  I[0] = I[3] = I[5] = mean, I[1] = I[2] = I[4] = 0;
  return true;
}

bool ag_mjcf_inertial(ag_mjcf *m, const ag_element *body, int inherited, ag_urdf_link *link) {
  const ag_element *inertial = ag_element_child(body, "inertial");
  const ag_from_geoms when = m->settings.from_geoms;
  const int line = ag_document_line(m->doc, inertial ? inertial : body);
  ag_inertia sum = {0};
  for (const ag_element *e = inertial ? inertial->next : NULL; e; e = e->next)
    if (ag_element_is(e, "inertial"))
      return ag_fail(m->err, e->path, e->line, "keep one of them", "body \"%s\" has two <inertial>",
                     link->name);
  if (inertial && when != AG_ALWAYS) {
    if (!read_inertial(m, inertial, link)) return false;
  } else if (when != AG_NEVER) {
    if (!add_geoms(m, body, inherited, &ag_pose_identity, &sum)) return false;
    link->com.line = line;
    if (sum.m > 0) set_from_geoms(&sum, link);
  }
  if (!bound(m, body, link)) return false;
  const bool any = link->mass != 0 || link->inertia[0] != 0 || link->inertia[3] != 0;
  if (any || inertial) link->inertial_line = link->mass_line = link->inertia_line = line;
  return true;
}

bool ag_mjcf_leave_out(ag_mjcf *m, const ag_element *body, int inherited) {
  ag_urdf_link none = {.name = "left out"};
  int class_;
  if (!(m->settings.total_mass > 0)) return true;
  if (!ag_mjcf_class_of(m, body, "childclass", inherited, &class_) ||
      !ag_mjcf_inertial(m, body, class_, &none))
    return false;
  m->mass_left_out += none.mass;
  for (const ag_element *e = body->children; e; e = e->next)
    if (ag_element_is(e, "body") && !ag_mjcf_leave_out(m, e, class_)) return false;
  return true;
}

void ag_mjcf_scale_masses(ag_mjcf *m) {
  ag_urdf *doc = m->doc;
  double total = m->mass_left_out;
  for (int i = 0; i < doc->nlinks; ++i) total += doc->links[i].mass;
  if (!(m->settings.total_mass > 0) || !(total > 0)) return;
  const double k = m->settings.total_mass / total;
  for (int i = 0; i < doc->nlinks; ++i) {
    doc->links[i].mass *= k;
    for (int e = 0; e < 6; ++e) doc->links[i].inertia[e] *= k;
  }
}
