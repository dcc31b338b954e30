import type { Cell } from '../../../cell/cell.ts'
import type { BlockId } from '../../../tlb/ids.ts'
import type { ChainTip } from '../model.ts'
import type { CellLog } from './cell-log.ts'
import type { Disk } from './disk.ts'
import { HEADER_BYTES, type LogFile } from './log-file.ts'
import { encodeStep, stepPrefixBytes } from './records.ts'
import type { StepIndex } from './step-index.ts'

interface MadePart {
  readonly id: BlockId
  readonly boc: Uint8Array
  readonly state: Cell
}

/** Parts of a step's record. */
export interface StepRecord {
  /** One of RECORD. */
  readonly type: number
  readonly step: { readonly shard: MadePart; readonly master: MadePart }
  readonly tip: ChainTip
  /** The previous tip, whose cells are not written again. */
  readonly before: ChainTip | undefined
  readonly signatures: Uint8Array
  /** Log offsets of the messages that wait after the step. */
  readonly waiting: readonly number[]
  readonly controlAt: number
}

/** Writes a step to the log; returns its tip with states that are read from the log. */
export const appendRecord = (
  files: { readonly log: LogFile; readonly index: StepIndex; readonly disk: Disk; readonly cells: CellLog },
  p: StepRecord,
): ChainTip => {
  const { log, index, disk, cells } = files
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
      // The step will be made again, and two steps with one seqno in the log would be damage.
      log.cut(at)
      throw error
    }
  })
  packed.commit()
  return { ...tip, shard: { ...tip.shard, state: shardState! }, master: { ...tip.master, state: masterState! } }
}
