import { createAbortController } from '../../base/abort.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { createHeadHub } from '../head-hub.ts'
import { type Head, type LiteArgs, type LiteServer, LiteServerError } from '../liteserver.ts'
import { createLiteTl } from '../tl/lite-queries.ts'
import { createWaiting } from '../waiting.ts'
import { allOf, COMMON, choiceOf } from './choose-servers.ts'
import { type ClientTimes, createLiteClient, type LinkState } from './client.ts'
import { createFollower } from './follow.ts'
import { createMember, type Member } from './member.ts'
import type { GlobalConfig } from './read-global-config.ts'
import { createRead, noServer } from './reads.ts'
import { createSend } from './sends.ts'
import { createGroupSource } from './server-group.ts'
import { createHeadTrust, type Trust } from './trust.ts'

export interface PoolOptions extends Pick<GlobalConfig, 'servers' | 'zeroState' | 'init'> {
  readonly trust: Trust
  /** `anchor`: a key block that was proven in an earlier run. `onKeyBlock`: called with each newer proven key block. */
  readonly anchor?: BlockId | undefined
  readonly onKeyBlock?: (block: BlockId) => void
  /** True for an embedded chain, whose blocks can be reverted: a head that does not follow the last head increases `Head.epoch`. Such a pool has one server. */
  readonly revertible?: boolean
  readonly maxInFlight?: number
  /**
   * `attemptMs`: milliseconds that one server has to answer while other servers are free. `patienceMs`: milliseconds that a call waits until any server is
   * free.
   */
  readonly attemptMs?: number
  readonly patienceMs?: number
  readonly times?: Partial<ClientTimes>
}

export interface PoolDeps {
  readonly log: { info(event: string, fields?: object): void; warn(event: string, fields?: object): void }
  /** `now`: unix seconds; `ticks`: monotonic milliseconds. */
  readonly clock: { now(): number; ticks(): number }
}

export type LitePool = ReturnType<typeof createLitePool>

export type PoolStatus = ReturnType<LitePool['status']>

const DEFAULTS = { maxInFlight: 64, attemptMs: 4_000, patienceMs: 3_000 }
/** Number of waiting reads to wake when one read ends. One is not enough, because the first waiting read may not be able to use the server that became free. */
const WOKEN = 4
/** Query for block 1, which only servers with the complete history have, and the timeout of the query, ms. */
const FIRST: LiteArgs<'lookupBlock'> = { id: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 1 }, by: { seqno: true } }
const PROBE_MS = 10_000
const PROBE_AGAIN_MS = 120_000

const probe = async (member: Member): Promise<void> => {
  try {
    await member.query('lookupBlock', FIRST, AbortSignal.timeout(PROBE_MS))
    member.setArchival(true)
  } catch (error) {
    if (error instanceof LiteServerError) member.setArchival(false)
  }
}

/** Follows the head of each server separately, and checks every server's answers. */
export const createLitePool = (options: PoolOptions, { log, clock }: PoolDeps) => {
  const { servers, zeroState, init, trust, maxInFlight, attemptMs, patienceMs, revertible = false } = { ...DEFAULTS, ...options }
  const stop = createAbortController()
  const tl = createLiteTl()
  /** Callers that wait for a server to change its state, and reads that wait for a free slot. */
  const [waiting, readers] = [createWaiting(), createWaiting()]
  const change = waiting.join
  const hub = createHeadHub(undefined)

  const wake = (): void => {
    waiting.wake()
    readers.wake()
  }

  const members: readonly Member[] = servers.map((peer) => {
    let member: Member | undefined
    /** Remembered so that repeated failed attempts of a server are logged once. */
    let logged: LinkState | undefined
    const onChange = (): void => {
      const state = member?.client.state
      if (member && state !== logged && (state === 'ready' || state === 'waiting')) {
        logged = state
        if (state === 'ready') {
          log.info('liteserver.up', { server: member.name })
          void probe(member)
        } else log.warn('liteserver.down', { server: member.name, reason: member.client.fault })
      }
      wake()
    }
    const client = createLiteClient(peer, { tl, onChange, ...(options.times && { times: options.times }) })
    member = createMember({ client, ticks: clock.ticks, group: peer.group ?? COMMON, limit: maxInFlight })
    return member
  })

  const onLie = (member: Member, what: string, reason: string, ms: number): void => {
    log.warn('liteserver.refused', { server: member.name, query: what, reason })
    member.ban(reason, ms)
    wake()
  }

  const probing = setInterval(() => {
    for (const member of members) if (member.usable()) void probe(member)
  }, PROBE_AGAIN_MS)
  probing.unref()

  const headTrust = createHeadTrust({ trust, init, anchor: options.anchor, onKeyBlock: options.onKeyBlock })
  const follow = createFollower({
    zeroState,
    trust: headTrust,
    revertible,
    now: clock.now,
    newest: hub.head,
    onHead(head) {
      hub.set(head)
      wake()
    },
    onLie,
  })
  for (const member of members) void follow(member, stop.signal)

  const queue = { waiting: 0, wake: () => readers.wake(WOKEN) }

  const head = (): Head => {
    const newest = hub.head()
    if (newest === undefined) throw new Error('no head is known yet')
    return newest
  }
  const sourceOf = (group: string): LiteServer => {
    const choice = choiceOf(members, group)
    const headSeqno = (): number => hub.head()?.id.seqno ?? 0
    const read = createRead({ choice, headSeqno, change: readers.join, onLie, queue, attemptMs, patienceMs })
    const send = createSend({ choice, change, patienceMs })
    return { ...createGroupSource({ read, send, heads: hub.heads, zeroState, trusted: () => hub.head()?.id }), head }
  }
  const groups = [...new Set([COMMON, ...members.map(({ group }) => group)])]
  const sources = new Map(groups.map((name) => [name, sourceOf(name)]))
  const common = sources.get(COMMON)!

  return {
    ...common,
    servers: allOf(choiceOf(members, COMMON)).map(({ name, usable, client }) => ({ name, isUsable: usable, query: client.query })),
    groups,
    /** A source that queries the servers of this group, or the common ones if there is no such group or while none of its servers is usable. */
    group: (name: string): LiteServer => sources.get(name) ?? common,
    revertible,
    status: () => ({
      key_block: headTrust.anchor().seqno,
      head: hub.head()?.id.seqno ?? null,
      queued: queue.waiting,
      servers: members.map((member) => member.status()),
    }),
    /** Resolves with the first proven head. Rejects with NO_WORKERS and the reasons if no head is proven within `ms` milliseconds. */
    async ready(ms: number, signal = stop.signal): Promise<void> {
      const until = performance.now() + ms
      while (hub.head() === undefined) {
        const left = until - performance.now()
        if (left <= 0) throw noServer(members)
        await change(left, signal)
        signal.throwIfAborted()
      }
    },
    close(): void {
      clearInterval(probing)
      stop.abort(new Error('the pool is closed'))
      hub.close()
      for (const { client } of members) client.close()
      wake()
    },
  }
}
