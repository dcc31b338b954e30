import { TonError } from '../../../shared/errors.ts'

export type Phase = 'starting' | 'ready' | 'stopping'

/** Phase of the service. Requests that arrive before the chain is ready wait for it instead of being refused. */
export interface Readiness {
  phase(): Phase
  /** Resolves when the chain is ready; rejects with UNAVAILABLE if that takes longer or the service stops. */
  wait(milliseconds: number): Promise<void>
  open(): void
  stop(): void
}

export const createReadiness = (): Readiness => {
  let phase: Phase = 'starting'
  let release: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  const unavailable = (): TonError => new TonError('UNAVAILABLE', phase === 'stopping' ? 'shutting down' : 'starting', { retryAfter: 1 })
  return {
    phase: () => phase,
    async wait(milliseconds) {
      if (phase === 'ready') return
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds)
      })
      await Promise.race([opened, late])
      clearTimeout(timer)
      if ((phase as Phase) !== 'ready') throw unavailable()
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
