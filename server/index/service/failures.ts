import type { Log } from '../../base/log.ts'
import { databaseFault } from '../../store/postgres/faults.ts'
import { IndexRefusal } from '../follow/open-index.ts'
import type { StatusBoard } from './status.ts'

const RETRY_MS = 1_000
/** Maximum pause in milliseconds. The pause doubles while the same failure repeats. */
const MAX_RETRY_MS = 5_000
/** Pause after a failure that only a person can fix. */
const REFUSED_MS = 30_000

/** The board, which also logs when the index goes on after a failure. */
export const logRecoveries = (board: StatusBoard, log: Log): StatusBoard => {
  let isFailing = false
  return {
    ...board,
    update(change) {
      board.update(change)
      if (change.phase === 'failing' || change.phase === 'refused') isFailing = true
      else if (isFailing && change.error === '') {
        isFailing = false
        log.info('index.recovered', { seqno: board.status().seqno })
      }
    },
  }
}

/**
 * Returns a function that logs an error and returns the milliseconds before the next attempt. A repeated error without progress is logged as `debug`.
 * `patience`: replaces the pauses in tests.
 */
export const createFailures = (board: StatusBoard, log: Log, patience?: number): ((error: unknown) => number) => {
  let last = { text: '', seqno: -1, pause: 0 }
  return (error) => {
    const text = error instanceof Error ? error.message : String(error)
    const { seqno } = board.status()
    const isNews = text !== last.text || seqno !== last.seqno
    log[isNews ? 'error' : 'debug']('index.failed', { err: error })
    const isRefusal = error instanceof IndexRefusal
    board.update({ phase: isRefusal ? 'refused' : 'failing', error: text, cause: databaseFault(error) ?? '' })
    last = { text, seqno, pause: isNews ? (patience ?? RETRY_MS) : Math.min(last.pause * 2, MAX_RETRY_MS) }
    return isRefusal ? (patience ?? REFUSED_MS) : last.pause
  }
}
