import { HEADER_BYTES, LogDamage, type LogFile } from './log-file.ts'
import { decodeStep, RECORD, STEP_BYTES, type StepRow } from './records.ts'
import type { StepIndex } from './step-index.ts'

/** Row of the step (or genesis) whose record begins at a place. */
export const readStepRow = (log: LogFile, at: number): StepRow => decodeStep(log.read(at + HEADER_BYTES, STEP_BYTES), at + HEADER_BYTES)

/** The newest step that both the index and the log know; what the index has beyond it is dropped. */
const lastKnown = (log: LogFile, index: StepIndex): number => {
  for (let last = index.count() - 1; last >= 0; last--) {
    const record = log.recordAt(index.at(last), true)
    const isStep = record?.type === RECORD.step || record?.type === RECORD.genesis
    if (isStep && readStepRow(log, record.at).seqno === last) return record.at
    index.truncate(last)
  }
  return 0
}

/** What a log was found to hold when it was opened. */
export interface Recovered {
  /** Where the newest control record is; 0 before the first. */
  readonly controlAt: number
  /** Where the messages stand that were accepted and are in no block: those that waited after the last step, and those accepted since. */
  readonly waiting: readonly number[]
  /** Bytes of a torn tail that were cut; 0 for none. */
  readonly cutBytes: number
  /** Steps that the index places beyond the end of the log: the log was longer once. */
  readonly missingSteps: number
}

/** Throws unless the log is damaged in a way that is told better: a log without a genesis, which would be begun anew, is not of an index with blocks. */
const mustBeNew = (log: LogFile, steps: number): void => {
  const next = log.nextWhole(8)
  if (next !== undefined) throw new LogDamage(0, next)
  throw new Error(
    `chain.log has no genesis, though chain.idx knows of ${steps} blocks: put a copy of chain.log in its place, or remove chain.idx to begin a new chain`,
  )
}

/** Brings the index up to the log, whose torn tail is cut. Throws LogDamage, with the log as it was, if it is damaged before its end. */
export const recover = (log: LogFile, index: StepIndex): Recovered => {
  let controlAt = 0
  let waiting: number[] = []
  const size = log.size()
  if (index.count() > 0 && log.recordAt(0, true)?.type !== RECORD.genesis) mustBeNew(log, index.count())
  let missingSteps = 0
  while (missingSteps < index.count() && index.at(index.count() - 1 - missingSteps) >= size) missingSteps++
  const from = lastKnown(log, index)
  // The last step is read again with what follows it.
  if (index.count() > 0) index.truncate(index.count() - 1)
  const cutBytes = log.recover(from, (record) => {
    if (record.type === RECORD.genesis || record.type === RECORD.step) {
      const step = readStepRow(log, record.at)
      // Whole, but of another chain or another time: blocks can only follow each other.
      if (step.seqno !== index.count()) throw new LogDamage(record.at, record.at)
      index.push(record.at)
      const list = log.read(step.waitingAt, 8 * step.waitingCount)
      controlAt = step.controlAt
      waiting = Array.from({ length: step.waitingCount }, (_, i) => Number(list.readBigUInt64LE(8 * i)))
    } else if (record.type === RECORD.message) waiting.push(record.at)
    else if (record.type === RECORD.control) controlAt = record.at
    else if (record.type === RECORD.revert) {
      index.truncate(log.read(record.bodyAt, 4).readUInt32LE(0) + 1)
      waiting = []
    }
  })
  return { controlAt, waiting, cutBytes, missingSteps }
}
