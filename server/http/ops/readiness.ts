/** `starting`: the port is open, and nothing else is. */
export type Phase = 'starting' | 'ready' | 'stopping'

/** Phase of the service. A call that comes before its network is open waits for it (network/supervisor.ts). */
export interface Readiness {
  phase(): Phase
  open(): void
  stop(): void
}

export const createReadiness = (): Readiness => {
  let phase: Phase = 'starting'
  return {
    phase: () => phase,
    open() {
      if (phase === 'starting') phase = 'ready'
    },
    stop() {
      phase = 'stopping'
    },
  }
}
