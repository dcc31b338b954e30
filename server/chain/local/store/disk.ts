import { TonError } from '../../../../shared/errors.ts'

/** What the system says of a write that the disk does not take, by its code. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EFBIG: 'its file is as large as the system allows',
  EROFS: 'its disk takes no writes',
  EIO: 'its disk fails',
}

/** The writes of a chain's files, and what is wrong with them. */
export interface Disk {
  /** Runs a write. What the disk refuses is thrown as UNAVAILABLE with the cause; the next write may succeed. */
  write<T>(work: () => T): T
  /** Why the last write failed, for people; empty when it did not. */
  trouble(): string
}

export const createDisk = (): Disk => {
  let trouble = ''
  return {
    write(work) {
      try {
        const result = work()
        trouble = ''
        return result
      } catch (error) {
        const cause = CAUSES[(error as NodeJS.ErrnoException).code ?? '']
        if (cause === undefined) throw error
        trouble = `the chain cannot be written: ${cause}`
        throw new TonError('UNAVAILABLE', trouble, { cause: error, retryAfter: 1 })
      }
    },
    trouble: () => trouble,
  }
}
