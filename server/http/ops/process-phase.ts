/** In `starting` the port is open, but no network serves yet. */
export type Phase = 'starting' | 'ready' | 'stopping'

/** Phase of the service. A call that arrives before its network is open waits for it (network/supervisor.ts). */
export class Readiness {
  phase: Phase = 'starting'
  open(): void {
    if (this.phase === 'starting') this.phase = 'ready'
  }
  stop(): void {
    this.phase = 'stopping'
  }
}
