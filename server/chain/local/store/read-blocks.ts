import { LRUCache } from 'lru-cache'
import { runSteps, yieldToEventLoop } from '../../../base/yield.ts'
import { parseBocRoot, parseBocRootSteps, parsedSizeOf } from '../../../cell/boc.ts'
import type { Cell } from '../../../cell/cell.ts'
import { toHex } from '../../../tlb/bytes.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import { type BlockStore, type ChainTip, LARGE_BLOCK, type StoredBlock } from '../model.ts'
import type { CellLog } from './cell-log.ts'
import type { LogFile } from './log-file.ts'
import { decodeSignatures } from './records.ts'
import type { Rows } from './step-rows.ts'

/** Maximum number of bytes of cached parsed blocks: about 1,000 idle blocks. */
const BLOCK_CACHE_BYTES = 8 << 20
/** Estimated memory of a parsed block, bytes, at most the cache's limit, because the cache refuses larger entries. Measured: an idle block takes 7.6 KB. */
const weightOf = ({ boc }: StoredBlock): number => Math.min(parsedSizeOf(boc) + 4_096, BLOCK_CACHE_BYTES)

/** Parses blocks. Each large block gets a separate event-loop turn, and callers that wait for the same block share the result. */
const createParse = (): ((boc: Uint8Array, rootHash: Uint8Array) => Cell | Promise<Cell>) => {
  const coming = new Map<string, Promise<Cell>>()
  return (boc, rootHash) => {
    if (boc.length < LARGE_BLOCK) return parseBocRoot(boc)
    const name = toHex(rootHash)
    const shared = coming.get(name)
    if (shared !== undefined) return shared
    const root = yieldToEventLoop()
      .then(() => runSteps(parseBocRootSteps(boc)))
      .finally(() => coming.delete(name))
    coming.set(name, root)
    return root
  }
}

/** Reads blocks and states from the log. `forget` clears the caches after a revert. */
export const createReads = (p: {
  readonly log: LogFile
  readonly rows: Rows
  readonly cells: CellLog
  readonly tip: () => ChainTip
}): Omit<BlockStore, 'head' | 'heads' | 'zeroState' | 'zeroIds'> & { readonly forget: () => void } => {
  const { log, rows, cells } = p
  const blocks = new LRUCache<string, StoredBlock>({ maxSize: BLOCK_CACHE_BYTES, sizeCalculation: weightOf })
  const parse = createParse()
  return {
    idBySeqno: async (workchain, seqno) => rows.block(workchain, seqno)?.id,
    idByLt: async (workchain, lt) => rows.firstWhere(workchain, (block) => block.endLt >= lt),
    idByUtime: async (workchain, utime) => rows.firstWhere(workchain, (block) => block.utime >= utime),
    block: async (id) => {
      const found = id.seqno > 0 ? rows.of(id) : undefined
      if (!found) return undefined
      const key = toHex(id.rootHash)
      const cached = blocks.get(key)
      if (cached !== undefined) return cached
      const boc = log.read(found.bocAt, found.bocLength)
      const step = rows.row(id.seqno)
      const rest =
        id.workchain === MASTERCHAIN ? { signatures: decodeSignatures(log.read(step.signaturesAt, step.signaturesLength)) } : undefined
      const parsed = parse(boc, found.id.rootHash)
      const block: StoredBlock = { id: found.id, boc, root: parsed instanceof Promise ? await parsed : parsed, ...rest }
      blocks.set(key, block)
      return block
    },
    state: async (id) => {
      const found = rows.of(id)
      if (!found) return undefined
      const tip = p.tip()
      const end = id.workchain === MASTERCHAIN ? tip.master : tip.shard
      return id.seqno === end.id.seqno ? end.state : cells.load(found.stateAt)
    },
    zeroStateBoc: (workchain) => {
      const { master, shard } = rows.row(0)
      const { bocAt, bocLength } = workchain === MASTERCHAIN ? master : shard
      return log.read(bocAt, bocLength)
    },
    masterOf: async (id) => (id.seqno > 0 && rows.of(id) ? rows.row(id.seqno).master.id : undefined),
    keyBlockBefore: async (seqno) => (rows.has(seqno) ? rows.row(seqno).keyBlockSeqno : 0),
    forget: () => {
      rows.clear()
      blocks.clear()
    },
  }
}
