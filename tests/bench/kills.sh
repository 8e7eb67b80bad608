#!/bin/sh
# Kills a campaign 200 times, or as often as said, at random moments, and sees
# that nothing is lost or changed: some 10 minutes. Needs a build.
#
# Usage: kills.sh [KILLS]
: "${abs_top_builddir:=$(cd "$(dirname "$0")/../.." && pwd)/build}"
KILLS=${1:-200} LONG=20000 MOMENTS=5
export abs_top_builddir KILLS LONG MOMENTS
exec sh "$(dirname "$0")/../shell/campaign.sh"
