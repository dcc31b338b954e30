import type { ClientConfig } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import { joinAbort } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import type { ReplicaFigures } from '../../metrics/figures.ts'
import { databaseFault, isConnectionLoss } from '../postgres/faults.ts'
import { createReader, type Reader, type ReaderOptions } from '../postgres/reader.ts'
import { checkServer, type Sight } from './check.ts'
import { type ChainPosition, comparePositions, type Floor } from './floor.ts'
import type { Primary } from './watch-primary.ts'

/**
 * `starting`: the replica or its primary was not checked yet. `in use`: the replica can be read. `behind`: its lag is over the limit. `away`: it does not
 * answer. `not a replica`: it is another database, or was promoted. `empty`: it has no index.
 */
type ReplicaState = 'starting' | 'in use' | 'behind' | 'away' | 'not a replica' | 'empty'

export interface StandbyOptions extends Pick<ReaderOptions, 'connections' | 'slow'> {
  /** Host and port, for logs and the status page. */
  readonly name: string
  readonly config: ClientConfig
  readonly primary: Primary
  readonly floor: Floor
  readonly log: Log
  /** Maximum lag in milliseconds, MAX_LAG by default. */
  readonly maxLag?: number | undefined
  readonly changed: () => void
}

export type Work<T> = (reader: Pick<Reader, 'rows' | 'snapshot'>, signal: AbortSignal) => Promise<T>

const MAX_LAG = 5_000
/** Milliseconds between two checks. They are frequent, because a standby cannot notify changes of its head. */
const EVERY = 50

/** Aborts the reads on a replica that does not answer. Another replica runs them again. */
const GONE = new TonError('UNAVAILABLE', 'the connection to the database was lost', {
  cause: new Error('Connection terminated'),
  retryAfter: 1,
})

const behindText = (lag: number): string =>
  Number.isFinite(lag)
    ? `it is ${Math.round(lag / 1000)} s behind its primary`
    : 'it lacks what its primary had published before this service saw it first'

const differs = (a: ChainPosition | undefined, b: ChainPosition | undefined): boolean =>
  a === undefined || b === undefined ? a !== b : comparePositions(a, b) !== 0

/** A state, and why the replica is not in use. */
type Judgement = readonly [state: ReplicaState, trouble: string | null]

const judge = (sight: Sight | undefined, failure: unknown, primary: Primary, maxLag: number): Judgement => {
  if (failure !== undefined) return ['away', databaseFault(failure) ?? 'it does not answer']
  if (sight === undefined) return ['starting', 'it has not answered yet']
  if (!primary.isTried()) return ['starting', 'its primary has not answered yet']
  const of = primary.sight()
  if (of !== undefined && of.identity !== sight.identity) return ['not a replica', 'it is not a replica of the database of DATABASE_URL']
  // The primary itself may be in the list. Any other server that is not a standby has a database of its own.
  if (!sight.isStandby && of !== undefined && of.started !== sight.started) return ['not a replica', 'it is no standby any more']
  if (sight.head === undefined) return ['empty', 'it has no index yet']
  const lag = primary.lagOf(sight.head) ?? 0
  return lag > maxLag ? ['behind', behindText(lag)] : ['in use', null]
}

/** Returns whether a read failed because its server was lost. */
export const isLost = (error: unknown): error is TonError =>
  error instanceof TonError && error.kind === 'UNAVAILABLE' && isConnectionLoss(error.cause)

export type Standby = ReturnType<typeof openStandby>

/** Opens a replica: its connections, and its checks, which decide whether it is in use. */
export const openStandby = ({ name, config, primary, floor, log, maxLag = MAX_LAG, changed, ...reading }: StandbyOptions) => {
  const reader = createReader(config, reading)
  const running = new Set<ReturnType<typeof joinAbort>>()
  let sight: Sight | undefined
  let failure: unknown
  let logged: ReplicaState = 'starting'

  const judgement = (): Judgement => judge(sight, failure, primary, maxLag)

  /** Logs a change of the state, and reports a changed state or head. */
  const review = (isNews = false): void => {
    const [now, trouble] = judgement()
    const before = logged
    logged = now
    if (now !== before) {
      if (now === 'in use') log.info('replica.used', { replica: name })
      else if (before === 'in use' || before === 'starting') log.warn('replica.left_out', { replica: name, reason: trouble })
    }
    if (isNews || now !== before) changed()
  }
  /** Until a check succeeds, the replica is not read. */
  const fail = (error: unknown): void => {
    failure = error
    for (const each of running) each.abort(GONE)
    review()
  }
  const stopChecks = checkServer({
    config: () => config,
    every: EVERY,
    saw(seen) {
      const isNews = differs(sight?.head, seen.head)
      sight = seen
      failure = undefined
      review(isNews)
    },
    lost: fail,
  })

  /** The head, while the replica is in use. */
  const head = (): ChainPosition | undefined => (judgement()[0] === 'in use' ? sight?.head : undefined)
  return {
    config,
    head,
    review,
    load: () => reader.load?.(),
    running: (): number => running.size,
    /** Returns whether the replica is in use, and has reached the head of earlier answers. */
    isUsable(): boolean {
      const [own, least] = [head(), floor.at()]
      return own !== undefined && (least === undefined || comparePositions(own, least) >= 0)
    },
    async read<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
      using leaving = joinAbort(signal)
      running.add(leaving)
      try {
        const answer = await work(reader, leaving.signal)
        const reached = floor.at()
        // The answer may show a newer head than the last check.
        if (reached && sight?.head && comparePositions(reached, sight.head) > 0) sight = { ...sight, head: reached }
        return answer
      } catch (error) {
        if (isLost(error)) fail(error.cause)
        throw error
      } finally {
        running.delete(leaving)
      }
    },
    figures(): ReplicaFigures {
      const lag = sight?.head && primary.lagOf(sight.head)
      const [state, trouble] = judgement()
      return {
        server: name,
        state,
        seqno: sight?.head?.seqno ?? null,
        lag_ms: lag === undefined || !Number.isFinite(lag) ? null : Math.round(lag),
        trouble,
      }
    },
    async close(): Promise<void> {
      await stopChecks()
      await reader.close()
    },
  }
}
