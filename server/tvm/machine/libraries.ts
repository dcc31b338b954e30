import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'

/** Libraries of a run and how many different ones it may look up. A child of RUNVM shares its parent's. */
export class Libraries {
  /** Roots of HashmapE 256 whose values have the library as their first reference. */
  private readonly roots: readonly Cell[]
  /** Different hashes that may be looked up; undefined: any number. */
  private readonly limit: number | undefined
  private readonly asked = new Set<string>()
  /** Hash (hex) of the last library that none of the roots has. */
  missing: string | undefined

  constructor(roots: readonly Cell[], limit?: number) {
    this.roots = roots
    this.limit = limit
  }

  /** What a library cell stands for. Free of gas. */
  find(library: Cell): Cell | undefined {
    const data = library.sliceExotic().skip(8)
    const hash = Buffer.from(data.loadBytes(32)).toString('latin1')
    if (this.limit !== undefined) {
      if (this.asked.size === this.limit && !this.asked.has(hash)) return undefined
      this.asked.add(hash)
    }
    return this.lookup(hash)
  }

  /** The same without counting: for the code a run begins with. */
  peek(library: Cell): Cell | undefined {
    return this.lookup(Buffer.from(library.sliceExotic().skip(8).loadBytes(32)).toString('latin1'))
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

/** A malformed dictionary has no libraries. */
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
