/* SPDX-License-Identifier: MIT */
/* pid.c: see achd/pid.h */
#include <achd/pid.h>

void achd_pid_reset(achd_pid *pid) {
  pid->sum = pid->error = pid->derivative = 0;
  pid->running = false;
}

achd_real achd_pid_step(achd_pid *pid, const achd_pid_parameters *p, achd_real e,
                        achd_real period) {
  /* the low-pass, backward Euler: d += (slope - d) T / (T + filter) */
  const achd_real slope = pid->running ? (e - pid->error) / period : 0;
  const achd_real derivative =
      pid->derivative + (slope - pid->derivative) * (period / (period + p->filter));
  const achd_real more = p->integral * e * period;
  const achd_real quick = p->proportional * e + p->derivative * derivative;
  const achd_real wanted = quick + pid->sum + more;
  /* not finite where e, or the derivative, is not, or where a term overflows */
  if (!(period > 0) || !achd_finite(period) || !achd_finite(wanted))
    return achd_clamp(pid->sum, p->lower, p->upper);

  pid->derivative = derivative;
  pid->error = e;
  pid->running = true;
  const bool windup = (wanted > p->upper && more > 0) || (wanted < p->lower && more < 0);
  if (!windup) pid->sum += more;
  return achd_clamp(quick + pid->sum, p->lower, p->upper);
}

achd_real achd_cascade(const achd_cascade_parameters *p, achd_real e, achd_real velocity,
                       achd_real feed_forward) {
  if (!achd_finite(e) || !achd_finite(velocity) || !achd_finite(feed_forward))
    return achd_clamp(0, p->lower, p->upper);
  const achd_real v =
      achd_clamp(p->position_gain * e + feed_forward, -p->largest_speed, p->largest_speed);
  return achd_clamp(p->velocity_gain * (v - velocity), p->lower, p->upper);
}
