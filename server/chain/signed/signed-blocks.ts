import { LRUCache } from 'lru-cache'
import { createAbortController } from '../../base/abort.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { SourceBlock } from '../blocks.ts'
import type { Chain } from '../chain-port.ts'
import { type Head, type LiteServer, LiteServerError, type SingleServer } from '../liteserver.ts'
import type { ProvenAccount } from '../proofs/account.ts'
import { createListedBlocks, type ListedBlocks } from './listed-blocks.ts'
import { createPolledServer, type PolledServer, type PolledServerFigures } from './polled-server.ts'
import { blockKey, NotFollowedError, readBack, topBeside } from './read-back.ts'

/*
 * Shard blocks that are signed and that no masterchain block names yet. No proof of the signatures comes with them: that a block is signed is the word of the
 * servers that list it. Hashes, headers and parents are checked. With each masterchain block they become named, or are lost.
 */

/** Milliseconds between two polls of a server. */
const POLL_MS = 100
/** A block that no masterchain block names in this time is lost, ms. */
const LIFE_MS = 45_000
/** Blocks of one answer that are read. */
const MAX_LISTED = 64
/** Chains of blocks of one server that are read at a time. */
const LANES = 8
/** A block that does not lead to a named one, or that has no room, is not read again in this time, ms. */
const NOT_FOLLOWED = { max: 1_024, ttl: 2_000 } as const
/** Headers that are read to find out which blocks are before those that the masterchain names. */
const MAX_HEADERS = 64

export interface SignedChange {
  /** Blocks that are signed now, each after its previous ones. */
  readonly signed: readonly SourceBlock[]
  /** Blocks that were signed and that the masterchain names now. */
  readonly named: readonly BlockId[]
  /** Blocks that were signed and that will probably not be in the chain. */
  readonly lost: readonly BlockId[]
}

/** As /status shows it. `needs`: the number of servers that must list a block. */
export interface SignedFigures {
  readonly needs: number
  readonly blocks: number
  readonly servers: readonly PolledServerFigures[]
}

export interface SignedBlocks {
  /** Polls all servers now. Resolves when each has answered or failed; at once if all are paused. */
  poll(): Promise<void>
  /** The newest signed block of each shard, as getPendingShardBlocks lists them. Throws LiteServerError if all servers are paused. */
  newest(): readonly BlockId[]
  /** An account after a signed block, as a server that listed the block has it; undefined if the block is not signed any more. */
  account(block: BlockId, id: AccountId, signal: AbortSignal): Promise<ProvenAccount | undefined>
  figures(): SignedFigures
  close(): void
}

export interface SignedBlocksDeps {
  readonly source: Pick<LiteServer, 'servers' | 'query'>
  readonly chain: Pick<Chain, 'heads' | 'shards' | 'blockHeader'>
  /** Number of servers that must list a block, or one that follows it. */
  readonly needs: number
  /** Whether somebody needs signed blocks. Servers are polled only then. */
  readonly hasDemand: () => boolean
  readonly onChange: (change: SignedChange) => void
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  readonly log: { warn(event: string, fields?: object): void }
}

/** Keys of the tops and of the blocks before them, down to the lowest of their shard that is listed. */
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

/** Follows the heads while there is demand or a listed block waits for one. */
const createFollow = ({ chain, hasDemand, onChange, listed, closing }: FollowDeps) => {
  /** The last head whose shards were read, and these. */
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
      // Blocks may have been listed while headers were read.
    } while (listed.keys().some((key) => !before.includes(key)))
    at = { head, tops }
    const named = listed.name(keys)
    notify({ named, lost: listed.lose((id) => id.seqno <= (topBeside(tops, id)?.seqno ?? 0)), signed: listed.sign(tops) })
  }
  const run = async (begun: () => void): Promise<void> => {
    const stop = createAbortController()
    const end = (): void => stop.abort()
    closing.addEventListener('abort', end)
    try {
      for await (const head of chain.heads(stop.signal)) {
        // If a head cannot be read, the next one names its blocks too.
        await onHead(head).catch(() => {})
        begun()
        if (!hasDemand() && listed.size() === 0) end()
      }
    } finally {
      closing.removeEventListener('abort', end)
    }
  }
  return {
    notify,
    tops: (): readonly BlockId[] => at?.tops ?? [],
    /** Resolves when the shards of a head were read, or cannot be read. */
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

export const createSignedBlocks = (deps: SignedBlocksDeps): SignedBlocks => {
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
      // It may be committed or dropped with the next head, which is no fault of the server.
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
    // The blocks of other shards can be right where one is wrong.
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
    // The heads may have ended while blocks were read.
    void begin()
    notify({ lost: listed.lose((_, since) => ticks() - since > LIFE_MS) })
  }, POLL_MS)
  timer.unref()

  return {
    poll,
    newest() {
      if (!servers.some((server) => server.figures().asked)) throw new LiteServerError(0, 'query is not allowed')
      const signed = listed.signed()
      const before = new Set(signed.flatMap(({ prev }) => prev.map(blockKey)))
      return signed.map(({ id }) => id).filter((id) => !before.has(blockKey(id)))
    },
    async account(block, id, signal) {
      const [server] = listed.serversOf(block)
      return await server?.blocks.account(block, id, signal, (proven) => proven)
    },
    figures: () => ({ needs, blocks: listed.signed().length, servers: servers.map((server) => server.figures()) }),
    close() {
      clearInterval(timer)
      closing.abort(new Error('closed'))
    },
  }
}
