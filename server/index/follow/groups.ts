import { sameBytes } from '../../tlb/bytes.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import type { Master, MasterBlock, Source } from './source.ts'
import type { ShardTop } from './tops.ts'

/* Groups of consecutive masterchain blocks. Blocks are read in parallel, some of them ahead, and returned in order. */

/** The last block that was read. The next group of blocks continues after it. */
export interface IndexPosition {
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly tops: readonly ShardTop[]
}

export interface GroupsOptions {
  readonly lanes: number
  /** True: the blocks are proven to be in the chain of the head, because the source is another machine. */
  readonly prove: boolean
}

/** A group ends at this many bytes or masterchain blocks. */
export const GROUP = { bytes: 4 << 20, masters: 50 } as const

interface Reading {
  readonly master: Promise<Master | undefined>
  readonly whole: Promise<MasterBlock | undefined>
}

export const createGroups = (source: Source, { lanes, prove }: GroupsOptions) => {
  /** Blocks that are being read, by seqno. They continue after the block with root hash `end`. */
  const readings = new Map<number, Reading>()
  let end: Uint8Array | undefined

  const masterAt = async (seqno: number, head: BlockId, signal: AbortSignal): Promise<Master | undefined> => {
    const id = seqno === head.seqno ? head : await source.masterId(seqno, signal)
    return id && source.master(id, signal)
  }

  /** Begins to read a block. Its shard blocks wait for the shard configuration of the block before it. */
  const begin = (seqno: number, from: IndexPosition, head: BlockId, signal: AbortSignal): Reading => {
    const before = seqno - 1 === from.seqno ? Promise.resolve(from) : readings.get(seqno - 1)!.master
    const master = masterAt(seqno, head, signal)
    const wholeAt = async (): Promise<MasterBlock | undefined> => {
      const [previous, found] = [await before, await master]
      if (previous === undefined || found === undefined) return undefined
      return { master: found.block, tops: found.tops, shards: await source.shards(found.tops, previous.tops, signal) }
    }
    const reading = { master, whole: wholeAt() }
    // Prevents unhandled rejections until the block is awaited.
    master.catch(() => {})
    reading.whole.catch(() => {})
    return reading
  }

  /** Checks that a block is in the chain of the head. The head proves the last block of a group, and each block proves the block before it. */
  const mustBeIn = async (head: BlockId, { id }: MasterBlock['master'], signal: AbortSignal): Promise<void> => {
    const { rootHash } = id.seqno === head.seqno ? head : await source.provenId(id.seqno, head, signal)
    if (!sameBytes(rootHash, id.rootHash)) throw new CorruptBlockError(`masterchain block ${id.seqno} is not in the chain of the head`)
  }

  /** Reads the block after `from`, and begins to read the blocks behind it, `lanes` at a time. */
  const read = async (from: IndexPosition, head: BlockId, signal: AbortSignal): Promise<MasterBlock | undefined> => {
    if (end === undefined || !sameBytes(end, from.rootHash)) readings.clear()
    end = undefined
    const seqno = from.seqno + 1
    for (let ahead = seqno; ahead <= Math.min(from.seqno + lanes, head.seqno); ahead++)
      if (!readings.has(ahead)) readings.set(ahead, begin(ahead, from, head, signal))
    const found = await readings.get(seqno)!.whole
    readings.delete(seqno)
    end = found?.master.id.rootHash
    return found
  }

  return {
    /** Returns the next group after `from`, up to the head. Empty if the chain was reverted meanwhile. Undefined if the chain does not continue from `from`. */
    async next(from: IndexPosition, head: BlockId, signal: AbortSignal): Promise<readonly MasterBlock[] | undefined> {
      const group: MasterBlock[] = []
      let bytes = 0
      for (let place = from; place.seqno < head.seqno; ) {
        const next = await read(place, head, signal)
        if (next === undefined) {
          // On a chain that can be reverted the next head will be lower, so the group just ends here. On any other chain the source must have every block
          // below its head, so this error makes the indexer repeat the request.
          if (prove && group.length === 0)
            throw new Error(`the source has no masterchain block ${place.seqno + 1}, and its head is ${head.seqno}`)
          break
        }
        if (!sameBytes(next.master.info.prev[0]!.rootHash, place.rootHash)) {
          end = undefined
          if (group.length === 0) return undefined
          break
        }
        group.push(next)
        const { seqno, rootHash } = next.master.id
        place = { seqno, rootHash, tops: next.tops }
        bytes += next.shards.reduce((sum, { size }) => sum + size, next.master.size)
        if (group.length >= GROUP.masters || bytes >= GROUP.bytes) break
      }
      if (prove && group.length > 0) await mustBeIn(head, group.at(-1)!.master, signal)
      return group
    },
  }
}
