import type { ErrorFacts } from './machine-errors.ts';

/** The part of the table of errors that is about terminals of a person's own. */
export const TERMINAL_ERRORS = {
  terminal_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits keep this terminal closed. Open it under `[terminal]` in limits.toml on that machine; docs/terminals.md shows how.',
  },
  terminal_unavailable: {
    status: 422,
    retryable: false,
    sentence:
      'The machine cannot reach this kind of terminal. `pilothouse runner doctor` there says what is missing.',
  },
  terminal_gone: {
    status: 410,
    retryable: false,
    sentence:
      'The terminal is no longer there, and nothing was sent. List the terminals and choose one that exists.',
  },
  terminal_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No terminal has exactly this name or id, and nothing was sent. List the terminals and use an id from there.',
  },
  terminal_exists: {
    status: 409,
    retryable: false,
    sentence: 'A session of this name is there already. Use it, or choose another name.',
  },
  terminal_unsent_text: {
    status: 409,
    retryable: true,
    sentence:
      'Somebody has typed text that is not sent yet, so nothing was sent: it would join theirs. Wait until the line is empty, or use a window of its own.',
  },
  terminal_unclear: {
    status: 409,
    retryable: true,
    sentence:
      'It cannot be told whether the line in this terminal is empty, so nothing was sent. Press Enter there once, or use a window of its own.',
  },
  terminal_busy: {
    status: 409,
    retryable: true,
    sentence:
      'Another program than the shell is in front in this terminal, so no command was run. Wait until it ends, or use a window of its own.',
  },
  terminal_in_copy_mode: {
    status: 409,
    retryable: true,
    sentence:
      'The terminal is being scrolled or searched in, so that keys would not reach its program. Leave that mode there (q), then try again.',
  },
  terminal_shared_input: {
    status: 409,
    retryable: false,
    sentence:
      'What is typed here goes to several panes, or to none: tmux says `synchronize-panes` or input off. Switch that off there, then try again.',
  },
  terminal_dialog: {
    status: 409,
    retryable: true,
    sentence:
      'A coding agent is in this terminal and may be asking something, so that Enter could approve it. Wait until it is idle, send text without Enter, or let the person answer there.',
  },
  terminal_asking: {
    status: 409,
    retryable: true,
    sentence:
      'The coding agent in this terminal asks a person for leave, and what is sent now could answer it. Its question stands on the operator’s page; wait until it is answered there or in the terminal.',
  },
  terminal_multiline: {
    status: 422,
    retryable: false,
    sentence:
      'Several lines typed at a shell would run one by one, and a tab would complete. Use run_command, which runs them as one script.',
  },
  terminal_text_refused: {
    status: 422,
    retryable: false,
    sentence:
      'The text has control characters, or begins with a sign that the coding agent there takes for a command of its own (! / # @ &). Leave them out, or send keys by their names.',
  },
  terminal_too_large: {
    status: 413,
    retryable: false,
    sentence:
      'The text is longer than is typed into a terminal at once. Put it in a file, and send its path.',
  },
  terminal_unsupported: {
    status: 422,
    retryable: false,
    sentence: 'This kind of terminal cannot do that here. Its capabilities list what it can.',
  },
  terminal_watch_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits let nobody watch its terminals from here. Remove `watch = false` under `[terminal]` in limits.toml on that machine.',
  },
  terminal_drive_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits let nobody type into its terminals from here. Remove `drive = false` under `[terminal]` in limits.toml on that machine.',
  },
  terminal_driven: {
    status: 409,
    retryable: true,
    sentence:
      'Somebody types into this terminal from another window. Wait until they let go, or take it from them with `force`.',
  },
  terminal_not_driven: {
    status: 409,
    retryable: false,
    sentence: 'Nobody types into this terminal from a window, so there is nothing to let go.',
  },
  terminal_failed: {
    status: 502,
    retryable: true,
    sentence:
      'The terminal program refused or did not answer, so nothing counts as sent. Look at the terminal before sending again.',
  },
} as const satisfies Record<string, ErrorFacts>;
