import { LRUCache } from 'lru-cache'
import { createAbortController, joinAbort } from '../../base/abort.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { SourceBlock } from '../blocks.ts'
import type { Chain } from '../chain-port.ts'
import { type Head, type LiteServer, LiteServerError, type SingleServer } from '../liteserver.ts'
import type { ProvenAccount } from '../proofs/account.ts'
import { createListedBlocks, type ListedBlocks } from './listed-blocks.ts'
import { createPolledServer, type PolledServer } from './polled-server.ts'
import { blockKey, NotFollowedError, readBack, topBeside } from './read-ancestors.ts'

/*
 * Shard blocks that are signed and that no masterchain block commits yet. Their signatures are not proven: only the servers that list a block claim that it
 * is signed. Hashes, headers and parents are checked. Each new masterchain block either commits such a block or makes it lost.
 */

const POLL_MS = 100
/** Milliseconds after which a block that no masterchain block has committed counts as lost. */
const LIFE_MS = 45_000
const MAX_LISTED = 64
/** Maximum number of block chains of one server that are read at the same time. */
const LANES = 8
/** Blocks that do not lead back to committed blocks, or that exceed the memory limit, are not read again for `ttl` ms. */
const NOT_FOLLOWED = { max: 1_024, ttl: 2_000 } as const
/** Maximum number of headers read to find the ancestors of the blocks that a masterchain block commits. */
const MAX_HEADERS = 64

export interface SignedChange {
  /** Newly signed blocks, each after its previous blocks. */
  readonly signed: readonly SourceBlock[]
  /** Blocks that were signed before and that the masterchain commits now. */
  readonly named: readonly BlockId[]
  /** Blocks that were signed before and that will probably not become part of the chain. */
  readonly lost: readonly BlockId[]
}

export interface SignedBlocksDeps {
  readonly source: Pick<LiteServer, 'servers' | 'query'>
  readonly chain: Pick<Chain, 'heads' | 'shards' | 'blockHeader'>
  readonly needs: number
  /** True while a client needs signed blocks. Servers are polled only then. */
  readonly hasDemand: () => boolean
  readonly onChange: (change: SignedChange) => void
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  readonly log: { warn(event: string, fields?: object): void }
}

/** Keys of the top shard blocks and of their ancestors, down to the lowest listed seqno of their shard. */
const keysDown = async (tops: readonly BlockId[], listed: ListedBlocks, chain: Pick<Chain, 'blockHeader'>, signal: AbortSignal) => {
  const keys = new Set<string>()
  let headers = 0
  const queue = [...tops]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (keys.has(blockKey(id))) continue
    keys.add(blockKey(id))
    if (id.seqno <= listed.lowest(id)) continue
    const prev = listed.get(id)?.prev
    if (prev === undefined && ++headers > MAX_HEADERS) break
    queue.push(...(prev ?? (await chain.blockHeader(id, signal)).prevBlocks))
  }
  return keys
}

interface FollowDeps extends Pick<SignedBlocksDeps, 'chain' | 'hasDemand' | 'onChange'> {
  readonly listed: ListedBlocks
  readonly closing: AbortSignal
}

/** Follows the heads while there is demand, or while a listed block is not yet committed. */
const createFollow = ({ chain, hasDemand, onChange, listed, closing }: FollowDeps) => {
  let at: { readonly head: Head; readonly tops: readonly BlockId[] } | undefined
  let following: Promise<void> | undefined

  const notify = (change: Partial<SignedChange>): void => {
    const whole: SignedChange = { signed: [], named: [], lost: [], ...change }
    if (whole.signed.length + whole.named.length + whole.lost.length > 0) onChange(whole)
  }
  const onHead = async (head: Head): Promise<void> => {
    const tops = (await chain.shards(head.id, closing)).map(({ id }) => id)
    if (at !== undefined && at.head.epoch !== head.epoch) notify({ lost: listed.clear() })
    let before: readonly string[]
    let keys: ReadonlySet<string>
    do {
      before = listed.keys()
      keys = await keysDown(tops, listed, chain, closing)
      // Servers may have listed more blocks while headers were read.
    } while (listed.keys().some((key) => !before.includes(key)))
    at = { head, tops }
    const named = listed.name(keys)
    notify({ named, lost: listed.lose((id) => id.seqno <= (topBeside(tops, id)?.seqno ?? 0)), signed: listed.sign(tops) })
  }
  const run = async (begun: () => void): Promise<void> => {
    using stop = joinAbort(closing)
    for await (const head of chain.heads(stop.signal)) {
      // If reading one head fails, the next head covers its blocks too.
      await onHead(head).catch(() => {})
      begun()
      if (!hasDemand() && listed.size() === 0) stop.abort()
    }
  }
  return {
    notify,
    tops: (): readonly BlockId[] => at?.tops ?? [],
    /** Starts to follow the heads, unless that runs already. Resolves after the first head was processed, even if that failed. */
    begin(): Promise<void> {
      following ??= new Promise<void>((resolve) => {
        const end = (): void => {
          resolve()
          following = undefined
          at = undefined
        }
        void run(resolve).then(end, end)
      })
      return following
    },
  }
}

export const createSignedBlocks = (deps: SignedBlocksDeps) => {
  const { source, hasDemand, ticks, log } = deps
  const closing = createAbortController()
  const single: readonly SingleServer[] = source.servers ?? [{ name: 'this chain', isUsable: () => true, query: source.query }]
  const needs = source.servers === undefined ? 1 : deps.needs
  const onWrong = (server: string, reason: string): void => log.warn('signed.refused', { server, reason })
  const servers = single.map((each) => createPolledServer(each, { ticks, onWrong, closing: closing.signal }))
  const listed = createListedBlocks(needs, ticks)
  const { notify, tops, begin } = createFollow({ ...deps, listed, closing: closing.signal })

  const notFollowed = new LRUCache<string, true>(NOT_FOLLOWED)

  const read = async (server: PolledServer, id: BlockId, signal: AbortSignal): Promise<void> => {
    const top = topBeside(tops(), id)
    if (id.workchain === MASTERCHAIN || top === undefined || id.seqno <= top.seqno) return
    if (listed.isLost(id) || listed.serversOf(id).has(server) || notFollowed.has(blockKey(id))) return
    const readOne = async (each: BlockId): Promise<SourceBlock> => listed.get(each) ?? (await server.blocks.block(each, signal))
    const blocks = await readBack(id, tops(), readOne).catch((error: unknown) => {
      // The next head may commit or drop the block, so the server is not at fault.
      if (error instanceof NotFollowedError) return []
      throw error
    })
    listed.add(server, blocks)
    if (!listed.serversOf(id).has(server)) notFollowed.set(blockKey(id), true)
    notify({ signed: listed.sign(tops()) })
  }
  const pollOne = async (server: PolledServer, signal: AbortSignal): Promise<void> => {
    const { signedBlocks } = await server.query('nonfinal.getPendingShardBlocks', {}, signal)
    const left = signedBlocks.slice(0, MAX_LISTED)
    // Errors are collected, because an error in one block must not stop the reads of other shards.
    const faults: unknown[] = []
    const readNext = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        await read(server, id, signal).catch((error: unknown) => faults.push(error))
    }
    await Promise.all(Array.from({ length: LANES }, readNext))
    notify({ lost: listed.see(server, signedBlocks) })
    if (faults.length > 0) throw faults[0]
  }
  const poll = async (): Promise<void> => {
    await begin()
    await Promise.all(servers.map((server) => server.poll((signal) => pollOne(server, signal))))
  }
  const timer = setInterval(() => {
    if (hasDemand()) void poll()
    if (listed.size() === 0) return
    // The loop over heads may have ended while blocks were read.
    void begin()
    notify({ lost: listed.lose((_, since) => ticks() - since > LIFE_MS) })
  }, POLL_MS)
  timer.unref()

  return {
    /** Polls all servers now. Resolves when each server has answered or failed; at once if all servers are paused. */
    poll,
    /**
     * The newest signed block of each shard, in the form of getPendingShardBlocks. Throws LiteServerError if no server answers this query. A server that only
     * failed does not count: who reads the error does not ask again for ten minutes.
     */
    newest(): readonly BlockId[] {
      if (servers.every((server) => server.refuses())) throw new LiteServerError(0, 'query is not allowed')
      const signed = listed.signed()
      const before = new Set(signed.flatMap(({ prev }) => prev.map(blockKey)))
      return signed.map(({ id }) => id).filter((id) => !before.has(blockKey(id)))
    },
    /** An account after a signed block, read from a server that listed the block; undefined if the block is no longer signed. */
    async account(block: BlockId, id: AccountId, signal: AbortSignal): Promise<ProvenAccount | undefined> {
      const [server] = listed.serversOf(block)
      return await server?.blocks.account(block, id, signal, (proven) => proven)
    },
    /** Figures for /status. `needs`: the number of servers that must list a block. */
    figures: () => ({ needs, blocks: listed.signed().length, servers: servers.map((server) => server.figures()) }),
    close(): void {
      clearInterval(timer)
      closing.abort(new Error('closed'))
    },
  }
}
export type SignedBlocks = ReturnType<typeof createSignedBlocks>
