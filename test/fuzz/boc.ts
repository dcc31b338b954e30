import { parseBoc, serializeBoc } from '../../server/cell/boc.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { createRandom } from '../kit/random.ts'
import { layoutOf, mutant, type Seed } from './mutate.ts'

export interface Finding {
  readonly seed: string
  readonly reason: string
  readonly hex: string
}

export interface FuzzResult {
  passed: number
  /** Of those, how many were still good bags. */
  accepted: number
  readonly findings: Finding[]
  /** Longest time one input took, in milliseconds, of inputs that took it twice. */
  slowest: number
}

export const seedOf = (name: string, bytes: Buffer): Seed => ({ name, bytes, layout: layoutOf(bytes) })

/** Reads every cell below the roots once; what a reader does with an accepted bag. */
const walk = (roots: readonly Cell[]): number => {
  const seen = new Set<string>()
  const stack = [...roots]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = cell.hashKey()
    if (seen.has(key)) continue
    seen.add(key)
    const s = cell.sliceExotic()
    s.skip(s.remainingBits)
    for (let i = 0; i < cell.refCount; i++) stack.push(s.loadRef())
    s.end()
  }
  return seen.size
}

/** What is wrong with how the reader takes an input; undefined if nothing is. Tells by `true` whether it was accepted. */
const judge = (bytes: Buffer, onAccepted?: (bytes: Buffer, roots: readonly Cell[]) => void): string | boolean => {
  let roots: Cell[]
  try {
    roots = parseBoc(bytes)
  } catch (error) {
    if (error instanceof CellError)
      return error.kind === 'boc' && error.message.startsWith('bag of cells: ') ? false : `kind ${error.kind}: ${error.message}`
    return `not a CellError: ${error instanceof Error ? error.stack : error}`
  }
  try {
    walk(roots)
    const again = parseBoc(serializeBoc(roots))
    if (again.length !== roots.length) return `${again.length} roots after a round trip, ${roots.length} before`
    for (const [i, root] of roots.entries()) {
      if (again[i]!.hashHex() !== root.hashHex()) return `root ${i} has another hash after a round trip`
    }
    onAccepted?.(bytes, roots)
    return true
  } catch (error) {
    return `accepted, then: ${error instanceof Error ? error.stack : error}`
  }
}

export interface FuzzOptions {
  /** How long a megabyte of input may take; time is not judged without. */
  readonly msLimit?: number
  /** A look at what was accepted; what it throws is a finding. */
  readonly onAccepted?: (bytes: Buffer, roots: readonly Cell[]) => void
}

/** Feeds mutants of good bags to the reader. */
export const fuzzBoc = (seeds: readonly Seed[], count: number, randomSeed: number, options: FuzzOptions = {}): FuzzResult => {
  const { msLimit = Number.POSITIVE_INFINITY, onAccepted } = options
  const random = createRandom(randomSeed)
  const result: FuzzResult = { passed: 0, accepted: 0, findings: [], slowest: 0 }
  for (let i = 0; i < count; i++) {
    const { bytes, seed } = mutant(seeds, random)
    const start = performance.now()
    let verdict = judge(bytes, onAccepted)
    let ms = performance.now() - start
    const limit = msLimit * Math.max(1, bytes.length / 2 ** 20)
    if (ms > limit) {
      // Perhaps a collection of garbage, or another process: only what is slow every time counts.
      for (let again = 0; again < 3 && ms > limit; again++) {
        const from = performance.now()
        judge(bytes)
        ms = performance.now() - from
      }
      result.slowest = Math.max(result.slowest, ms)
      if (ms > limit) verdict = `took ${ms.toFixed(0)} ms for ${bytes.length} bytes`
    }
    if (typeof verdict === 'string')
      result.findings.push({ seed: seed.name, reason: verdict, hex: bytes.subarray(0, 4096).toString('hex') })
    else {
      result.passed++
      if (verdict) result.accepted++
    }
  }
  return result
}
