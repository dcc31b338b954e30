import type { Log } from './log.ts'

/** Milliseconds for answers in progress, and for the whole shutdown. An embedded database that needs longer finishes by itself. */
export const PATIENCE = 3_000
const DEADLINE = 4_500
/** A second signal within this many milliseconds counts as the first one: on Ctrl-C both the terminal and `npm start` send SIGINT. */
const ECHO = 500

export interface ShutdownDeps {
  readonly log: Log
  readonly close: () => Promise<void>
  readonly exit: (code: number) => void
  /** Milliseconds for the whole shutdown. */
  readonly deadline?: number
}

/** Closes everything and ends the process; at once if it takes too long. `signal`: its cause, for the log. */
export const shutDown = ({ log, close, exit, deadline = DEADLINE }: ShutdownDeps, signal: string): void => {
  log.info('shutdown.started', { signal })
  setTimeout(() => {
    log.error('shutdown.forced')
    exit(1)
  }, deadline).unref()
  close().then(
    () => {
      log.info('shutdown.finished')
      exit(0)
    },
    (err) => {
      log.error('shutdown.failed', { err })
      exit(1)
    },
  )
}

/** Ends the process on SIGTERM and SIGINT: gracefully; a second signal ends it at once. */
export const onSignals = (deps: ShutdownDeps): void => {
  let since: number | undefined
  const stop = (signal: NodeJS.Signals): void => {
    if (since !== undefined) {
      if (performance.now() - since > ECHO) deps.exit(1)
      return
    }
    since = performance.now()
    shutDown(deps, signal)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Uncaught errors are logged; the process ends only if its state cannot be trusted. */
export const onFaults = ({ log, exit }: Pick<ShutdownDeps, 'log' | 'exit'>): void => {
  // An uncaught exception is a bug, and may leave the state half changed.
  process.on('uncaughtException', (err) => {
    log.error('process.fault', { err })
    exit(1)
  })
  // An unhandled rejection is a bug too, but leaves nothing half done: the service goes on.
  process.on('unhandledRejection', (err) => log.error('process.rejection', { err }))
}
