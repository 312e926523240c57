/* single.h: the names of the float build, one line per function. Included by real.h. */
#ifndef ACHD_SINGLE_H
#define ACHD_SINGLE_H

/* abag.h */
#define achd_abag_valid achdf_abag_valid
#define achd_abag_reset achdf_abag_reset
#define achd_abag_step achdf_abag_step

#endif
