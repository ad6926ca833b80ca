#!/usr/bin/env bash
# The step of action.yml. Everything it is told comes from the environment.
set -uo pipefail

args=(check --format "$ADR_FORMAT" --write "sarif=$ADR_SARIF")
base=$ADR_BASE
if [ "$base" = auto ]; then base=${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}; fi
if [ -n "$base" ] && [ "$base" != none ]; then args+=(--base "$base"); fi
if [ "$ADR_COMMANDS" = false ]; then args+=(--no-commands); fi
if [ -n "$ADR_POST_URL" ]; then args+=(--post "$ADR_POST_URL"); fi

if [ -n "$ADR_VERSION" ]; then
  tool=(npx --yes "pilothouse-adr@$ADR_VERSION")
else
  tool=(node "$ADR_ACTION/../bootstrap/pilothouse.mjs" adr)
fi

# An excerpt of the checked tree could begin like a command of the runner. Annotations are escaped;
# any other format is printed while no command is taken.
token="adr-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
if [ "$ADR_FORMAT" != github ]; then echo "::stop-commands::$token"; fi
"${tool[@]}" "${args[@]}"
code=$?
if [ "$ADR_FORMAT" != github ]; then echo "::$token::"; fi

{
  echo "sarif=$ADR_SARIF"
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
exit "$code"
