/* SPDX-License-Identifier: MIT */
/* sdf_frames.c: see sdf_frames.h. SDFormat's specification, "Pose frame semantics". */
#include "model/sdf_frames.h"

#include "base/limits.h"
#include "base/names.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

bool ag_sdf_numbers(const ag_sdf *s, const ag_element *element, int count, ag_decimal *out) {
  int n;
  const ag_no_number no = ag_decimals_read(element->text ? element->text : "", count, out, &n);
  const int shown = no.length < 60 ? no.length : 60;
  if (no.length > 0)
    return ag_fail(s->err, element->path, element->line,
                   "write a plain decimal number such as 0.5, -2 or 1e-3",
                   "<%s>: \"%.*s\" is not a number", element->local, shown, no.text);
  return n == count ||
         ag_fail(s->err, element->path, element->line, "see SDFormat's specification",
                 "<%s> needs %d number%s, not %d", element->local, count, count == 1 ? "" : "s", n);
}

/* inf stands for no limit. */
static bool is_infinite(const char *text, double *out) {
  text += strspn(text, " \t\n\r");
  const bool minus = *text == '-';
  text += *text == '-' || *text == '+';
  if (strncmp(text, "inf", 3) != 0) return false;
  *out = minus ? -(double)INFINITY : (double)INFINITY;
  return true;
}

bool ag_sdf_number(const ag_sdf *s, const ag_element *parent, const char *name, double *out) {
  const ag_element *element = parent ? ag_element_child(parent, name) : NULL;
  if (!element || (element->text && is_infinite(element->text, out))) return true;
  ag_decimal number = {0, 0};
  if (!ag_sdf_numbers(s, element, 1, &number)) return false;
  *out = number.value;
  return true;
}

const char *ag_sdf_text(const ag_sdf *s, const ag_element *parent, const char *name) {
  const ag_element *e = parent ? ag_element_child(parent, name) : NULL;
  if (!e || !e->text) return NULL;
  const char *start = e->text + strspn(e->text, " \t\r\n");
  size_t length = strlen(start);
  while (length > 0 && strchr(" \t\r\n", start[length - 1])) --length;
  return ag_printf(s->arena, "%.*s", (int)length, start);
}

/* The numbers of a <pose>. */
static bool read_pose(const ag_sdf *s, const ag_element *e, int count, ag_decimal *out) {
  if (!ag_sdf_numbers(s, e, count, out)) return false;
  for (int i = 0; i < count; ++i)
    if (fabs(out[i].value) > AG_LARGEST_LENGTH)
      return ag_fail(s->err, e->path, e->line, "lengths are in metres; check the exponent",
                     "<pose>: %g is more than %g", out[i].value, AG_LARGEST_LENGTH);
  return true;
}

/* x y z of the place, then x y z w of the rotation. */
static bool read_quaternion(const ag_sdf *s, const ag_element *e, ag_pose *pose) {
  ag_decimal v[7] = {{0, 0}};
  if (!read_pose(s, e, 7, v)) return false;
  const double q[4] = {v[6].value, v[3].value, v[4].value, v[5].value};
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
    return ag_fail(s->err, e->path, e->line, "write 0 0 0 1 for none",
                   "<pose>: its quaternion is 0");
  for (int i = 0; i < 3; ++i) pose->p[i] = v[i].value;
  ag_rotation_of_quaternion(q, pose->R);
  return true;
}

bool ag_sdf_pose(const ag_sdf *s, const ag_element *parent, ag_pose *pose) {
  const ag_element *e = ag_element_child(parent, "pose");
  *pose = ag_pose_identity;
  if (!e || !e->text || e->text[strspn(e->text, " \t\n\r")] == 0) return true;
  const char *format = ag_element_text(e, "rotation_format"),
             *degrees = ag_element_text(e, "degrees");
  if (format && strcmp(format, "quat_xyzw") == 0) return read_quaternion(s, e, pose);
  if (format && strcmp(format, "euler_rpy") != 0)
    return ag_fail(s->err, e->path, e->line, "there are euler_rpy and quat_xyzw",
                   "<pose>: the rotation_format \"%s\" is not known", format);
  ag_decimal v[6] = {{0, 0}};
  if (!read_pose(s, e, 6, v)) return false;
  ag_urdf_pose origin = {.line = e->line};
  for (int i = 0; i < 3; ++i) {
    origin.xyz[i] = v[i], origin.rpy[i] = v[3 + i];
    if (degrees && (strcmp(degrees, "true") == 0 || strcmp(degrees, "1") == 0)) {
      const double eighths = v[3 + i].value / 45; /* 90 degrees are a right angle */
      origin.rpy[i].value =
          eighths == floor(eighths) ? eighths * (PI / 4) : v[3 + i].value * (PI / 180);
      origin.rpy[i].decimals = 15;
    }
  }
  *pose = ag_pose_of_origin(&origin, s->doc->snap, "pose", &s->doc->snapped, &s->doc->nsnapped,
                            s->arena);
  return true;
}

const char *ag_sdf_name(const ag_sdf *s, const char *scope, const char *name) {
  if (strcmp(name, "__model__") != 0) return ag_printf(s->arena, "%s%s", scope, name);
  const size_t length = strlen(scope);
  return length ? ag_printf(s->arena, "%.*s", (int)length - 2, scope) : name;
}

ag_sdf_frame *ag_sdf_find(const ag_sdf *s, const char *name) {
  for (int i = 0; i < s->nframes; ++i)
    if (strcmp(s->frames[i].name, name) == 0) return &s->frames[i];
  return NULL;
}

static bool fail_no_frame(const ag_sdf *s, const ag_sdf_frame *frame, const char *name) {
  const char **names = ag_alloc(s->arena, (size_t)(s->nframes + 1) * sizeof *names);
  for (int i = 0; i < s->nframes; ++i) names[i] = s->frames[i].name;
  const char *near = ag_near_names(names, s->nframes, name, s->arena);
  return ag_fail(s->err, frame->element->path, frame->element->line,
                 ag_did_you_mean(near, "name a link, joint, frame or model of the file", s->arena),
                 "\"%s\" is relative to \"%s\", which is not there", frame->name, name);
}

/* pose = that of what it is relative to, times its own. Calls itself at most as often as there are
 * frames: what is being found is none to wait for. */
static bool resolve(ag_sdf *s, ag_sdf_frame *frame, int depth) {
  enum { DEEPEST = 2000 };
  if (frame->state == 2) return true;
  if (frame->state == 1 || depth > DEEPEST)
    return ag_fail(s->err, frame->element->path, frame->element->line,
                   "make one of them relative to __model__",
                   "\"%s\" is relative to itself, through other frames", frame->name);
  frame->state = 1;
  if (frame->relative) {
    ag_sdf_frame *base = ag_sdf_find(s, frame->relative);
    if (!base) return fail_no_frame(s, frame, frame->relative);
    if (!resolve(s, base, depth + 1)) return false;
    frame->pose = ag_pose_mul(&base->pose, &frame->raw);
  } else {
    frame->pose = ag_pose_identity; /* the outermost model: where it stands is the world's matter */
  }
  frame->state = 2;
  return true;
}

bool ag_sdf_resolve(ag_sdf *s) {
  for (int i = 0; i < s->nframes; ++i)
    if (!resolve(s, &s->frames[i], 0)) return false;
  return true;
}

const ag_sdf_frame *ag_sdf_link_of(const ag_sdf *s, const ag_sdf_frame *frame) {
  const ag_sdf_frame *at = frame;
  if (!frame) return NULL;
  for (int steps = 0; at && steps <= s->nframes; ++steps) {
    if (at->kind == AG_SDF_LINK) return at;
    if (at->kind == AG_SDF_MODEL) { /* its canonical link: the one that it names, or its first */
      const char *said = ag_element_text(at->element, "canonical_link");
      const char *scope =
          strcmp(at->name, "__model__") == 0 ? "" : ag_printf(s->arena, "%s::", at->name);
      const ag_sdf_frame *first = NULL;
      if (said) first = ag_sdf_find(s, ag_sdf_name(s, scope, said));
      for (int i = 0; i < s->nframes && !said && !first; ++i)
        if (s->frames[i].kind == AG_SDF_LINK &&
            strncmp(s->frames[i].name, scope, strlen(scope)) == 0)
          first = &s->frames[i];
      at = first;
      continue;
    }
    at = at->attached ? ag_sdf_find(s, at->attached) : NULL;
  }
  ag_fail(s->err, frame->element->path, frame->element->line, "attach it to a link",
          "\"%s\" moves with no link", frame->name);
  return NULL;
}
