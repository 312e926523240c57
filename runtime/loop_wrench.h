/* loop_wrench.h: the measured wrench in the loop: conditioned, and whether it can be. Inside the library. */
#ifndef ACHD_LOOP_WRENCH_H
#define ACHD_LOOP_WRENCH_H

#include <achd/loop.h>

/* Takes a fresh, finite reading of the wrench: loop->measured.wrench without tare and load, loop->tool.wrench
 * low-passed, loop->wrench.fed. False: no motor could bear it; the tool's wrench then stays as it was. */
bool achd_loop_take_wrench(achd_loop *loop, const achd_wrench *reading);

/* What of the accelerations qdd, which the model predicts for the torques that are commanded now, the measured
 * wrench does. */
void achd_loop_predict_wrench(achd_loop *loop, const achd_real *qdd);

/* Whether the joints move as the measured wrench says, as far as their readings of this cycle tell. */
bool achd_loop_wrench_shows(achd_loop *loop, achd_real period);

/* Whether the joints bear more than gravity and the measured wrench, as those of an arm do that is held up by
 * something else than its tool: low-passed, of joints that rest or hardly move. False without a wrench. */
bool achd_loop_bears_elsewhere(achd_loop *loop, achd_real period);

#endif
