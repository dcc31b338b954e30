import { TonError } from '../../../shared/errors.ts'
import type { Handlers } from '../../base/call.ts'
import { createPermits } from '../../base/permits.ts'
import { createPauses, mapWithPauses } from '../../base/yield.ts'
import { methodNames } from '../../book/interfaces.ts'
import { parseAccountBocOr } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { libraryHash } from '../../chain/libraries.ts'
import { methodBodies } from '../../index/topics/contracts/method-dictionary.ts'
import { disassemble } from '../../tvm/disassemble.ts'
import { NEWEST_VERSION } from '../../tvm/versions.ts'
import { base64 } from '../wire.ts'

/* Lists the get-methods of a contract's code, and its instructions cell by cell. The code is untrusted, so the work is limited. */

const MAX_CELLS = 300
const MAX_LINES = 20_000

const codeOf = (boc: Uint8Array): Promise<Cell> =>
  parseAccountBocOr(boc, (error) => new TonError('INVALID_PARAMS', `failed to parse code: ${error.message}`, { cause: error }))

const refsOf = (slice: Slice): Cell[] => Array.from({ length: slice.remainingRefs }, (_, i) => slice.preloadRef(i))

/** Lists instructions, MAX_LINES lines at most in total. */
const createListing = () => {
  let left = MAX_LINES
  return {
    isFull: (): boolean => left <= 0,
    lines(code: Slice): string[] {
      if (left <= 0) return []
      const lines = disassemble(code, NEWEST_VERSION, left).map(({ text }) => text)
      left -= lines.length
      return lines
    },
  }
}

/** Lists the cells referenced by these slices, breadth first, each once. Exotic cells are skipped, because they contain no instructions. */
const listCells = async (
  from: readonly Slice[],
  skip: Cell | undefined,
  listing: ReturnType<typeof createListing>,
  signal: AbortSignal,
) => {
  const seen = new Set<string>(skip ? [skip.hashHex()] : [])
  const queue = from.flatMap(refsOf)
  const cells: { hash: string; lines: string[] }[] = []
  const pause = createPauses(undefined, signal)
  let truncated = false
  for (let i = 0; i < queue.length; i++) {
    const cell = queue[i]!
    const name = cell.hashHex()
    if (seen.has(name) || cell.exotic) continue
    if (cells.length === MAX_CELLS || listing.isFull()) {
      truncated = true
      break
    }
    seen.add(name)
    const slice = cell.slice()
    cells.push({ hash: base64(Buffer.from(name, 'hex')), lines: listing.lines(slice) })
    queue.push(...refsOf(slice))
    await pause()
  }
  return { cells, truncated }
}

const dictionaryOf = (code: Cell, hasMethods: boolean): Cell | undefined => (hasMethods ? refsOf(code.slice())[0] : undefined)

export const codeHandlers = () => {
  /** A code of a few hundred bytes can have a megabyte of listing, whose objects take several times as much memory. */
  const permits = createPermits({ atOnce: 2, waiting: 256, patience: 8_000, text: 'too many codes are listed at once; try again' })
  return {
    async inspectCode({ code: boc }, { signal, client }) {
      using _permit = await permits.take(signal, client)
      const code = await codeOf(boc)
      const hash = base64(Buffer.from(code.hashHex(), 'hex'))
      if (code.exotic) {
        const library = libraryHash(code)
        return { hash, library: library ? base64(library) : null, methods: [], lines: [], cells: [], truncated: false }
      }
      const listing = createListing()
      const bodies = methodBodies(code)
      const lines = listing.lines(code.slice())
      // After MAX_LINES, methods are listed with number and name only.
      const methods = await mapWithPauses(
        bodies,
        ([id, body]) => ({ id, name: methodNames.get(id) ?? null, lines: listing.lines(body) }),
        signal,
      )
      const from = [code.slice(), ...bodies.map(([, body]) => body)]
      const { cells, truncated } = await listCells(from, dictionaryOf(code, bodies.length > 0), listing, signal)
      return { hash, library: null, methods, lines, cells, truncated: truncated || listing.isFull() }
    },
  } satisfies Partial<Handlers>
}
