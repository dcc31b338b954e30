import { VERSION } from '../base/version.ts'
import { createExposition, type Exposition, type Metrics } from '../metrics/exposition.ts'
import { NO_ANSWERS } from '../metrics/figures.ts'
import { idleMeter } from '../metrics/meter.ts'
import type { Member } from './workers.ts'

/** A worker that does not answer within this time is left out of a scrape. */
const PATIENCE_MS = 2_000

/** Collects the metrics of every worker and of the primary, which adds only those of its process (memory, CPU, event loop). */
export const createGather = (): ((members: Iterable<Member>) => Promise<readonly Metrics[]>) => {
  let own: Exposition | undefined
  return async (members) => {
    own ??= createExposition({ meter: idleMeter, networks: () => [], sockets: () => 0, answers: () => NO_ANSWERS, version: VERSION })
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const told = await Promise.allSettled([own.json(), ...[...members].map(({ link }) => link.ask<Metrics>('metrics', undefined, signal))])
    return told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  }
}
