import { createPauses } from '../../../base/yield.ts'
import { HEADER_BYTES, LogDamage, type LogFile } from './log-file.ts'
import { decodeStep, RECORD, STEP_BYTES, type StepRow } from './records.ts'
import type { StepIndex } from './step-index.ts'

export const readStepRow = (log: LogFile, at: number): StepRow => decodeStep(log.read(at + HEADER_BYTES, STEP_BYTES), at + HEADER_BYTES)

/** Offset of the newest step that both the index and the log contain. Removes later steps from the index. */
const lastWholeStep = async (log: LogFile, index: StepIndex): Promise<number> => {
  const pause = createPauses()
  for (let last = index.count() - 1; last >= 0; last--) {
    const record = log.recordAt(index.at(last), true)
    const isStep = record?.type === RECORD.step || record?.type === RECORD.genesis
    if (isStep && readStepRow(log, record.at).seqno === last) return record.at
    index.truncate(last)
    await pause()
  }
  return 0
}

/**
 * Throws, because the index has blocks but the log has no genesis, so that a new genesis would be written: LogDamage if intact records follow, otherwise an
 * Error with advice.
 */
const mustBeNew = async (log: LogFile, steps: number): Promise<void> => {
  const next = await log.nextWhole(8)
  if (next !== undefined) throw new LogDamage(0, next)
  throw new Error(
    `chain.log has no genesis, though chain.idx knows of ${steps} blocks: put a copy of chain.log in its place, or remove chain.idx to begin a new chain`,
  )
}

/** Cuts the log's torn tail and updates the index from the log. If the log is damaged before its end, throws LogDamage and does not change the log. */
export const recover = async (log: LogFile, index: StepIndex) => {
  /** Offset of the newest control record; 0 before the first control record. */
  let controlAt = 0
  /** Offsets of accepted messages that no block includes: those that waited after the last block, and those accepted since. */
  let waiting: number[] = []
  const size = log.size()
  if (index.count() > 0 && log.recordAt(0, true)?.type !== RECORD.genesis) await mustBeNew(log, index.count())
  /** Number of steps in the index whose records are not in the log any more. */
  let missingSteps = 0
  while (missingSteps < index.count() && index.at(index.count() - 1 - missingSteps) >= size) missingSteps++
  const from = await lastWholeStep(log, index)
  // The last step is visited again, because its record contains the list of waiting messages.
  if (index.count() > 0) index.truncate(index.count() - 1)
  const cutBytes = await log.recover(from, (record) => {
    if (record.type === RECORD.genesis || record.type === RECORD.step) {
      const step = readStepRow(log, record.at)
      // The record is intact but its seqno is wrong: it comes from another chain.
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
