import type { ClientConfig } from 'pg'
import { TonError } from '../../../shared/errors.ts'

export interface ChainPosition {
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  readonly seqno: number
}

/**
 * Returns a negative number if `a` is older than `b`. Between two reverts of the chain (in one epoch) the head only grows. A later epoch may begin with a
 * lower block.
 */
export const comparePositions = (a: ChainPosition, b: ChainPosition): number => a.epoch - b.epoch || a.seqno - b.seqno

export class BehindError extends TonError {
  constructor({ seqno }: ChainPosition, floor: ChainPosition) {
    super('UNAVAILABLE', `the database is at block ${seqno}, and answers up to block ${floor.seqno} were given`, { retryAfter: 1 })
  }
}

/** The newest head that an answer of this process has used. No later answer may use an older head. */
export type Floor = ReturnType<typeof createFloor>

/** Settings for a thread that reads the database on its own connection, and the floor for its answers. */
export interface ReadableDatabase {
  readonly connection: ClientConfig
  readonly floor: Floor
}

/**
 * `least`: the oldest head that answers may use at first. A thread that builds large v3 pages starts with the newest head that the requesting thread has
 * used, so that no page is older than an earlier answer.
 */
export const createFloor = (least?: ChainPosition) => {
  let floor = least
  return {
    at: (): ChainPosition | undefined => floor,
    /** Records the head of an answer. Throws BehindError if that head is below the floor; otherwise raises the floor. */
    admit(place: ChainPosition): void {
      if (floor !== undefined && comparePositions(place, floor) < 0) throw new BehindError(place, floor)
      floor = place
    },
    /** Raises the floor to the head of an answer from another thread. */
    raise(place: ChainPosition): void {
      if (floor === undefined || comparePositions(place, floor) > 0) floor = place
    },
  }
}
