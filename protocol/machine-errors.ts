/** What is known of an error by its code. */
export type ErrorFacts = {
  /** HTTP status, also for commands that fail on a runner. */
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 500 | 502 | 503 | 504;
  /** The same request may succeed later without any change. */
  retryable: boolean;
  /** What happened, what it means, what to do: shown as it is. */
  sentence: string;
};

/** What a machine refuses by itself: engines, limits, workspaces and checkouts. Part of `ERRORS`. */
export const MACHINE_ERRORS = {
  engine_missing: {
    status: 422,
    retryable: false,
    sentence:
      'This engine is not installed on the machine. `pilothouse runner doctor` says how to install it.',
  },
  engine_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not allow this engine. Add it to `engines` in limits.toml on that machine.',
  },
  engine_unknown: {
    status: 422,
    retryable: false,
    sentence:
      'The machine does not know an engine of this name. `pilothouse runner doctor` lists those it knows.',
  },
  engine_not_approved: {
    status: 422,
    retryable: false,
    sentence:
      'The command line of this engine is not approved on the machine. Read it there and approve it with `pilothouse engines approve`, then launch again.',
  },
  engine_id_taken: {
    status: 409,
    retryable: false,
    sentence:
      'An engine that comes with Pilothouse has this id, and stays as it is. Choose another id, such as my-claude.',
  },
  engine_changed: {
    status: 409,
    retryable: false,
    sentence:
      'Somebody saved another version of this engine meanwhile. Reload, and make your change in that one.',
  },
  too_many_engines: {
    status: 409,
    retryable: false,
    sentence:
      'There are as many engines of your own as are kept. Remove one that nobody uses: `pilothouse engines remove`.',
  },
  engine_preset_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No engine has this id. `pilothouse engines list` shows those that exist.',
  },
  approvals_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not allow this approvals mode. Choose another, or allow it in limits.toml on that machine.',
  },
  silence_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not let an engine be silent for so long. Ask for fewer minutes, or raise no_output_minutes in limits.toml on that machine.',
  },
  answer_time_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not let an approval wait for so long. Ask for fewer hours, or raise answer_hours in limits.toml on that machine.',
  },
  budget_unpriced: {
    status: 422,
    retryable: false,
    sentence:
      'A limit in dollars cannot be kept with this engine and model, so nothing was started. The details say why.',
  },
  grade_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits demand that sessions hold less power. Choose a stricter grade, or lower `minimum_grade` in limits.toml on that machine.',
  },
  grade_unavailable: {
    status: 422,
    retryable: false,
    sentence:
      'The session cannot have this grade on this machine. Do what the details say, or choose another grade at launch.',
  },
  open_not_accepted: {
    status: 422,
    retryable: false,
    sentence:
      'A Pilot works with all of your power only where you say so. Choose the grade `open` at launch (`--grade open`), or give it a checkout of its own.',
  },
  network_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits keep sessions to their model. Ask for a sealed session with the network `model-only`, or change `minimum_network` in limits.toml on that machine.',
  },
  network_unavailable: {
    status: 422,
    retryable: false,
    sentence:
      'The session cannot be kept to its model on this machine. Do what the details say, or choose the network `open` at launch.',
  },
  directory_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The directory is outside those that the machine’s own limits allow. Add it to `directories` in limits.toml there.',
  },
  directory_reserved: {
    status: 422,
    retryable: false,
    sentence:
      'The directory is among the runner’s own files, or its repository is: sessions write there, so no other starts from it. Name the repository itself; to go on with a session’s work, launch with that session as the one to go on from.',
  },
  directory_missing: {
    status: 422,
    retryable: false,
    sentence: 'The directory does not exist on the machine. Check the path.',
  },
  checkout_gone: {
    status: 422,
    retryable: true,
    sentence:
      'The checkout of this session is not where it was, and no engine is started without it. Put it back there and send the instruction again. Or stop the session, remove its checkout (under Machines, or `pilothouse checkouts remove`), and retry it: it then works in a new one.',
  },
  conversation_held: {
    status: 409,
    retryable: true,
    sentence:
      'The engine runs outside Pilothouse and holds this conversation, or may hold it. Two processes on one conversation lose turns: end it there, then use Retry.',
  },
  conversation_elsewhere: {
    status: 422,
    retryable: false,
    sentence:
      'A conversation that was begun by hand goes on in the directory where it was begun. Launch it in place.',
  },
  resume_unsupported: {
    status: 422,
    retryable: false,
    sentence:
      'This engine cannot carry on a conversation by its id. Launch without one, or with an engine that can.',
  },
  directory_busy: {
    status: 409,
    retryable: true,
    sentence:
      'Another session works in this directory. Stop it, or launch with a checkout of its own.',
  },
  not_a_repository: {
    status: 422,
    retryable: false,
    sentence:
      'The directory is not in a git repository, so there is no checkout to make. Launch in place, or run `git init` there.',
  },
  checkout_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'The machine has no checkout of this session: it worked in place, or the checkout is gone already. `pilothouse checkouts list` shows those there are.',
  },
  checkout_in_use: {
    status: 409,
    retryable: false,
    sentence:
      'The session is not over, so its checkout stays. Stop the session first: `pilothouse sessions stop`.',
  },
  checkout_unsaved: {
    status: 409,
    retryable: false,
    sentence:
      'Removing this checkout would lose work, so it stays. Save what you need, or give it up with `pilothouse checkouts remove SESSION --discard`.',
  },
  checkout_working: {
    status: 409,
    retryable: true,
    sentence:
      'The session is at work in its checkout, so its files change as they are read. Look again when the turn has ended.',
  },
  review_stale: {
    status: 409,
    retryable: true,
    sentence: 'The files have changed since they were listed. List them again.',
  },
  nothing_to_land: {
    status: 409,
    retryable: false,
    sentence: 'Nothing differs from where the session began, so there is nothing to land.',
  },
  land_refused: {
    status: 422,
    retryable: false,
    sentence:
      'It did not go all the way. What was committed stays on the session’s branch; the detail says what stood against the rest.',
  },
  checkpoint_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'The session has no such checkpoint, or it was given up for newer ones. List them again.',
  },
  preview_not_allowed: {
    status: 403,
    retryable: false,
    sentence:
      'This machine shows no servers of its sessions: its limits.toml says `preview = false`. Change it there.',
  },
  preview_port_gone: {
    status: 409,
    retryable: true,
    sentence:
      'No process of the session listens on that port, so that nothing is shown. Look at the ports again, or tell the session to start its server.',
  },
  fork_unavailable: {
    status: 409,
    retryable: false,
    sentence:
      'The session cannot be forked there; the details say why. Choose a later turn, or go on from its record alone: Go on elsewhere on its page, or `pilothouse launch --from`.',
  },
  rewind_refused: {
    status: 422,
    retryable: false,
    sentence:
      'The files are not what they were then; the detail says what stood against it. What they were before is a checkpoint: list them again.',
  },
  review_too_large: {
    status: 422,
    retryable: false,
    sentence:
      'The checkout holds too many files that are in no commit. Ignore what was built there in `.gitignore`, then look again.',
  },
  discard_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not let work be given up from elsewhere. Save or delete it on that machine, or set `discard = true` in limits.toml there.',
  },
  base_not_found: {
    status: 422,
    retryable: false,
    sentence:
      'The branch or commit to start from does not exist in the repository. Check its name.',
  },
  workspace_refused: {
    status: 422,
    retryable: false,
    sentence: 'The repository cannot be used as it is; the details say why.',
  },
  disk_full: {
    status: 503,
    retryable: true,
    sentence:
      'The machine has too little free disk space to start an engine safely. Free some space there, then launch again.',
  },
  limits_unreadable: {
    status: 422,
    retryable: false,
    sentence:
      'A file with the machine’s own limits (limits.toml, approved-engines.json) cannot be read, so it is refused there. Correct the place named in the details.',
  },
} as const satisfies Record<string, ErrorFacts>;
