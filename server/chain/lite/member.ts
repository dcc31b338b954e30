import { traced } from '../../base/tracing/tracer.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../liteserver.ts'
import { type LiteClient, type QueryOptions, withQuery } from './client.ts'

export interface MemberOptions {
  readonly client: LiteClient
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  readonly group: string
  readonly limit: number
}

const WEIGHT = 0.2
/** Assumed latency of a server before its first query, ms. */
const GUESS = 50
/** Milliseconds for which a fault worsens the score; consecutive faults after which the server is not used; milliseconds for which it is then not used. */
const SLIP_MS = 10_000
const SLIPS = 3
const SLIPS_ASIDE_MS = 15_000
/** Bytes of answers that are being checked, above which no further answer is read: a server can send 16 MiB for each of 64 queries, in one second. */
const MAX_UNCHECKED = 64 << 20

/** Adds to the bytes of answers that are being checked. */
const createHold = (read: LiteClient['read']) => {
  let unchecked = 0
  return (bytes: number): void => {
    const wasFull = unchecked > MAX_UNCHECKED
    unchecked += bytes
    if (unchecked > MAX_UNCHECKED !== wasFull) read(wasFull)
  }
}

export const createMember = ({ client, ticks, group, limit }: MemberOptions) => {
  const { host, port } = client.peer
  let provenHead: BlockId | undefined
  let isArchival: boolean | undefined
  let latency = GUESS
  let taken = 0
  let queries = 0
  let refusals = 0
  let faults = 0
  let lies = 0
  let slips = 0
  let slipped = Number.NEGATIVE_INFINITY
  let lastSlip: string | undefined
  let aside: { readonly until: number; readonly reason: string } | undefined

  const asideNow = (): string | undefined => (aside !== undefined && ticks() < aside.until ? aside.reason : undefined)
  /** Reason why the server cannot be used now; undefined if the server can be used. */
  const trouble = (): string | undefined => {
    const reason = asideNow()
    if (reason !== undefined) return `set aside: ${reason}`
    if (client.state !== 'ready') return client.fault ?? client.state
    return undefined
  }
  const setAside = (reason: string, ms: number): void => {
    faults += 1
    slips = 0
    aside = { until: ticks() + ms, reason }
  }

  const score = (): number => (latency + 1) * (1 + taken) * (ticks() - slipped < SLIP_MS ? 10 : 1)

  return withQuery({
    /** `host:port` */
    name: `${host}:${port}`,
    group,
    limit,
    client,
    /** True if another read may start. Call `take` before the read and `give` after it. */
    hasRoom: (): boolean => taken < limit,
    take(): void {
      taken += 1
    },
    give(): void {
      taken -= 1
    },
    hold: createHold(client.read),
    async ask<F extends LiteFunction>(fn: F, args: LiteArgs<F>, signal: AbortSignal, how?: QueryOptions): Promise<() => LiteAnswer<F>> {
      const started = ticks()
      queries += 1
      const peer = { 'server.address': host, 'server.port': port, 'tonway.liteserver.function': fn }
      const question = { name: `liteserver.${fn}`, kind: 'client', attributes: peer } as const
      const decode = await traced(question, () => client.ask(fn, args, signal, how)).catch((error: unknown) => {
        if (error instanceof LiteServerError) refusals += 1
        throw error
      })
      // The time of a query that waits for a block says nothing about the server's latency.
      if (!how?.wait) latency += (ticks() - started - latency) * WEIGHT
      slips = 0
      return decode
    },
    /** The newest masterchain block that the server reported and proved; undefined before the first proven block. */
    head: (): BlockId | undefined => provenHead,
    setHead(head: BlockId): void {
      provenHead = head
    },
    /** True if the server has the chain from its beginning; undefined if that was not found out yet. */
    archival: (): boolean | undefined => isArchival,
    setArchival(archival: boolean): void {
      isArchival = archival
    },
    /** Records a fault, such as a late answer. Other servers are preferred for a while. */
    penalize(reason: string): void {
      slips += 1
      lastSlip = reason
      if (slips >= SLIPS) setAside(reason, SLIPS_ASIDE_MS)
      else {
        faults += 1
        slipped = ticks()
      }
    },
    /** Records that the server reports overload. Other servers are preferred for a while. */
    busy(reason: string): void {
      lastSlip = reason
      slipped = ticks()
    },
    /** Records behaviour that no honest server shows. The server is not used for `ms` milliseconds. */
    ban(reason: string, ms: number): void {
      lies += 1
      setAside(reason, ms)
    },
    usable: (): boolean => client.state === 'ready' && asideNow() === undefined,
    score,
    /** Reason why the server cannot be used now, or the server's last fault if it can be used. */
    reason: (): string => trouble() ?? lastSlip ?? (provenHead === undefined ? 'its head is not proven yet' : 'it did not answer'),
    /** Snapshot of the server. Counters count from the start of the process. */
    status: () => ({
      server: `${host}:${port}`,
      group,
      state: client.state,
      seqno: provenHead?.seqno ?? null,
      archival: isArchival ?? null,
      /** Moving average of query times, ms. */
      latency: Math.round(latency * 10) / 10,
      score: Math.round(score() * 10) / 10,
      in_flight: client.inFlight,
      limit,
      queries,
      /** Queries that the server answered with an error, which is allowed. */
      refusals,
      /** Number of all faults, and of those that no honest server makes. */
      faults,
      lies,
      trouble: trouble() ?? null,
    }),
  })
}
export type Member = ReturnType<typeof createMember>
