import type { BlockId } from '../../tlb/ids.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import type { Master, MasterBlock, Source } from './source.ts'
import type { ShardTop } from './tops.ts'

/* Groups of consecutive masterchain blocks. A group is read while the previous one is written. Blocks are read in parallel and returned in order. */

/** The last block that was read. The next group of blocks continues after it. */
export interface IndexPosition {
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly tops: readonly ShardTop[]
}

export interface Groups {
  /** Returns the next group after `from`, up to the head. Empty if the chain was reverted meanwhile. Undefined if the chain does not continue from `from`. */
  next(from: IndexPosition, head: BlockId, signal: AbortSignal): Promise<readonly MasterBlock[] | undefined>
  /** Starts to read the group that the next call of `next` returns. */
  prepare(from: IndexPosition, head: BlockId, signal: AbortSignal): void
}

export interface GroupsOptions {
  readonly lanes: number
  /** True: the blocks are proven to be in the chain of the head, because the source is another machine. */
  readonly prove: boolean
}

/** A group ends at this many bytes or masterchain blocks. */
export const GROUP = { bytes: 4 << 20, masters: 50 } as const

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

export const createGroups = (source: Source, { lanes, prove }: GroupsOptions): Groups => {
  /** Reads the blocks after `from`, `lanes` at a time. Each block waits for the shard configuration of the block before it. */
  const createWindow = (from: IndexPosition, signal: AbortSignal) => {
    const masters = new Map<number, Promise<Master | undefined>>()
    const whole = new Map<number, Promise<MasterBlock | undefined>>()
    const masterAt = async (seqno: number, head: BlockId): Promise<Master | undefined> => {
      const id = seqno === head.seqno ? head : await source.masterId(seqno, signal)
      return id && source.master(id, signal)
    }
    const wholeAt = async (seqno: number): Promise<MasterBlock | undefined> => {
      const before = seqno - 1 === from.seqno ? from : await masters.get(seqno - 1)
      const master = await masters.get(seqno)
      if (before === undefined || master === undefined) return undefined
      return { master: master.block, tops: master.tops, shards: await source.shards(master.tops, before.tops, signal) }
    }
    const begin = <T>(reading: Promise<T>): Promise<T> => {
      // Prevents an unhandled rejection until `take` awaits the promise.
      reading.catch(() => {})
      return reading
    }
    let begun = from.seqno
    let last: Uint8Array | undefined = from.rootHash
    return {
      /** Returns whether `place` is the last block that was taken. */
      isAt: (place: IndexPosition): boolean => last !== undefined && same(last, place.rootHash),
      async take(seqno: number, head: BlockId): Promise<MasterBlock | undefined> {
        while (begun < Math.min(seqno + lanes - 1, head.seqno)) {
          begun += 1
          masters.set(begun, begin(masterAt(begun, head)))
          whole.set(begun, begin(wholeAt(begun)))
        }
        last = undefined
        const found = await whole.get(seqno)
        whole.delete(seqno)
        masters.delete(seqno - 1)
        last = found?.master.id.rootHash
        return found
      },
    }
  }

  /** Checks that a block is in the chain of the head. The head proves the last block of a group, and each block proves the block before it. */
  const mustBeIn = async (head: BlockId, { id }: MasterBlock['master'], signal: AbortSignal): Promise<void> => {
    const { rootHash } = id.seqno === head.seqno ? head : await source.provenId(id.seqno, head, signal)
    if (!same(rootHash, id.rootHash)) throw new CorruptBlockError(`masterchain block ${id.seqno} is not in the chain of the head`)
  }

  let window: ReturnType<typeof createWindow> | undefined

  const read = async (from: IndexPosition, head: BlockId, signal: AbortSignal): Promise<readonly MasterBlock[] | undefined> => {
    const group: MasterBlock[] = []
    const blocks = window?.isAt(from) ? window : createWindow(from, signal)
    window = blocks
    let bytes = 0
    let { rootHash } = from
    for (let seqno = from.seqno + 1; seqno <= head.seqno; seqno++) {
      const next = await blocks.take(seqno, head)
      if (next === undefined) {
        // On a chain that can be reverted the next head will be lower, so the group just ends here. On any other chain the source must have every block
        // below its head, so this error makes the indexer repeat the request.
        if (prove && group.length === 0) throw new Error(`the source has no masterchain block ${seqno}, and its head is ${head.seqno}`)
        break
      }
      if (!same(next.master.info.prev[0]!.rootHash, rootHash)) {
        window = undefined
        if (group.length === 0) return undefined
        break
      }
      group.push(next)
      rootHash = next.master.id.rootHash
      bytes += next.shards.reduce((sum, { size }) => sum + size, next.master.size)
      if (group.length >= GROUP.masters || bytes >= GROUP.bytes) break
    }
    if (prove && group.length > 0) await mustBeIn(head, group.at(-1)!.master, signal)
    return group
  }

  let ahead: { readonly from: Uint8Array; readonly reading: Promise<readonly MasterBlock[] | undefined> } | undefined

  const prepare: Groups['prepare'] = (from, head, signal) => {
    const reading = read(from, head, signal)
    // Prevents an unhandled rejection until `next` awaits the promise.
    reading.catch(() => {})
    ahead = { from: from.rootHash, reading }
  }

  return {
    prepare,
    async next(from, head, signal) {
      const prepared = ahead
      ahead = undefined
      const masters = prepared && same(prepared.from, from.rootHash) ? await prepared.reading : await read(from, head, signal)
      const last = masters?.at(-1)
      if (last !== undefined && last.master.id.seqno < head.seqno) {
        const { seqno, rootHash } = last.master.id
        prepare({ seqno, rootHash, tops: last.tops }, head, signal)
      }
      return masters
    },
  }
}
