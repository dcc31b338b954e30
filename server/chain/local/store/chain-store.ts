import { runSteps } from '../../../base/yield.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import { forgetCode } from '../../../tvm/machine/code-cache.ts'
import { createHeadHub } from '../../head-hub.ts'
import type { Head } from '../../liteserver.ts'
import type { BlockStore, ChainTip, Genesis, Step } from '../model.ts'
import { appendRecord, rootsOf } from './append.ts'
import { createCellLog, type FetchedCells } from './cell-log.ts'
import { createDisk } from './disk-faults.ts'
import type { ChainFiles } from './lock-directory.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import type { PackedCells } from './packed-cells.ts'
import { createReads } from './read-blocks.ts'
import { type BlockRow, decodeMessage, encodeMessage, encodeSignatures, RECORD } from './records.ts'
import { recover } from './recover.ts'
import { openStepIndex } from './step-index.ts'
import { createRows } from './step-rows.ts'

export interface WaitingMessage {
  readonly at: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
  readonly boc: Uint8Array
}

/**
 * Number of cells loaded or packed after which the newest states are opened again. Their old Cell objects, with all cells read below them, can then be
 * freed.
 */
const MAX_TOUCHED = 120_000
/**
 * Maximum number of cells read between two blocks, about 8 MB, before the newest states are opened again. While no blocks are made, clients may read every
 * account.
 */
const MAX_READ = 32_768

export interface StoreExtras {
  readonly fetched?: FetchedCells | undefined
  /** Called once for each damaged record, with advice for users. */
  readonly onDamage?: ((text: string) => void) | undefined
}

const openFiles = async (paths: ChainFiles, { fetched, onDamage }: StoreExtras) => {
  const log = openLogFile(paths.log)
  const index = openStepIndex(paths.index)
  try {
    const recovered = await recover(log, index)
    const disk = createDisk(paths.log, onDamage)
    return { log, index, disk, cells: createCellLog(log.readInto, fetched), rows: createRows(log, index, disk.refuse), recovered }
  } catch (error) {
    log.close()
    index.close()
    throw error
  }
}
type Files = Awaited<ReturnType<typeof openFiles>>

const begin = async (files: Files, { shardState, masterState, tip }: Genesis, text: string): Promise<void> => {
  const packed = await runSteps(files.cells.packSteps(rootsOf(tip, undefined)))
  await appendRecord(files, {
    type: RECORD.genesis,
    after: tip,
    shardBoc: shardState.boc,
    masterBoc: masterState.boc,
    packed,
    signatures: Buffer.from(text),
    waiting: [],
    controlAt: 0,
  })
}

const tipAt = ({ rows, cells }: Files, seqno: number): ChainTip => {
  const { shard, master, keyBlockSeqno } = rows.row(seqno)
  const endOf = ({ id, stateAt, endLt, utime }: BlockRow): ChainTip['master'] => ({ id, state: cells.load(stateAt), endLt, utime })
  return { shard: endOf(shard), master: endOf(master), keyBlockSeqno }
}

const waitingAt = (log: LogFile, at: number): WaitingMessage => {
  const record = log.recordAt(at, true)
  if (record?.type !== RECORD.message) throw new Error(`the chain's log holds no message at ${at}`)
  return { at, ...decodeMessage(log.read(record.bodyAt, record.length)) }
}

/**
 * Opens the chain's storage: one append-only log with blocks and states, of which only cells in use are in memory. An empty log gets the genesis and the
 * text that `make` returns. If the log is damaged before its end, throws LogDamage and does not change the log.
 */
export const openChainStore = async (
  paths: ChainFiles,
  make: () => Promise<{ readonly genesis: Genesis; readonly text: string }>,
  extras: StoreExtras = {},
) => {
  const files = await openFiles(paths, extras)
  const { log, index, disk, cells, rows, recovered } = files
  let { controlAt } = recovered
  if (index.count() === 0) {
    try {
      const { genesis, text } = await make()
      await begin(files, genesis, text)
    } catch (error) {
      log.close()
      index.close()
      throw error
    }
  }
  const { headSeqno } = rows
  let tip = tipAt(files, headSeqno())
  // Number of cells read so far, including those of a fork's fetched log. The newest states keep them in memory.
  const touched = (): number => cells.touched() + (extras.fetched?.touched() ?? 0)
  let touchedBefore = 0
  let readBefore = touched()
  let epoch = 0
  const headOf = (at: ChainTip): Head => ({ id: at.master.id, utime: at.master.utime, epoch })
  const hub = createHeadHub(headOf(tip))
  /** Opens the newest states again after many reads. Code that has the old states can still use them. */
  const currentTip = (): ChainTip => {
    if (touched() - readBefore > MAX_READ) {
      tip = tipAt(files, headSeqno())
      readBefore = touched()
    }
    return tip
  }
  const { forget, ...reads } = createReads({ log, rows, cells, tip: currentTip })

  const zero = rows.row(0)
  const reading: BlockStore = {
    ...reads,
    head: hub.head,
    heads: hub.heads,
    zeroState: { workchain: MASTERCHAIN, rootHash: zero.master.id.rootHash, fileHash: zero.master.id.fileHash },
    zeroIds: [zero.master.id, zero.shard.id],
  }
  return {
    ...reading,
    /** JSON with the chain's format and options. */
    genesisText: log.read(zero.signaturesAt, zero.signaturesLength).toString(),
    tip: currentTip,
    /** Packs the new cells of the next step for `appendStep`, in turns: a step may have 100,000 of them. The log may get messages meanwhile. */
    packStep: (step: Step, signal?: AbortSignal): Promise<PackedCells> => runSteps(cells.packSteps(rootsOf(step.tip, tip)), signal),
    /**
     * Writes a step with its packed cells and the log offsets of the messages that still wait. The record is written when the call returns. Resolves with the
     * new tip when the states refer to the cells in the log.
     */
    appendStep: async (step: Step, messages: readonly number[], packed: PackedCells): Promise<ChainTip> => {
      const seqno = headSeqno() + 1
      if (step.master.id.seqno !== seqno || step.shard.id.seqno !== seqno) {
        throw new Error(`step ${seqno} was made of blocks ${step.master.id.seqno} and ${step.shard.id.seqno}`)
      }
      tip = await appendRecord(files, {
        type: RECORD.step,
        after: step.tip,
        shardBoc: step.shard.boc,
        masterBoc: step.master.boc,
        packed,
        signatures: encodeSignatures(step.signatures),
        waiting: messages,
        controlAt,
      })
      if (touched() - touchedBefore > MAX_TOUCHED) {
        tip = tipAt(files, seqno)
        touchedBefore = touched()
      }
      readBefore = touched()
      hub.set(headOf(tip))
      return tip
    },
    message: (at: number): WaitingMessage => waitingAt(log, at),
    /** Returns the log offset of the message's record. */
    appendMessage: (acceptedAt: number, boc: Uint8Array): number =>
      disk.write(() => log.append(RECORD.message, encodeMessage(acceptedAt, boc))),
    /** Removes every block above `seqno`. Messages that waited before the revert are not restored by a restart. Throws RangeError if there is no such block. */
    revert: (seqno: number): ChainTip => {
      const body = Buffer.alloc(4)
      body.writeUInt32LE(seqno, 0)
      if (!(seqno >= 0 && seqno <= headSeqno())) throw new RangeError(`no block ${seqno} to go back to`)
      disk.write(() => log.append(RECORD.revert, body))
      index.truncate(seqno + 1)
      forget()
      tip = tipAt(files, seqno)
      readBefore = touched()
      epoch++
      hub.set(headOf(tip))
      return tip
    },
    /** Saves the controls' state (JSON with the time and the snapshots). A restart restores the newest one. */
    saveControl: (text: string): void => {
      controlAt = disk.write(() => log.append(RECORD.control, Buffer.from(text)))
    },
    control: (): string | undefined => {
      const record = controlAt > 0 ? log.recordAt(controlAt, true) : undefined
      return record?.type === RECORD.control ? log.read(record.bodyAt, record.length).toString() : undefined
    },
    /** Log offsets of the messages that waited when the log was opened. */
    waiting: recovered.waiting,
    /** What had to be repaired at the end of the log when it was opened. */
    mended: { cutBytes: recovered.cutBytes, missingSteps: recovered.missingSteps },
    trouble: disk.trouble,
    sync: log.sync,
    close: (): void => {
      hub.close()
      forgetCode()
      log.close()
      index.close()
    },
  }
}
export type ChainStore = Awaited<ReturnType<typeof openChainStore>>
