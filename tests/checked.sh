#!/bin/bash
# Runs a check, and says how long it took.  LOG has what the check said, and is there only if the check passed;
# LOG.failed otherwise.
#   tests/checked.sh LOG COMMAND...
set -u
log=$1
shift
name=${log#*/checked*/}
name=${name%.log}
mkdir -p "$(dirname "$log")"
rm -f "$log" "$log.failed"
status=0
begun=${EPOCHREALTIME/./}
{
    echo "\$ $*"
    "$@"
} >"$log.running" 2>&1 </dev/null || status=$?
took_ms=$(((${EPOCHREALTIME/./} - begun) / 1000))
printf '# took %d ms, status %d\n' "$took_ms" "$status" >>"$log.running"
if [ "$status" -eq 0 ]; then
    mv "$log.running" "$log"
    printf '  TEST  %-32s %5d.%d s\n' "$name" $((took_ms / 1000)) $((took_ms % 1000 / 100))
else
    mv "$log.running" "$log.failed"
    printf '  FAIL  %-32s %5d.%d s, see %s\n' "$name" $((took_ms / 1000)) $((took_ms % 1000 / 100)) "$log.failed"
fi
exit "$status"
