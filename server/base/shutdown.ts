import type { Log } from './log.ts'

/**
 * PATIENCE: milliseconds for running calls. DEADLINE: milliseconds for the whole shutdown. An embedded database that needs longer stops by itself after the
 * process has ended.
 */
export const PATIENCE = 3_000
const DEADLINE = 4_500
/** A second signal within this many milliseconds is ignored, because on Ctrl-C both the terminal and `npm start` send SIGINT. */
const ECHO = 500

export interface ShutdownDeps {
  readonly log: Log
  readonly close: () => Promise<void>
  readonly exit: (code: number) => void
  readonly deadline?: number
}

/** Closes everything and ends the process. Ends it without waiting when the deadline has passed. `signal`: name of the signal, for the log. */
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

/** Ends the process on SIGTERM and SIGINT. The first signal starts a graceful shutdown, a second one ends the process at once. */
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

/** Logs what nobody handles, and the warnings of node and of dependencies. Ends the process if its state is unknown. */
export const onFaults = ({ log, exit }: Pick<ShutdownDeps, 'log' | 'exit'>): void => {
  // State may be partly changed after an uncaught exception, so the process ends.
  process.on('uncaughtException', (err) => {
    log.error('process.fault', { err })
    exit(1)
  })
  // An unhandled rejection leaves no partly changed state, so the service continues.
  process.on('unhandledRejection', (err) => log.error('process.rejection', { err }))
  // Node's own listener prints warnings as text, which a reader of JSON cannot parse.
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error & { readonly code?: string }) =>
    log.warn('process.warning', { name: warning.name, code: warning.code, text: warning.message }),
  )
}
