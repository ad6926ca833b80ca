#!/bin/sh
# Starts workerd so that it never outlives its host: a host that is killed cannot end it, and an
# orphan would keep the port and the data. On Linux the kernel ends it; elsewhere the next start
# does, by the process id left here and the variable that says whose it is.
#
# Ctrl-C reaches the whole foreground group and is ignored here, because the host stops the
# runner first and workerd last. Nothing of the person's environment is passed on: workerd needs
# none of it, and keys are in it.
trap '' INT HUP
echo $$ >"$PILOTHOUSE_WORKERD_PID_FILE"
set -- env -i PATH="$PATH" TZ=UTC TMPDIR="${TMPDIR:-/tmp}" \
  PILOTHOUSE_WORKERD_PID_FILE="$PILOTHOUSE_WORKERD_PID_FILE" "$PILOTHOUSE_WORKERD" "$@"
if setpriv --pdeathsig KILL true 2>/dev/null; then
  exec setpriv --pdeathsig KILL "$@"
fi
exec "$@"
