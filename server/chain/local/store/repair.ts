import { closeSync, createReadStream, createWriteStream, existsSync, fsyncSync, ftruncateSync, openSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createPauses } from '../../../base/yield.ts'
import { openLogFile } from './log-file.ts'
import { RECORD } from './records.ts'
import { readStepRow } from './recover.ts'

/* Checks a chain's log record by record. Moves the records from the damage on into another file, so that the blocks before the damage can be served again. */

export type LogReport = Awaited<ReturnType<typeof checkLog>>

/** Reads a complete log and reports how much of it is intact. Changes nothing. */
export const checkLog = async (path: string) => {
  const log = openLogFile(path)
  const pause = createPauses()
  try {
    let records = 0
    /** Seqno of the newest block in the intact records; undefined if the genesis is damaged. */
    let seqno: number | undefined
    let at = 0
    for (let record = log.recordAt(at, true); record; record = log.recordAt(at, true)) {
      const isStep = record.type === RECORD.genesis || record.type === RECORD.step
      // Seqnos increase by one from the genesis. Any other seqno means that the record comes from another chain.
      const found = isStep ? readStepRow(log, at).seqno : undefined
      if (found !== undefined ? found !== (seqno ?? -1) + 1 : seqno === undefined) break
      records++
      seqno = record.type === RECORD.revert ? log.read(record.bodyAt, 4).readUInt32LE(0) : (found ?? seqno)
      at = log.afterRecord(record)
      await pause()
    }
    const end = Math.min(at, log.size())
    return { records, seqno, end, rest: log.size() - end }
  } finally {
    log.close()
  }
}

const freeName = (path: string): string => {
  for (let i = 1; ; i++) {
    const name = i === 1 ? path : `${path}-${i}`
    if (!existsSync(name)) return name
  }
}

/** Moves the rest after the intact records into a new file and returns its path. The next start rebuilds the index. */
export const putAside = async (paths: { readonly log: string; readonly index: string }, { end }: LogReport): Promise<string> => {
  const rest = freeName(`${paths.log}.rest-${end}`)
  // Opened before the copy: a log that cannot be written leaves no copy.
  const log = openSync(paths.log, 'r+')
  try {
    await pipeline(createReadStream(paths.log, { start: end }), createWriteStream(rest, { flags: 'wx', mode: 0o600, flush: true }))
    ftruncateSync(log, end)
    fsyncSync(log)
  } finally {
    closeSync(log)
  }
  rmSync(paths.index, { force: true })
  return rest
}
