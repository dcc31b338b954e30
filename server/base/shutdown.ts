import type { Log } from './log.ts'

/** Milliseconds that answers under way are given, and the whole end. An embedded database that takes longer comes to rest without us. */
export const PATIENCE = 3_000
const DEADLINE = 4_500
/** Milliseconds in which a second signal is the first one again: after Ctrl-C the terminal sends SIGINT, and `npm start` passes its own on. */
const ECHO = 500

export interface ShutdownDeps {
  readonly log: Log
  readonly close: () => Promise<void>
  readonly exit: (code: number) => void
}

/** Ends the process on SIGTERM and SIGINT: gracefully once, at once when asked a second time or when it takes too long. */
export const onSignals = (deps: ShutdownDeps): void => {
  let since: number | undefined
  const stop = (signal: NodeJS.Signals): void => {
    if (since !== undefined) {
      if (performance.now() - since > ECHO) deps.exit(1)
      return
    }
    since = performance.now()
    deps.log.info('shutdown.started', { signal })
    setTimeout(() => {
      deps.log.error('shutdown.forced')
      deps.exit(1)
    }, DEADLINE).unref()
    deps.close().then(
      () => {
        deps.log.info('shutdown.finished')
        deps.exit(0)
      },
      (err) => {
        deps.log.error('shutdown.failed', { err })
        deps.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** What nobody caught: logged, and the process ends only where its state is not to be trusted. */
export const onFaults = ({ log, exit }: Pick<ShutdownDeps, 'log' | 'exit'>): void => {
  // A fault that nobody caught is a bug: it is logged, and the state it leaves is not trusted.
  process.on('uncaughtException', (err) => {
    log.error('process.fault', { err })
    exit(1)
  })
  // A promise that nobody waited for is a bug as well, but leaves nothing half done: the service goes on.
  process.on('unhandledRejection', (err) => log.error('process.rejection', { err }))
}
