/* SPDX-License-Identifier: MIT */
/* machine_test.c: the two buffers and the first match; and the machines of robots/machines/, every
 * event in every state, against what the literature says of them (Vukcevic 2020). */
#include <achd/machine.h>

#include "path_machine.h"
#include "pregrasp_machine.h"
#include "random.h"
#include "surface_machine.h"
#include "surface_path_machine.h"
#include "test.h"

/* A machine whose second reaction raises an event for the third. */
enum { A, B, C };
enum { GO, STAY, PING, PONG };
static const char *const small_states[] = {"a", "b", "c"};
static const char *const small_events[] = {"go", "stay", "ping", "pong"};
static const achd_transition small_transitions[] = {
    {"stay", 1u << A, A}, {"go", 1u << A | 1u << C, B}, {"on", 1u << B, C}};
static const achd_reaction small_reactions[] = {
    {STAY, 0, 0}, {GO, 1, 1u << PING}, {PING, 2, 1u << PONG | 1u << GO}};
static const achd_machine small = {
    "small", 3, 4, 3, 3, A, small_states, small_events, small_transitions, small_reactions};

static void machine_starts_in_its_initial_state(void) {
  achd_machine_run run = {.state = C, .raised = 7};
  achd_machine_start(&run, &small);
  CHECK(run.machine == &small && run.state == A && run.raised == 0 && run.pending == 0);
  CHECK(achd_machine_step(&run) == -1);
  CHECK(run.state == A);
}

static void events_take_effect_in_the_next_step(void) {
  achd_machine_run run;
  achd_machine_start(&run, &small);
  CHECK(achd_machine_raise(&run, GO));
  CHECK(run.state == A && !achd_machine_pending(&run, GO));
  CHECK(achd_machine_step(&run) == 1);
  CHECK(run.state == B && achd_machine_pending(&run, GO));
}

static void what_a_reaction_raises_waits_for_the_step_after(void) {
  achd_machine_run run;
  achd_machine_start(&run, &small);
  achd_machine_raise(&run, GO);
  achd_machine_step(&run);
  CHECK(run.state == B && !achd_machine_pending(&run, PING));
  CHECK(achd_machine_step(&run) == 2);
  CHECK(run.state == C && achd_machine_pending(&run, PING) && !achd_machine_pending(&run, GO));
  CHECK(achd_machine_step(&run) == 1); /* both of its events are there, one reaction acts */
  CHECK(run.state == B && achd_machine_pending(&run, PONG) && achd_machine_pending(&run, GO));
}

static void first_match_wins_in_any_order_of_raising(void) {
  for (int order = 0; order < 2; order++) {
    achd_machine_run run;
    achd_machine_start(&run, &small);
    achd_machine_raise(&run, order ? GO : STAY);
    achd_machine_raise(&run, order ? STAY : GO);
    CHECK(achd_machine_step(&run) == 0);
    CHECK(run.state == A);
  }
}

/* An event that no reaction takes is gone after its step. */
static void events_are_not_kept(void) {
  achd_machine_run run;
  achd_machine_start(&run, &small);
  achd_machine_raise(&run, PING);
  CHECK(achd_machine_step(&run) == -1 && achd_machine_pending(&run, PING));
  CHECK(achd_machine_step(&run) == -1 && !achd_machine_pending(&run, PING));
  achd_machine_raise(&run, GO);
  achd_machine_step(&run);
  CHECK(run.state == B);
}

static void unknown_events_are_refused(void) {
  achd_machine_run run;
  achd_machine_start(&run, &small);
  CHECK(!achd_machine_raise(&run, -1) && !achd_machine_raise(&run, 4) &&
        !achd_machine_raise(&run, 1000));
  CHECK(run.raised == 0);
  CHECK(!achd_machine_pending(&run, -1) && !achd_machine_pending(&run, 64));
}

/* The small machine, where GO latches and PONG releases; STAY in C is an event like others. */
static const achd_transition latch_transitions[] = {
    {"go", 7, B}, {"on", 1u << B, C}, {"back", 7, A}, {"stay", 1u << B, B}};
static const achd_reaction latch_reactions[] = {
    {STAY, 3, 0}, {GO, 0, 0}, {PING, 1, 0}, {PONG, 1, 0}};
static const achd_machine latching = {.name = "latching",
                                      .nstates = 3,
                                      .nevents = 4,
                                      .ntransitions = 4,
                                      .nreactions = 4,
                                      .initial = A,
                                      .states = small_states,
                                      .events = small_events,
                                      .transitions = latch_transitions,
                                      .reactions = latch_reactions,
                                      .latches = 1u << GO,
                                      .releases = 1u << PONG};

static int step_with(achd_machine_run *run, int event) {
  achd_machine_raise(run, event);
  return achd_machine_step(run);
}

static void what_latches_keeps_the_machine_until_it_is_released(void) {
  achd_machine_run run;
  achd_machine_start(&run, &latching);
  CHECK(!achd_machine_latched(&run));
  CHECK(step_with(&run, GO) == 1 && run.state == B && achd_machine_latched(&run));
  for (int k = 0; k < 5; k++) CHECK(step_with(&run, PING) == -1 && run.state == B);
  CHECK(step_with(&run, GO) == 1 && run.state == B && achd_machine_latched(&run));
  CHECK(step_with(&run, PONG) == 3 && run.state == C && !achd_machine_latched(&run));
}

static void what_latches_too_may_lead_elsewhere(void) {
  achd_machine_run run;
  achd_machine_start(&run, &latching);
  step_with(&run, GO);
  run.state = C;
  CHECK(step_with(&run, PING) == -1 && run.state == C);
  CHECK(step_with(&run, GO) == 1 && run.state == B && achd_machine_latched(&run));
}

/* What leads nowhere has its place in the order, and does not release. */
static void latched_machine_takes_what_keeps_it_where_it_is(void) {
  achd_machine_run run;
  achd_machine_start(&run, &latching);
  step_with(&run, GO);
  achd_machine_raise(&run, PONG);
  CHECK(step_with(&run, STAY) == 0 && run.state == B && achd_machine_latched(&run));
}

static void what_latches_wins_over_what_releases(void) {
  achd_machine_run run;
  achd_machine_start(&run, &latching);
  step_with(&run, GO);
  achd_machine_raise(&run, PONG);
  CHECK(step_with(&run, GO) == 1 && achd_machine_latched(&run));
  CHECK(step_with(&run, PING) == -1 && run.state == B); /* the release is gone */
}

/* ---- the machines that ship ---- */

typedef struct arrow {
  int from, event, to;
} arrow;

/* One event in one state: where an arrow says, and where none is, no move. */
static void check_every_event(const achd_machine *machine, const arrow *arrows, int narrows) {
  for (int state = 0; state < machine->nstates; state++)
    for (int event = 0; event < machine->nevents; event++) {
      int wanted = state;
      for (int k = 0; k < narrows; k++)
        if (arrows[k].from == state && arrows[k].event == event) wanted = arrows[k].to;
      achd_machine_run run;
      achd_machine_start(&run, machine);
      run.state = state;
      achd_machine_raise(&run, event);
      achd_machine_step(&run);
      char what[160];
      snprintf(what, sizeof what, "%s: %s in %s leads to %s, wanted %s", machine->name,
               machine->events[event], machine->states[state], machine->states[run.state],
               machine->states[wanted]);
      test_report(__FILE__, __LINE__, run.state == wanted, what);
    }
}

/* Any events together with one that holds everywhere: the machine stops. */
static void check_storms(const achd_machine *machine, int limit, int timeout, int stop) {
  unsigned long long random = 1;
  for (int k = 0; k < 10000; k++) {
    achd_machine_run run;
    achd_machine_start(&run, machine);
    run.state = k % machine->nstates;
    for (int event = 0; event < machine->nevents; event++)
      if (random_number(&random) < 0.5) achd_machine_raise(&run, event);
    achd_machine_raise(&run, k % 2 ? limit : timeout);
    achd_machine_step(&run);
    CHECK(run.state == stop);
  }
}

static void check_walk(const achd_machine *machine, const arrow *walk, int length) {
  achd_machine_run run;
  achd_machine_start(&run, machine);
  for (int k = 0; k < length; k++) {
    CHECK(run.state == walk[k].from);
    achd_machine_raise(&run, walk[k].event);
    CHECK(achd_machine_step(&run) >= 0);
    CHECK(run.state == walk[k].to);
  }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static void pregrasp_is_as_described(void) {
  enum {
    STOP = PREGRASP_STOP_MOTION,
    START = PREGRASP_START_TO_CRUISE,
    CRUISE = PREGRASP_CRUISE_THROUGH_TUBE
  };
  static const arrow arrows[] = {
      {STOP, PREGRASP_E_INITIALIZED, START},   {STOP, PREGRASP_E_OUT_OF_GOAL_AREA, START},
      {START, PREGRASP_E_WITHIN_TUBE, CRUISE}, {CRUISE, PREGRASP_E_OUT_OF_TUBE, START},
      {START, PREGRASP_E_GOAL_AREA, STOP},     {CRUISE, PREGRASP_E_GOAL_AREA, STOP},
      {START, PREGRASP_E_TIMEOUT, STOP},       {CRUISE, PREGRASP_E_TIMEOUT, STOP},
      {START, PREGRASP_E_CONTACT, STOP},       {CRUISE, PREGRASP_E_CONTACT, STOP},
      {START, PREGRASP_E_JOINT_LIMIT, STOP},   {CRUISE, PREGRASP_E_JOINT_LIMIT, STOP}};
  static const arrow walk[] = {
      {STOP, PREGRASP_E_INITIALIZED, START},   {START, PREGRASP_E_WITHIN_TUBE, CRUISE},
      {CRUISE, PREGRASP_E_OUT_OF_TUBE, START}, {START, PREGRASP_E_WITHIN_TUBE, CRUISE},
      {CRUISE, PREGRASP_E_GOAL_AREA, STOP},    {STOP, PREGRASP_E_OUT_OF_GOAL_AREA, START}};
  check_every_event(&pregrasp_machine, arrows, COUNT(arrows));
  check_storms(&pregrasp_machine, PREGRASP_E_JOINT_LIMIT, PREGRASP_E_TIMEOUT, STOP);
  check_walk(&pregrasp_machine, walk, COUNT(walk));
}

static void path_is_as_described(void) {
  enum {
    STOP = PATH_STOP_MOTION,
    START = PATH_START_TO_CRUISE,
    FOLLOW = PATH_FOLLOW_PATH,
    CHANGE = PATH_TRANSITION_PATH_SECTION
  };
  static const arrow arrows[] = {{STOP, PATH_E_INITIALIZED, START},
                                 {STOP, PATH_E_OUT_OF_GOAL_AREA, START},
                                 {START, PATH_E_WITHIN_TUBE, FOLLOW},
                                 {FOLLOW, PATH_E_OUT_OF_TUBE, START},
                                 {START, PATH_E_SECTION_COVERED, CHANGE},
                                 {FOLLOW, PATH_E_SECTION_COVERED, CHANGE},
                                 {CHANGE, PATH_E_SECTION_CHANGED, FOLLOW},
                                 {START, PATH_E_FINAL_GOAL_AREA, STOP},
                                 {FOLLOW, PATH_E_FINAL_GOAL_AREA, STOP},
                                 {CHANGE, PATH_E_FINAL_GOAL_AREA, STOP},
                                 {START, PATH_E_TIMEOUT, STOP},
                                 {FOLLOW, PATH_E_TIMEOUT, STOP},
                                 {CHANGE, PATH_E_TIMEOUT, STOP},
                                 {START, PATH_E_CONTACT, STOP},
                                 {FOLLOW, PATH_E_CONTACT, STOP},
                                 {CHANGE, PATH_E_CONTACT, STOP},
                                 {START, PATH_E_JOINT_LIMIT, STOP},
                                 {FOLLOW, PATH_E_JOINT_LIMIT, STOP},
                                 {CHANGE, PATH_E_JOINT_LIMIT, STOP}};
  check_every_event(&path_machine, arrows, COUNT(arrows));
  check_storms(&path_machine, PATH_E_JOINT_LIMIT, PATH_E_TIMEOUT, STOP);

  /* The change of sections needs one event only: the reaction raises the other. */
  achd_machine_run run;
  achd_machine_start(&run, &path_machine);
  run.state = FOLLOW;
  achd_machine_raise(&run, PATH_E_SECTION_COVERED);
  achd_machine_step(&run);
  CHECK(run.state == CHANGE);
  achd_machine_step(&run);
  CHECK(run.state == FOLLOW);
}

static void surface_is_as_described(void) {
  enum {
    STOP = SURFACE_STOP_MOTION,
    APPROACH = SURFACE_APPROACH_SURFACE,
    ALIGN = SURFACE_ALIGN_WITH_SURFACE,
    START = SURFACE_START_TO_CRUISE,
    CRUISE = SURFACE_CRUISE_THROUGH_TUBE
  };
  static const arrow arrows[] = {
      {STOP, SURFACE_E_INITIALIZED, APPROACH}, {STOP, SURFACE_E_OUT_OF_GOAL_AREA, APPROACH},
      {APPROACH, SURFACE_E_CONTACT_Z, ALIGN},  {ALIGN, SURFACE_E_ALIGN_DONE, START},
      {ALIGN, SURFACE_E_ALIGN_ERROR, STOP},    {ALIGN, SURFACE_E_NO_CONTACT, APPROACH},
      {START, SURFACE_E_NO_CONTACT, APPROACH}, {CRUISE, SURFACE_E_NO_CONTACT, APPROACH},
      {START, SURFACE_E_CONTACT_X_Y, STOP},    {CRUISE, SURFACE_E_CONTACT_X_Y, STOP},
      {START, SURFACE_E_WITHIN_TUBE, CRUISE},  {CRUISE, SURFACE_E_OUT_OF_TUBE, START},
      {START, SURFACE_E_GOAL_AREA, STOP},      {CRUISE, SURFACE_E_GOAL_AREA, STOP},
      {APPROACH, SURFACE_E_TIMEOUT, STOP},     {APPROACH, SURFACE_E_JOINT_LIMIT, STOP},
      {ALIGN, SURFACE_E_TIMEOUT, STOP},        {ALIGN, SURFACE_E_JOINT_LIMIT, STOP},
      {START, SURFACE_E_TIMEOUT, STOP},        {START, SURFACE_E_JOINT_LIMIT, STOP},
      {CRUISE, SURFACE_E_TIMEOUT, STOP},       {CRUISE, SURFACE_E_JOINT_LIMIT, STOP}};
  static const arrow walk[] = {
      {STOP, SURFACE_E_INITIALIZED, APPROACH},  {APPROACH, SURFACE_E_CONTACT_Z, ALIGN},
      {ALIGN, SURFACE_E_ALIGN_DONE, START},     {START, SURFACE_E_WITHIN_TUBE, CRUISE},
      {CRUISE, SURFACE_E_NO_CONTACT, APPROACH}, {APPROACH, SURFACE_E_CONTACT_Z, ALIGN},
      {ALIGN, SURFACE_E_ALIGN_ERROR, STOP}};
  check_every_event(&surface_machine, arrows, COUNT(arrows));
  check_storms(&surface_machine, SURFACE_E_JOINT_LIMIT, SURFACE_E_TIMEOUT, STOP);
  check_walk(&surface_machine, walk, COUNT(walk));
}

/* The surface's machine with sections: what holds there stands first, word by word. */
static void surface_path_is_the_surface_with_sections(void) {
  const achd_machine *flat = &surface_machine, *path = &surface_path_machine;
  enum {
    START = SURFACE_PATH_START_TO_CRUISE,
    CRUISE = SURFACE_PATH_CRUISE_THROUGH_TUBE,
    CHANGE = SURFACE_PATH_TRANSITION_PATH_SECTION
  };
  CHECK(path->nstates == flat->nstates + 1 && path->nevents == flat->nevents + 2);
  for (int k = 0; k < flat->nstates; k++) CHECK_TEXT(path->states[k], flat->states[k]);
  for (int k = 0; k < flat->nevents; k++) CHECK_TEXT(path->events[k], flat->events[k]);
  for (int k = 0; k < flat->ntransitions; k++) {
    const achd_transition *a = &flat->transitions[k], *b = &path->transitions[k];
    CHECK_TEXT(b->name, a->name);
    CHECK(b->to == a->to && (b->from & ((1u << CHANGE) - 1)) == a->from);
  }
  for (int k = 0; k < flat->nreactions; k++)
    CHECK(memcmp(&path->reactions[k], &flat->reactions[k], sizeof *path->reactions) == 0);
  CHECK(path->latches == flat->latches && path->releases == flat->releases);
  check_storms(path, SURFACE_PATH_E_JOINT_LIMIT, SURFACE_PATH_E_TIMEOUT, SURFACE_PATH_STOP_MOTION);

  /* The change of sections needs one event only, from both states that have sections. */
  for (int from = 0; from < path->nstates; from++) {
    achd_machine_run run;
    achd_machine_start(&run, path);
    run.state = from;
    step_with(&run, SURFACE_PATH_E_SECTION_COVERED);
    const bool changes = from == START || from == CRUISE || from == CHANGE;
    CHECK((run.state == CHANGE) == changes);
    achd_machine_step(&run);
    CHECK((run.state == CRUISE) == (from == START || from == CRUISE));
  }
}

/* After each of these the tool that leaves the goal area starts nothing, nor does any other event
 * but the program's. */
static void check_latched(const achd_machine *machine, const int *latch, int nlatch, int go,
                          int from, int stop, int start) {
  for (int k = 0; k < nlatch; k++) {
    achd_machine_run run;
    achd_machine_start(&run, machine);
    run.state = from;
    step_with(&run, latch[k]);
    CHECK(run.state == stop);
    for (int round = 0; round < 3; round++)
      for (int event = 0; event < machine->nevents; event++) {
        if (event == go) continue;
        step_with(&run, event);
        CHECK(run.state == stop);
      }
    step_with(&run, go);
    CHECK(run.state == start);
    step_with(&run, latch[k]);
    CHECK(run.state == stop || machine == &surface_machine);
  }
}

static void contact_limit_and_timeout_latch(void) {
  static const int pregrasp[] = {PREGRASP_E_CONTACT, PREGRASP_E_JOINT_LIMIT, PREGRASP_E_TIMEOUT},
                   path[] = {PATH_E_CONTACT, PATH_E_JOINT_LIMIT, PATH_E_TIMEOUT},
                   surface[] = {SURFACE_E_CONTACT_X_Y, SURFACE_E_JOINT_LIMIT, SURFACE_E_TIMEOUT};
  check_latched(&pregrasp_machine, pregrasp, COUNT(pregrasp), PREGRASP_E_INITIALIZED,
                PREGRASP_CRUISE_THROUGH_TUBE, PREGRASP_STOP_MOTION, PREGRASP_START_TO_CRUISE);
  check_latched(&path_machine, path, COUNT(path), PATH_E_INITIALIZED, PATH_FOLLOW_PATH,
                PATH_STOP_MOTION, PATH_START_TO_CRUISE);
  check_latched(&surface_machine, surface, COUNT(surface), SURFACE_E_INITIALIZED,
                SURFACE_CRUISE_THROUGH_TUBE, SURFACE_STOP_MOTION, SURFACE_APPROACH_SURFACE);
  static const int align[] = {SURFACE_E_ALIGN_ERROR};
  check_latched(&surface_machine, align, COUNT(align), SURFACE_E_INITIALIZED,
                SURFACE_ALIGN_WITH_SURFACE, SURFACE_STOP_MOTION, SURFACE_APPROACH_SURFACE);
}

/* A field of achd_loop_events that is left out is none of theirs. */
static void event_0_is_none(void) {
  static const achd_machine *const machines[] = {&pregrasp_machine, &path_machine,
                                                 &surface_machine};
  for (int k = 0; k < 3; k++) {
    CHECK_TEXT(machines[k]->events[0], "none");
    for (int i = 0; i < machines[k]->nreactions; i++) CHECK(machines[k]->reactions[i].event > 0);
  }
}

static void names_are_there_for_logging(void) {
  CHECK_TEXT(surface_machine.name, "surface");
  CHECK_TEXT(surface_machine.states[SURFACE_ALIGN_WITH_SURFACE], "align_with_surface");
  CHECK_TEXT(surface_machine.events[SURFACE_E_NO_CONTACT], "e_no_contact");
  CHECK_TEXT(surface_machine.transitions[SURFACE_LOSE].name, "lose");
}

int main(void) {
  RUN(machine_starts_in_its_initial_state);
  RUN(events_take_effect_in_the_next_step);
  RUN(what_a_reaction_raises_waits_for_the_step_after);
  RUN(first_match_wins_in_any_order_of_raising);
  RUN(events_are_not_kept);
  RUN(unknown_events_are_refused);
  RUN(what_latches_keeps_the_machine_until_it_is_released);
  RUN(what_latches_too_may_lead_elsewhere);
  RUN(latched_machine_takes_what_keeps_it_where_it_is);
  RUN(what_latches_wins_over_what_releases);
  RUN(contact_limit_and_timeout_latch);
  RUN(event_0_is_none);
  RUN(pregrasp_is_as_described);
  RUN(path_is_as_described);
  RUN(surface_is_as_described);
  RUN(surface_path_is_the_surface_with_sections);
  RUN(names_are_there_for_logging);
  return test_end();
}
