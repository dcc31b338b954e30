import { parseBocRoot } from '../../../cell/boc.ts'
import type { Cell } from '../../../cell/cell.ts'
import { type BlockId, MASTERCHAIN } from '../../../tlb/ids.ts'
import type { Head, ZeroStateId } from '../../liteserver.ts'
import type { BlockStore, ChainTip, Genesis, Step, StoredBlock } from '../model.ts'
import { createBlockCache } from './block-cache.ts'
import { createCellLog } from './cell-log.ts'
import { createDisk } from './disk.ts'
import { createHeadHub } from './head-hub.ts'
import { HEADER_BYTES, openLogFile } from './log-file.ts'
import {
  type BlockRow,
  decodeMessage,
  decodeSignatures,
  encodeMessage,
  encodeSignatures,
  encodeStep,
  RECORD,
  type StepRow,
  stepPrefixBytes,
} from './records.ts'
import { type Recovered, readStepRow, recover } from './recover.ts'
import { openStepIndex } from './step-index.ts'

/** A message that was accepted and has not been in a block yet. */
export interface WaitingMessage {
  /** Where its record begins. */
  readonly at: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
  readonly boc: Uint8Array
}

/** The chain as it is kept: everything in one append-only log, states included, so that memory holds what is in use and nothing else. */
export interface ChainStore extends BlockStore {
  /** undefined while there is no genesis. */
  tip(): ChainTip
  /** Adds a step on top of the head, with the messages that still wait after it; returns the tip to go on from. */
  appendStep(step: Step, waiting: readonly number[]): ChainTip
  /** Keeps an accepted message; returns where its record begins. */
  appendMessage(acceptedAt: number, boc: Uint8Array): number
  /** Undoes every step above `seqno` and forgets the messages that wait. */
  revert(seqno: number): ChainTip
  /** What the controls keep (JSON); the newest is found again after a restart. */
  saveControl(text: string): void
  control(): string | undefined
  /** Messages that waited when the log was last written to; as of the opening. */
  readonly waiting: readonly WaitingMessage[]
  /** What was found wrong with the end of the log at the opening, and mended. */
  readonly mended: Pick<Recovered, 'cutBytes' | 'missingSteps'>
  /** What the genesis was made with (JSON). */
  readonly genesisText: string
  sync(): Promise<void>
  /** Why the last write failed, for people; empty when it did not. */
  trouble(): string
  close(): void
}

/** Above this many cells loaded or made since the last time, the tip's states are opened anew, which lets go of the cells read of older ones. */
const MAX_TOUCHED = 120_000
/** Parsed blocks at hand: some 500 idle steps of the chain. */
const BLOCK_CACHE_BYTES = 8 << 20
const ROW_CACHE = 512

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const sameId = (a: BlockId, b: BlockId): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  sameBytes(a.rootHash, b.rootHash) &&
  sameBytes(a.fileHash, b.fileHash)

export interface StorePaths {
  readonly log: string
  readonly index: string
}

/**
 * Opens the log of a chain, or begins it with the genesis that `make` gives (and a text to keep with it). Throws LogDamage, with the log as it was,
 * if the log is damaged before its end.
 */
export const openChainStore = async (
  paths: StorePaths,
  make: () => Promise<{ readonly genesis: Genesis; readonly text: string }>,
): Promise<ChainStore> => {
  const log = openLogFile(paths.log)
  const index = openStepIndex(paths.index)
  const disk = createDisk()
  const cells = createCellLog(log.readInto)
  const rows = new Map<number, StepRow>()

  const row = (seqno: number): StepRow => {
    const known = rows.get(seqno)
    if (known) return known
    const found = readStepRow(log, index.at(seqno))
    rows.set(seqno, found)
    if (rows.size > ROW_CACHE) rows.delete(rows.keys().next().value!)
    return found
  }

  const appendRow = (p: {
    readonly type: number
    readonly step: {
      readonly shard: { id: BlockId; boc: Uint8Array; state: Cell }
      readonly master: { id: BlockId; boc: Uint8Array; state: Cell }
    }
    readonly tip: ChainTip
    readonly before: ChainTip | undefined
    readonly signatures: Uint8Array
    readonly waiting: readonly number[]
    readonly controlAt: number
  }): ChainTip => {
    const { step, tip } = p
    const parts = { shardBoc: step.shard.boc, masterBoc: step.master.boc, signatures: p.signatures, waiting: p.waiting }
    const packed = cells.pack(
      [
        { root: step.shard.state, before: p.before?.shard.state },
        { root: step.master.state, before: p.before?.master.state },
      ],
      log.end() + HEADER_BYTES + stepPrefixBytes(parts),
    )
    const [shardState, masterState] = packed.roots
    const seqno = step.master.id.seqno
    const draft = {
      seqno,
      keyBlockSeqno: tip.keyBlockSeqno,
      controlAt: p.controlAt,
      shard: { id: step.shard.id, utime: tip.shard.utime, endLt: tip.shard.endLt, stateAt: shardState!.at },
      master: { id: step.master.id, utime: tip.master.utime, endLt: tip.master.endLt, stateAt: masterState!.at },
    }
    disk.write(() => {
      const at = log.append(p.type, encodeStep(draft, parts, packed.bytes))
      try {
        index.push(at)
      } catch (error) {
        // The step is made again: two of one seqno in the log would be damage.
        log.cut(at)
        throw error
      }
    })
    packed.commit()
    return { ...tip, shard: { ...tip.shard, state: shardState! }, master: { ...tip.master, state: masterState! } }
  }

  let recovered: Recovered
  try {
    recovered = recover(log, index)
  } catch (error) {
    log.close()
    index.close()
    throw error
  }
  let { controlAt } = recovered
  if (index.count() === 0) {
    const { genesis, text } = await make()
    const { shardState, masterState, tip } = genesis
    appendRow({
      type: RECORD.genesis,
      step: {
        shard: { id: shardState.id, boc: shardState.boc, state: shardState.root },
        master: { id: masterState.id, boc: masterState.boc, state: masterState.root },
      },
      tip,
      before: undefined,
      signatures: Buffer.from(text),
      waiting: [],
      controlAt: 0,
    })
  }

  const endOf = (block: BlockRow): ChainTip['master'] => ({
    id: block.id,
    state: cells.load(block.stateAt),
    endLt: block.endLt,
    utime: block.utime,
  })
  const tipAt = (seqno: number): ChainTip => {
    const { shard, master, keyBlockSeqno } = row(seqno)
    return { shard: endOf(shard), master: endOf(master), keyBlockSeqno }
  }
  const headSeqno = (): number => index.count() - 1
  let tip = tipAt(headSeqno())
  let touchedBefore = 0
  let epoch = 0
  const headOf = (at: ChainTip): Head => ({ id: at.master.id, utime: at.master.utime, epoch })
  const hub = createHeadHub(headOf(tip))

  const blocks = createBlockCache(BLOCK_CACHE_BYTES)

  const blockRow = (workchain: number, seqno: number): BlockRow | undefined => {
    if (!(seqno >= 0 && seqno <= headSeqno())) return undefined
    return workchain === MASTERCHAIN ? row(seqno).master : workchain === 0 ? row(seqno).shard : undefined
  }
  const rowOf = (id: BlockId): BlockRow | undefined => {
    const found = blockRow(id.workchain, id.seqno)
    return found && sameId(found.id, id) ? found : undefined
  }
  /** The first block (from seqno 1 on) for which `reached` holds; it holds for every later one. */
  const firstWhere = (workchain: number, reached: (block: BlockRow) => boolean): BlockId | undefined => {
    let low = 1
    let high = headSeqno() + 1
    while (low < high) {
      const middle = (low + high) >>> 1
      const block = blockRow(workchain, middle)
      if (!block) return undefined
      if (reached(block)) high = middle
      else low = middle + 1
    }
    return low <= headSeqno() ? blockRow(workchain, low)?.id : undefined
  }

  const zero = row(0)
  const zeroState: ZeroStateId = { workchain: MASTERCHAIN, rootHash: zero.master.id.rootHash, fileHash: zero.master.id.fileHash }

  return {
    head: hub.head,
    heads: hub.heads,
    zeroState,
    zeroIds: [zero.master.id, zero.shard.id],
    genesisText: log.read(zero.signaturesAt, zero.signaturesLength).toString(),
    idBySeqno: async (workchain, seqno) => blockRow(workchain, seqno)?.id,
    idByLt: async (workchain, lt) => firstWhere(workchain, (block) => block.endLt >= lt),
    idByUtime: async (workchain, utime) => firstWhere(workchain, (block) => block.utime >= utime),
    block: async (id) => {
      const found = id.seqno > 0 ? rowOf(id) : undefined
      if (!found) return undefined
      const known = blocks.get(id)
      if (known && sameId(known.id, id)) return known
      const boc = log.read(found.bocAt, found.bocLength)
      const step = row(id.seqno)
      const block: StoredBlock = {
        id: found.id,
        boc,
        root: parseBocRoot(boc),
        ...(id.workchain === MASTERCHAIN ? { signatures: decodeSignatures(log.read(step.signaturesAt, step.signaturesLength)) } : {}),
      }
      blocks.add(block)
      return block
    },
    state: async (id) => {
      const found = rowOf(id)
      if (!found) return undefined
      const end = id.workchain === MASTERCHAIN ? tip.master : tip.shard
      return id.seqno === end.id.seqno ? end.state : cells.load(found.stateAt)
    },
    zeroStateBoc: (workchain) => {
      const { bocAt, bocLength } = workchain === MASTERCHAIN ? zero.master : zero.shard
      return log.read(bocAt, bocLength)
    },
    masterOf: async (id) => (id.seqno > 0 && rowOf(id) ? row(id.seqno).master.id : undefined),
    keyBlockBefore: async (seqno) => (seqno >= 0 && seqno <= headSeqno() ? row(seqno).keyBlockSeqno : 0),

    tip: () => tip,
    appendStep: (step, messages) => {
      const seqno = headSeqno() + 1
      if (step.master.id.seqno !== seqno || step.shard.id.seqno !== seqno) {
        throw new Error(`step ${seqno} was made of blocks ${step.master.id.seqno} and ${step.shard.id.seqno}`)
      }
      const signatures = encodeSignatures(step.signatures)
      tip = appendRow({ type: RECORD.step, step, tip: step.tip, before: tip, signatures, waiting: messages, controlAt })
      if (cells.touched() - touchedBefore > MAX_TOUCHED) {
        tip = tipAt(seqno)
        touchedBefore = cells.touched()
      }
      hub.set(headOf(tip))
      return tip
    },
    appendMessage: (acceptedAt, boc) => disk.write(() => log.append(RECORD.message, encodeMessage(acceptedAt, boc))),
    revert: (seqno) => {
      const body = Buffer.alloc(4)
      body.writeUInt32LE(seqno, 0)
      if (!(seqno >= 0 && seqno <= headSeqno())) throw new RangeError(`no block ${seqno} to go back to`)
      disk.write(() => log.append(RECORD.revert, body))
      index.truncate(seqno + 1)
      rows.clear()
      blocks.clear()
      tip = tipAt(seqno)
      epoch++
      hub.set(headOf(tip))
      return tip
    },
    saveControl: (text) => {
      controlAt = disk.write(() => log.append(RECORD.control, Buffer.from(text)))
    },
    control: () => {
      const record = controlAt > 0 ? log.recordAt(controlAt, true) : undefined
      return record?.type === RECORD.control ? log.read(record.bodyAt, record.length).toString() : undefined
    },
    waiting: recovered.waiting.map((at) => {
      const record = log.recordAt(at, true)
      if (record?.type !== RECORD.message) throw new Error(`the chain's log holds no message at ${at}`)
      return { at, ...decodeMessage(log.read(record.bodyAt, record.length)) }
    }),
    mended: { cutBytes: recovered.cutBytes, missingSteps: recovered.missingSteps },
    trouble: disk.trouble,
    sync: log.sync,
    close: () => {
      hub.close()
      log.close()
      index.close()
    },
  }
}
