#!/bin/sh
# Stops a campaign at 200 random moments, or as many as said, by each of the
# signals (KILL, then INT), and sees that nothing is lost or changed: some 10
# minutes for each. Needs a build.
#
# Usage: kills.sh [KILLS [SIGNAL...]]
: "${abs_top_builddir:=$(cd "$(dirname "$0")/../.." && pwd)/build}"
KILLS=${1:-200} LONG=20000 MOMENTS=5
[ $# -eq 0 ] || shift
SIGNALS=${*:-KILL INT}
export abs_top_builddir KILLS LONG MOMENTS SIGNALS
exec sh "$(dirname "$0")/../shell/campaign-kills.sh"
