import { TonError } from '../../../../shared/errors.ts'

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EFBIG: 'its file is as large as the system allows',
  EROFS: 'its disk takes no writes',
  EIO: 'its disk fails',
}

/** Describes an error of the disk. Undefined for other errors. */
export const diskCause = (error: unknown): string | undefined => CAUSES[(error as NodeJS.ErrnoException).code ?? '']

/** `path`: the chain's log. `onDamage`: called once for each damaged offset. */
export const createDisk = (path: string, onDamage: (text: string) => void = () => {}) => {
  let trouble = ''
  let damage = ''
  const seen = new Set<number>()
  return {
    /** Runs a write. If the write fails because of the disk, throws TonError UNAVAILABLE with the cause. Later writes may succeed. */
    write<T>(work: () => T): T {
      try {
        const result = work()
        trouble = ''
        return result
      } catch (error) {
        const cause = diskCause(error)
        if (cause === undefined) throw error
        trouble = `the chain cannot be written: ${cause}`
        throw new TonError('UNAVAILABLE', trouble, { cause: error, retryAfter: 1 })
      }
    },
    refuse(seqno: number, at: number): never {
      damage =
        `${path} is damaged at byte ${at}, so block ${seqno} cannot be read. Stop tonway, and put a copy of the file in its place; or run ` +
        '`tonway repair` with the same --data-dir, which keeps the blocks before the damage and puts the rest aside'
      if (!seen.has(at)) {
        seen.add(at)
        onDamage(damage)
      }
      throw new TonError('UNAVAILABLE', damage)
    },
    /** Text for users about the last failed write, or about damage; empty if there is neither. */
    trouble: (): string => trouble || damage,
  }
}
export type Disk = ReturnType<typeof createDisk>
