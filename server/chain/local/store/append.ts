import { runSteps } from '../../../base/yield.ts'
import type { ChainEnd, ChainTip } from '../model.ts'
import type { PackedRoots } from './cell-log.ts'
import type { Disk } from './disk-faults.ts'
import { HEADER_BYTES, type LogFile } from './log-file.ts'
import { landed, landedBytes, type PackedCells } from './packed-cells.ts'
import { encodeStepPrefix, type StepParts, stepPrefixBytes } from './records.ts'
import type { StepIndex } from './step-index.ts'

export interface RecordParts extends StepParts {
  readonly type: number
  /** The blocks of the record, or the zerostates of the genesis, with the states after them. */
  readonly after: ChainTip
  /** New cells of the states, in the order of `rootsOf`. */
  readonly packed: PackedCells
  readonly controlAt: number
}

const endOf = ({ id, endLt, utime }: ChainEnd): ChainEnd => ({ id, endLt, utime })

/** The states after a record, to be packed. `before`: the last blocks and states, whose cells are in the log already; undefined before the genesis. */
export const rootsOf = (after: ChainTip, before: ChainTip | undefined): PackedRoots => [
  { root: after.shard.state, before: before?.shard.state },
  { root: after.master.state, before: before?.master.state },
]

interface RecordFiles {
  readonly log: LogFile
  readonly index: StepIndex
  readonly disk: Disk
}

/** Writes a record; returns the log offset of its cells. */
const writeRecord = ({ log, index, disk }: RecordFiles, record: RecordParts): number => {
  const { after, packed } = record
  const cellsAt = log.end() + HEADER_BYTES + stepPrefixBytes(record)
  const [shardAt, masterAt] = packed.roots.map((root) => landed(root, cellsAt))
  const draft = {
    seqno: after.master.id.seqno,
    keyBlockSeqno: after.keyBlockSeqno,
    controlAt: record.controlAt,
    shard: { ...endOf(after.shard), stateAt: shardAt! },
    master: { ...endOf(after.master), stateAt: masterAt! },
  }
  const prefix = encodeStepPrefix(draft, record)
  const cells = landedBytes(packed, cellsAt)
  disk.write(() => {
    const at = log.append(record.type, prefix, cells)
    try {
      index.push(at)
    } catch (error) {
      // The record must be removed: the step will be made again, and two steps with one seqno would count as damage.
      log.cut(at)
      throw error
    }
  })
  return cellsAt
}

/** Returns the last blocks of a written record with their states as cells of the log, in several steps. `cellsAt`: the log offset of its cells. */
function* landRecord({ after, packed }: RecordParts, cellsAt: number): Generator<void, ChainTip> {
  const [shardState, masterState] = yield* packed.land(cellsAt)
  return {
    shard: { ...endOf(after.shard), state: shardState! },
    master: { ...endOf(after.master), state: masterState! },
    keyBlockSeqno: after.keyBlockSeqno,
  }
}

/** Writes a record at once; resolves with the last blocks with their states as cells of the log. A record may have half a million cells. */
export const appendRecord = (files: RecordFiles, record: RecordParts): Promise<ChainTip> => {
  const cellsAt = writeRecord(files, record)
  return runSteps(landRecord(record, cellsAt))
}
