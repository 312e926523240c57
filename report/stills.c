/* SPDX-License-Identifier: MIT */
/* stills.c: achd-stills MODEL.xml LOG.csv [OPTIONS]: pictures of a run, drawn by MuJoCo without a
 * screen (EGL): the model's joints stand as the columns q.JOINT of the log say, free joints as
 * JOINT.p_x .. JOINT.turn_z do (position [m] and rotation vector [rad]). Writes still_TIMEs.png
 * beside the log. */
#include "log_rows.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <mujoco/mujoco.h>
#include <png.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: achd-stills MODEL.xml LOG.csv [OPTIONS]\n"
    "  --at TIME             a still at this time [s]; several; without: start, middle, end\n"
    "  --size WIDTHxHEIGHT   960x640\n"
    "  --camera AZIMUTH,ELEVATION,DISTANCE   [deg, deg, sizes of the scene]: 130,-20,1.1\n"
    "  -o FOLDER             where the pictures go; without: beside the log\n"
    "  --video               run.mp4 too, by ffmpeg: 30 pictures a second\n";

enum { STILLS = 64, LARGEST = 4096, RATE = 30 };

typedef struct settings {
  const char *model, *log, *folder;
  double at[STILLS];
  int count, width, height;
  double azimuth, elevation, distance;
  bool video;
} settings;

static _Noreturn void fail(const char *what, const char *detail) {
  fprintf(stderr, "achd-stills: %s%s%s\n", what, *detail ? ": " : "", detail);
  exit(1);
}

/* ---- arguments ---- */

static bool take_option(settings *s, const char *option, const char *value) {
  char more;
  if (strcmp(option, "--at") == 0 && s->count < STILLS)
    return sscanf(value, "%lf%c", &s->at[s->count++], &more) == 1;
  if (strcmp(option, "--size") == 0)
    return sscanf(value, "%dx%d%c", &s->width, &s->height, &more) == 2 && s->width >= 16 &&
           s->height >= 16 && s->width <= LARGEST && s->height <= LARGEST;
  if (strcmp(option, "--camera") == 0)
    return sscanf(value, "%lf,%lf,%lf%c", &s->azimuth, &s->elevation, &s->distance, &more) == 3 &&
           s->distance > 0;
  if (strcmp(option, "-o") != 0) return false;
  s->folder = value;
  return true;
}

static settings read_arguments(int argc, char **argv) {
  settings s = {.width = 960, .height = 640, .azimuth = 130, .elevation = -20, .distance = 1.1};
  for (int i = 1; i < argc; i++) {
    bool good = true;
    if (strcmp(argv[i], "--video") == 0)
      s.video = true;
    else if (argv[i][0] == '-')
      good = i + 1 < argc && take_option(&s, argv[i], argv[i + 1]), i++;
    else if (!s.model)
      s.model = argv[i];
    else if (!s.log)
      s.log = argv[i];
    else
      good = false;
    if (!good) fail("what is this", argv[i < argc ? i : argc - 1]);
  }
  if (!s.log) {
    fputs(usage, stderr);
    exit(2);
  }
  return s;
}

/* ---- a picture without a screen ---- */

static void open_egl(void) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_NONE};
  const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
    fail("EGL has no display without a screen", "install libegl1 and libgl1-mesa-dri");
  if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
      count < 1)
    fail("EGL has no OpenGL", "install libgl1-mesa-dri");
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, surface, surface, context))
    fail("EGL makes no OpenGL context", "");
}

typedef struct studio {
  const settings *settings;
  mjModel *model;
  mjData *data;
  mjvScene scene;
  mjvCamera camera;
  mjvOption option;
  mjrContext context;
  unsigned char *pixels; /* [height][width][3], bottom row first */
  float *depth;
  double radius; /* of bodies without geometry [m] */
} studio;

static void open_studio(studio *s) {
  s->model->vis.global.offwidth = s->settings->width;
  s->model->vis.global.offheight = s->settings->height;
  s->model->vis.quality.offsamples = 8;
  mjv_defaultOption(&s->option);
  mjv_defaultFreeCamera(s->model, &s->camera);
  s->camera.azimuth = s->settings->azimuth;
  s->camera.elevation = s->settings->elevation;
  mjv_defaultScene(&s->scene);
  mjv_makeScene(s->model, &s->scene, 2000);
  mjr_defaultContext(&s->context);
  mjr_makeContext(s->model, &s->context, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &s->context);
  if (s->context.currentBuffer != mjFB_OFFSCREEN) fail("OpenGL draws to no memory", "");
  const size_t count = (size_t)s->settings->width * (size_t)s->settings->height;
  s->pixels = malloc(3 * count);
  s->depth = malloc(count * sizeof *s->depth);
  if (!s->pixels || !s->depth) fail("out of memory", "");
}

/* Where nothing is drawn: a sky that grows lighter towards the horizon. */
static void paint_sky(studio *s) {
  const int w = s->settings->width, h = s->settings->height;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      const size_t at = (size_t)y * (size_t)w + (size_t)x;
      if (s->depth[at] < 1) continue;
      const double share = (double)y / h;
      s->pixels[3 * at] = (unsigned char)(238 - 70 * share);
      s->pixels[3 * at + 1] = (unsigned char)(242 - 52 * share);
      s->pixels[3 * at + 2] = (unsigned char)(247 - 28 * share);
    }
}

/* The quaternion of a rotation vector. */
static void turn(const double v[3], double quaternion[4]) {
  const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double axis[3] = {angle > 0 ? v[0] / angle : 1, angle > 0 ? v[1] / angle : 0,
                          angle > 0 ? v[2] / angle : 0};
  mju_axisAngle2Quat(quaternion, axis, angle);
}

static bool take(const log_rows *log, size_t row, const char *name, double *x) {
  const long column = log_rows_column(log, name);
  if (column < 0) return false;
  const double value = log->values[row * log->columns + (size_t)column];
  if (isfinite(value)) *x = value;
  return true;
}

/* Puts the joints where the log has them, by name or by number; returns how many it has. */
static int pose(studio *s, const log_rows *log, size_t row) {
  static const char *const parts[] = {"p_x", "p_y", "p_z", "turn_x", "turn_y", "turn_z"};
  int found = 0, number = 0;
  char name[512];
  for (int j = 0; j < s->model->njnt; j++) {
    const char *joint = s->model->names + s->model->name_jntadr[j];
    double *q = s->data->qpos + s->model->jnt_qposadr[j];
    if (s->model->jnt_type[j] == mjJNT_HINGE || s->model->jnt_type[j] == mjJNT_SLIDE) {
      snprintf(name, sizeof name, "q.%s", joint);
      bool known = take(log, row, name, q);
      snprintf(name, sizeof name, "q.%d", ++number);
      found += known || take(log, row, name, q);
    } else if (s->model->jnt_type[j] == mjJNT_FREE) {
      double at[6] = {q[0], q[1], q[2], 0, 0, 0};
      int known = 0;
      for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s.%s", joint, parts[i]);
        known += take(log, row, name, &at[i]);
      }
      if (known == 6) {
        memcpy(q, at, 3 * sizeof *q);
        turn(at + 3, q + 3);
        found++;
      }
    }
  }
  return found;
}

static bool has_geometry(const mjModel *m, int body) {
  return m->body_geomnum[body] > 0;
}

static void add_capsule(studio *s, const double from[3], const double to[3]) {
  static const float grey[4] = {0.62f, 0.66f, 0.72f, 1};
  if (s->scene.ngeom == s->scene.maxgeom) return;
  mjvGeom *geom = &s->scene.geoms[s->scene.ngeom++];
  mjv_initGeom(geom, mjGEOM_CAPSULE, NULL, NULL, NULL, grey);
  mjv_makeConnector(geom, mjGEOM_CAPSULE, s->radius, from[0], from[1], from[2], to[0], to[1],
                    to[2]);
}

/* A body without geometry, as it is where only the tool touches something, is drawn from its origin
 * to those of the bodies that it carries, or to its centre of mass. */
static void draw_bare_bodies(studio *s) {
  const mjModel *m = s->model;
  for (int b = 1; b < m->nbody; b++) {
    const int parent = m->body_parentid[b];
    bool carries = false;
    for (int child = b + 1; child < m->nbody; child++) carries |= m->body_parentid[child] == b;
    if (parent > 0 && !has_geometry(m, parent))
      add_capsule(s, s->data->xpos + 3 * parent, s->data->xpos + 3 * b);
    if (!carries && !has_geometry(m, b) && m->body_mass[b] > 0)
      add_capsule(s, s->data->xpos + 3 * b, s->data->xipos + 3 * b);
  }
}

static void draw(studio *s, const log_rows *log, size_t row) {
  const mjrRect all = {0, 0, s->settings->width, s->settings->height};
  pose(s, log, row);
  mj_kinematics(s->model, s->data);
  mj_camlight(s->model, s->data);
  mj_comPos(s->model, s->data);
  mj_tendon(s->model, s->data);
  mjv_updateScene(s->model, s->data, &s->option, NULL, &s->camera, mjCAT_ALL, &s->scene);
  draw_bare_bodies(s);
  mjr_render(all, &s->scene, &s->context);
  mjr_readPixels(s->pixels, s->depth, all, &s->context);
  paint_sky(s);
}

/* ---- files ---- */

static const unsigned char *line_of(const studio *s, int y) {
  return s->pixels + 3 * (size_t)s->settings->width * (size_t)(s->settings->height - 1 - y);
}

static bool write_png(const studio *s, const char *path) {
  FILE *file = fopen(path, "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool good = false;
  if (file && info && !setjmp(png_jmpbuf(png))) {
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)s->settings->width, (png_uint_32)s->settings->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < s->settings->height; y++) png_write_row(png, line_of(s, y));
    png_write_end(png, info);
    good = true;
  }
  png_destroy_write_struct(&png, &info);
  if (file && fclose(file) != 0) good = false;
  return good;
}

static void include(double low[3], double high[3], const double *at, double margin) {
  for (int i = 0; i < 3; i++) {
    low[i] = fmin(low[i], at[i] - margin);
    high[i] = fmax(high[i], at[i] + margin);
  }
}

/* The camera looks at the middle of what bodies and shapes take up during the run; planes, which
 * have no size, do not count. */
static void aim(studio *s, const log_rows *log) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int k = 0; k <= 8; k++) {
    pose(s, log, (log->rows - 1) * (size_t)k / 8);
    mj_kinematics(s->model, s->data);
    for (int b = 1; b < s->model->nbody; b++) include(low, high, s->data->xpos + 3 * b, 0.02);
    for (int g = 0; g < s->model->ngeom; g++)
      if (s->model->geom_rbound[g] > 0)
        include(low, high, s->data->geom_xpos + 3 * g, s->model->geom_rbound[g]);
  }
  double across = 0;
  for (int i = 0; i < 3; i++) {
    s->camera.lookat[i] = (low[i] + high[i]) / 2;
    across += (high[i] - low[i]) * (high[i] - low[i]);
  }
  s->camera.distance = s->settings->distance * sqrt(across);
  s->radius = 0.025 * fmin(sqrt(across), 1.5);
}

static void write_stills(studio *s, const log_rows *log) {
  for (int k = 0; k < s->settings->count; k++) {
    char path[4096];
    const size_t row = log_rows_at(log, s->settings->at[k]);
    draw(s, log, row);
    snprintf(path, sizeof path, "%s/still_%.3fs.png", s->settings->folder,
             log->values[row * log->columns]);
    if (!write_png(s, path)) fail("cannot be written", path);
    printf("%s\n", path);
  }
}

static void run_ffmpeg(const settings *s, const char *path, int in) {
  char size[32], rate[16];
  snprintf(size, sizeof size, "%dx%d", s->width & ~1, s->height & ~1);
  snprintf(rate, sizeof rate, "%d", RATE);
  dup2(in, STDIN_FILENO);
  execlp("ffmpeg", "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24",
         "-video_size", size, "-framerate", rate, "-i", "-", "-c:v", "libx264", "-preset", "fast",
         "-crf", "26", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path, (char *)NULL);
  _exit(127);
}

static void send_pictures(studio *s, const log_rows *log, FILE *to) {
  const double first = log->values[0], last = log->values[(log->rows - 1) * log->columns];
  for (int k = 0; first + (double)k / RATE <= last; k++) {
    draw(s, log, log_rows_at(log, first + (double)k / RATE));
    for (int y = 0; y < (s->settings->height & ~1); y++)
      fwrite(line_of(s, y), 3, (size_t)(s->settings->width & ~1), to);
  }
}

static void write_video(studio *s, const log_rows *log) {
  char path[4096];
  int ends[2], ended = 1;
  snprintf(path, sizeof path, "%s/run.mp4", s->settings->folder);
  if (pipe(ends) != 0) fail("no pipe to ffmpeg", "");
  signal(SIGPIPE, SIG_IGN);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    run_ffmpeg(s->settings, path, ends[0]);
  }
  close(ends[0]);
  FILE *to = child > 0 ? fdopen(ends[1], "wb") : NULL;
  if (!to) fail("ffmpeg cannot be started", "");
  send_pictures(s, log, to);
  fclose(to);
  waitpid(child, &ended, 0);
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
    fail("ffmpeg has made no video", WEXITSTATUS(ended) == 127 ? "it is not installed" : path);
  printf("%s\n", path);
}

int main(int argc, char **argv) {
  settings s = read_arguments(argc, argv);
  log_rows log;
  char message[1024], beside[4096];
  if (!log_rows_read(&log, s.log, message, sizeof message)) fail(message, "");
  if (!s.folder) {
    const char *slash = strrchr(s.log, '/');
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - s.log) : 1, slash ? s.log : ".");
    s.folder = beside;
  }
  const double first = log.values[0], last = log.values[(log.rows - 1) * log.columns];
  if (s.count == 0)
    for (; s.count < 3; s.count++) s.at[s.count] = first + s.count * (last - first) / 2;
  studio set = {.settings = &s, .model = mj_loadXML(s.model, NULL, message, sizeof message)};
  if (!set.model) fail(s.model, message);
  set.data = mj_makeData(set.model);
  if (!set.data) fail("out of memory", "");
  if (pose(&set, &log, 0) == 0) fail(s.log, "has no column of a joint of the model: q.JOINT");
  open_egl();
  open_studio(&set);
  aim(&set, &log);
  write_stills(&set, &log);
  if (s.video) write_video(&set, &log);
  log_rows_free(&log);
  return 0;
}
