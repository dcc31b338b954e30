import { TonError } from '../../../../shared/errors.ts'

/** Texts for failed writes, by error code of the system. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EFBIG: 'its file is as large as the system allows',
  EROFS: 'its disk takes no writes',
  EIO: 'its disk fails',
}

/** Runs the writes of a chain's files and remembers why the last one failed. */
export interface Disk {
  /** Runs a write. If the disk refuses it, throws TonError UNAVAILABLE with the cause. The next write may succeed. */
  write<T>(work: () => T): T
  /** Why the last write failed, as a text for users; empty if it succeeded. */
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
