import { parseBoc } from '../../server/cell/boc.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { recordedTraces } from '../actions/recorded.ts'
import { vectors } from '../decode/vectors.ts'
import { listData, readData, readJson } from '../kit/data.ts'

/* Cells of real blocks, states, accounts and messages, of every form once or twice. */

/** Cells of one tree that are looked at: the trees are different, so a part of each is enough. */
const MAX_OF_TREE = 3000

/** The roots of a bag. A handful of the data is malformed on purpose. */
const parsed = (bytes: Uint8Array): Cell[] => {
  try {
    return parseBoc(bytes)
  } catch (error) {
    if (error instanceof CellError) return []
    throw error
  }
}

const inlineRoots = (): Cell[] =>
  ['account', 'shard_account', 'message', 'transaction', 'state_init', 'shard_state', 'contract_code'].flatMap((name) =>
    readJson<{ readonly boc: string }[]>(`inline/${name}.json`)
      .slice(0, 60)
      .flatMap(({ boc }) => parsed(Buffer.from(boc, 'base64'))),
  )

const fileRoots = (folder: string, most: number): Cell[] =>
  listData(folder, /\.boc$/)
    .slice(0, most)
    .flatMap((path) => parsed(readData(path)))

const bodies = (): Cell[] => vectors('traces').flatMap(({ body }) => parsed(Buffer.from(body, 'base64')))

const stateInits = (): Cell[] =>
  Object.values(recordedTraces())
    .flatMap(({ transactions }) => transactions.flatMap((tx) => (tx.in?.init === undefined ? [] : [tx.in.init])))
    .flatMap((boc) => parsed(Buffer.from(boc, 'base64')))

/** What two cells of one form have in common: their size and how they begin. */
const formOf = (cell: Cell): string => {
  const beginning = cell.sliceExotic().preloadUint(Math.min(cell.bits, 12))
  return `${cell.type} ${Math.min(cell.bits, 40)} ${cell.refCount} ${beginning}`
}

/** Cells of all kinds, roots first, at most `perForm` of one form. */
export const realCells = (perForm: number): readonly Cell[] => {
  const roots = [
    ...inlineRoots(),
    ...fileRoots('config', 6),
    ...fileRoots('blocks', 12),
    ...fileRoots('chain', 3),
    ...bodies(),
    ...stateInits(),
  ]
  const forms = new Map<string, number>()
  const seen = new Set<string>()
  const found: Cell[] = []
  for (const root of roots) {
    const open = [root]
    for (let i = 0; i < open.length && i < MAX_OF_TREE; i++) {
      const cell = open[i]!
      if (seen.has(cell.hashKey())) continue
      seen.add(cell.hashKey())
      for (let j = 0; j < cell.refCount; j++) open.push(cell.ref(j))
      const form = formOf(cell)
      const count = forms.get(form) ?? 0
      forms.set(form, count + 1)
      if (count < perForm) found.push(cell)
    }
  }
  return found
}
