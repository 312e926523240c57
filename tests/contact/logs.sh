# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# logs.sh: the published logs of a UR10e (Mamedov, Mikhel 2020) and the vendor's URDF, unpacked in $scratch, where the caller then is; the logs
# that bounds are calibrated on, and what their columns are. Ends with 77 where they are not there. $achdgen, $top: the caller's.
# shellcheck disable=SC2154,SC2034
logs=$top/../shared/measured/ur10e.tar.xz
robots=$top/../shared/corpus.tar.xz
python=/usr/bin/python3
if [ ! -f "$logs" ] || [ ! -f "$robots" ]; then skip_all "no measured logs of a UR10e, or no model of it"; fi
$python -c 'import numpy' 2>/dev/null || skip_all "no Debian Python with NumPy"
cd "$scratch" || exit
tar xJf "$logs"
tar xJf "$robots" dex-urdf/robots__arms__ur10e__ur10e.urdf
mv dex-urdf/robots__arms__ur10e__ur10e.urdf ur10e.urdf
export ACHDGEN="$achdgen" PYTHONPATH="$top/python" PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME="$scratch/cache"
observe() { $python -m achdgen.observe "$@"; }
columns="t q:6 qd:6 current:6 -:12"
gains=14.87,13.26,11.13,10.62,11.03,11.47
runs=identification_data/ur-20_
calibration="${runs}02_12-40sec_12harm.csv ${runs}02_10-30sec_12harm.csv ${runs}02_19_14harm50sec.csv ${runs}02_05-20sec_8harm.csv"
