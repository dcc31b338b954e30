import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'

const hashIn = (library: Cell): string => Buffer.from(library.sliceExotic().skip(8).loadBytes(32)).toString('latin1')

/** The libraries of a run, and the limit of look-ups. A RUNVM child shares the libraries of its parent. */
export class Libraries {
  /** Roots of HashmapE 256 whose values have the library as their first reference. */
  private readonly roots: readonly Cell[]
  /** Maximum number of different hashes that may be looked up; undefined for no limit. */
  private readonly limit: number | undefined
  private readonly requested = new Set<string>()
  /** Hash (hex) of the last library that was in none of the roots. */
  missing: string | undefined

  constructor(roots: readonly Cell[], limit?: number) {
    this.roots = roots
    this.limit = limit
  }

  /** Finds the cell that a library cell refers to; undefined if it is not found. The look-up costs no gas. */
  find(library: Cell): Cell | undefined {
    const hash = hashIn(library)
    if (this.limit !== undefined) {
      if (this.requested.size === this.limit && !this.requested.has(hash)) return undefined
      this.requested.add(hash)
    }
    return this.lookup(hash)
  }

  /** Like `find`, but does not count the look-up. For the code that a run starts with. */
  peek(library: Cell): Cell | undefined {
    return this.lookup(hashIn(library))
  }

  private lookup(hash: string): Cell | undefined {
    const key = BigInt(`0x${Buffer.from(hash, 'latin1').toString('hex')}`)
    for (const root of this.roots) {
      const found = lookupIn(root, key, hash)
      if (found !== undefined) return found
    }
    this.missing = Buffer.from(hash, 'latin1').toString('hex')
    return undefined
  }
}

/** Looks up a library in one root. A malformed dictionary counts as empty. */
const lookupIn = (root: Cell, key: bigint, hash: string): Cell | undefined => {
  try {
    const value = dictGet(root, 256, key)
    if (value === undefined || value.remainingRefs === 0) return undefined
    const cell = value.preloadRef()
    return cell.hashKey() === hash ? cell : undefined
  } catch {
    return undefined
  }
}
