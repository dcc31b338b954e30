import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import { LIMITS } from '../limits.ts'

export type Phase = 'starting' | 'ready' | 'stopping'

/** Phase of the service. Requests that arrive before the chain is ready wait for it instead of being refused. */
export interface Readiness {
  phase(): Phase
  /** Resolves when the service has started; rejects with UNAVAILABLE if that takes too long or the service stops before. */
  started(): Promise<void>
  open(): void
  stop(): void
}

export const createReadiness = (): Readiness => {
  let phase: Phase = 'starting'
  let release: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    phase: () => phase,
    async started() {
      if (phase !== 'starting') return
      const late = new AbortController()
      await Promise.race([opened, sleep(LIMITS.startWait, undefined, late)])
      late.abort()
      if ((phase as Phase) !== 'ready')
        throw new TonError('UNAVAILABLE', (phase as Phase) === 'stopping' ? 'shutting down' : 'starting', { retryAfter: 1 })
    },
    open() {
      if (phase === 'starting') phase = 'ready'
      release()
    },
    stop() {
      phase = 'stopping'
      release()
    },
  }
}
