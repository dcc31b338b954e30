import type { ChainEnd, ChainTip, PackedStep, Step } from '../model.ts'
import type { CellLog } from './cell-log.ts'
import type { Disk } from './disk-faults.ts'
import { HEADER_BYTES, type LogFile } from './log-file.ts'
import { landed, landedBytes, type OwnPackedCells } from './packed-cells.ts'
import { encodeStep, stepPrefixBytes } from './records.ts'
import type { StepIndex } from './step-index.ts'

type RecordStep = Pick<PackedStep, 'shard' | 'master' | 'keyBlockSeqno' | 'cells'>

export interface RecordParts {
  readonly type: number
  readonly step: RecordStep
  readonly signatures: Uint8Array
  readonly waiting: readonly number[]
  readonly controlAt: number
  /** The last blocks and states; undefined before the genesis. */
  readonly before: ChainTip | undefined
}

const endOf = ({ id, endLt, utime }: ChainEnd): ChainEnd => ({ id, endLt, utime })

/** Serializes a step for the log. `before`: the last blocks and states, whose cells are in the log already. */
export const packStep = (
  cells: Pick<CellLog, 'pack'>,
  { shard, master, tip, signatures, sent, printed, refused, postponed, pending, lacking }: Step,
  before: ChainTip,
): PackedStep & { readonly cells: OwnPackedCells } => ({
  shard: { ...endOf(tip.shard), boc: shard.boc },
  master: { ...endOf(tip.master), boc: master.boc },
  keyBlockSeqno: tip.keyBlockSeqno,
  signatures,
  sent,
  printed,
  refused,
  postponed,
  pending,
  ...(lacking && { lacking }),
  cells: cells.pack([
    { root: shard.state, before: before.shard.state },
    { root: master.state, before: before.master.state },
  ]),
})

const isOwn = (cells: PackedStep['cells']): cells is OwnPackedCells => 'land' in cells

/**
 * The states of a record whose cells begin at log offset `at`. States packed in this thread are used directly; other states are read from the log and share
 * loaded cells with the previous states.
 */
const statesOf = (log: CellLog, { step, before }: RecordParts, at: number): readonly ChainTip['shard']['state'][] => {
  if (isOwn(step.cells)) return step.cells.land(at)
  const olds = [before?.shard.state, before?.master.state]
  return step.cells.roots.map((root, i) => {
    const place = landed(root, at)
    const old = olds[i]
    return old === undefined ? log.load(place) : log.follow(place, old)
  })
}

export const appendRecord = (
  files: { readonly log: LogFile; readonly index: StepIndex; readonly disk: Disk; readonly cells: CellLog },
  record: RecordParts,
): ChainTip => {
  const { log, index, disk, cells } = files
  const { step } = record
  const parts = { shardBoc: step.shard.boc, masterBoc: step.master.boc, signatures: record.signatures, waiting: record.waiting }
  const cellsAt = log.end() + HEADER_BYTES + stepPrefixBytes(parts)
  const [shardAt, masterAt] = step.cells.roots.map((root) => landed(root, cellsAt))
  const draft = {
    seqno: step.master.id.seqno,
    keyBlockSeqno: step.keyBlockSeqno,
    controlAt: record.controlAt,
    shard: { ...endOf(step.shard), stateAt: shardAt! },
    master: { ...endOf(step.master), stateAt: masterAt! },
  }
  const body = encodeStep(draft, parts, landedBytes(step.cells, cellsAt))
  const [shardState, masterState] = disk.write(() => {
    const at = log.append(record.type, body)
    try {
      const states = statesOf(cells, record, cellsAt)
      index.push(at)
      return states
    } catch (error) {
      // The record must be removed: the step will be made again, and two steps with one seqno would count as damage.
      log.cut(at)
      throw error
    }
  })
  return {
    shard: { ...endOf(step.shard), state: shardState! },
    master: { ...endOf(step.master), state: masterState! },
    keyBlockSeqno: step.keyBlockSeqno,
  }
}
