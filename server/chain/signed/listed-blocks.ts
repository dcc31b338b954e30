import { overlap } from '../../tlb/block/shard-ident.ts'
import { type BlockId, sameBlock } from '../../tlb/ids.ts'
import type { SourceBlock } from '../blocks.ts'
import type { PolledServer } from './polled-server.ts'
import { blockKey } from './read-ancestors.ts'

const MAX = { blocks: 512, bytes: 64 << 20, lost: 1_024 } as const

/**
 * Milliseconds after which a block counts as lost that no server lists any more in getPendingShardBlocks. A server lists a block until a masterchain block
 * commits it, or until the server knows that none will.
 */
const UNLISTED_MS = 3_000

interface Listed {
  readonly block: SourceBlock
  readonly since: number
  /** Time when a server last listed the block or one of its successors. */
  seen: number
  readonly servers: Set<PolledServer>
  isSigned: boolean
}

const conflicts = (a: BlockId, b: BlockId): boolean => a.seqno === b.seqno && overlap(a, b) && !sameBlock(a, b)

export const createListedBlocks = (needs: number, ticks: () => number) => {
  const listed = new Map<string, Listed>()
  const lost = new Set<string>()
  let bytes = 0

  const sorted = (): readonly (readonly [string, Listed])[] => [...listed].sort(([, a], [, b]) => a.block.id.seqno - b.block.id.seqno)
  const remove = (isGone: (key: string, entry: Listed) => boolean): readonly BlockId[] => {
    const signed: BlockId[] = []
    for (const [key, entry] of sorted()) {
      if (!isGone(key, entry)) continue
      listed.delete(key)
      bytes -= entry.block.size
      if (entry.isSigned) signed.push(entry.block.id)
    }
    return signed
  }
  const lose = (isLost: (entry: Listed) => boolean): readonly BlockId[] =>
    remove((key, entry) => {
      if (!isLost(entry) && !entry.block.prev.some((prev) => lost.has(blockKey(prev)))) return false
      lost.add(key)
      if (lost.size > MAX.lost) lost.delete(lost.values().next().value!)
      return true
    })
  const signed = (): readonly SourceBlock[] => [...listed.values()].filter(({ isSigned }) => isSigned).map(({ block }) => block)

  return {
    size: (): number => listed.size,
    get: (id: BlockId): SourceBlock | undefined => listed.get(blockKey(id))?.block,
    serversOf: (id: BlockId): ReadonlySet<PolledServer> => listed.get(blockKey(id))?.servers ?? new Set(),
    isLost: (id: BlockId): boolean => lost.has(blockKey(id)),
    /** Adds blocks that a server has listed. Stops at the limits of blocks and bytes. */
    add(server: PolledServer, blocks: readonly SourceBlock[]): void {
      for (const block of blocks) {
        const key = blockKey(block.id)
        const entry = listed.get(key)
        if (entry !== undefined) {
          entry.servers.add(server)
          continue
        }
        if (listed.size === MAX.blocks || bytes + block.size > MAX.bytes) return
        listed.set(key, { block, since: ticks(), seen: ticks(), servers: new Set([server]), isSigned: false })
        bytes += block.size
      }
    },
    /**
     * Marks the blocks that a server lists now; `ids` are the newest ones. Removes this server's blocks that no server has listed for a while. Returns the
     * removed blocks that were signed.
     */
    see(server: PolledServer, ids: readonly BlockId[]): readonly BlockId[] {
      const queue = [...ids]
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        const entry = listed.get(blockKey(id))
        if (entry === undefined) continue
        entry.seen = ticks()
        queue.push(...entry.block.prev)
      }
      return lose(({ servers, seen }) => servers.has(server) && ticks() - seen > UNLISTED_MS)
    },
    /**
     * Marks blocks as signed if enough servers have listed them and their previous blocks are in `tops` or signed. Of two conflicting blocks only the first
     * is signed. Returns the newly signed blocks.
     */
    sign(tops: readonly BlockId[]): readonly SourceBlock[] {
      const isReached = (id: BlockId): boolean => tops.some((top) => sameBlock(top, id)) || listed.get(blockKey(id))?.isSigned === true
      const fresh: SourceBlock[] = []
      for (const [, entry] of sorted()) {
        const { block, servers, isSigned } = entry
        if (isSigned || servers.size < needs || !block.prev.every(isReached)) continue
        if (signed().some(({ id }) => conflicts(id, block.id))) continue
        entry.isSigned = true
        fresh.push(block)
      }
      return fresh
    },
    /** Removes the blocks with these keys, which the masterchain commits now. Returns the removed blocks that were signed. */
    name: (keys: ReadonlySet<string>): readonly BlockId[] => remove((key) => keys.has(key)),
    /** Removes lost blocks and their successors, and does not accept them again. Returns the removed blocks that were signed. */
    lose: (isLost: (id: BlockId, since: number) => boolean): readonly BlockId[] => lose(({ block, since }) => isLost(block.id, since)),
    /** Removes all blocks, and the list of lost blocks. Returns the removed blocks that were signed. */
    clear(): readonly BlockId[] {
      lost.clear()
      return remove(() => true)
    },
    keys: (): readonly string[] => [...listed.keys()],
    /** Lowest seqno of the listed blocks whose shard overlaps this block's shard; Infinity if there are none. */
    lowest: (id: BlockId): number =>
      Math.min(...[...listed.values()].flatMap(({ block }) => (overlap(block.id, id) ? block.id.seqno : []))),
    signed,
  }
}
export type ListedBlocks = ReturnType<typeof createListedBlocks>
