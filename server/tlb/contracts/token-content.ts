import type { Budget } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'
import { attempt } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'
import { type Assembled, readChunks, readSnake, utf8 } from '../message/snake.ts'
import { nameKey } from '../name-key.ts'

/* TEP-64 token data. Content outside the chain is not fetched. A semi-chain token has its `uri` as one of its attributes. */

export type TokenContent =
  | { readonly type: 'offchain'; readonly data: string }
  | { readonly type: 'onchain'; readonly data: { readonly [attribute: string]: string } }

/** Maximum number of chunks of all values. A cell has 127 bytes, so values of real tokens have only a few chunks. */
const MAX_CHUNKS = 1024
/** Maximum size of one assembled value in bytes. A longer value is cut at the end of a cell, as TON Center does. */
const MAX_VALUE = 8192

/** The attributes that are returned. Other attributes in the dictionary are ignored. */
const ATTRIBUTES = (
  ['uri', 'name', 'description', 'image', 'image_data', 'symbol', 'decimals', 'amount_style', 'render_type'] as const
).map((name) => ({ name, key: nameKey(name) }))

/* snake#00 data:(SnakeData ~n) = ContentData; chunks#01 data:(HashmapE 32 ^(SnakeData ~0)) = ContentData; */
const readValue = (s: Slice, budget: Budget): Assembled | undefined => {
  const tag = s.loadUint(8)
  if (tag === 0) return readSnake(s, MAX_VALUE)
  return tag === 1 ? readChunks(s.loadMaybeRef(), MAX_VALUE, budget) : undefined
}

const readAttribute = (root: Cell, key: bigint, budget: Budget): Assembled | undefined =>
  attempt(() => {
    const found = dictGet(root, 256, key)
    if (!found) return undefined
    // TEP-64 stores a value in a cell of its own, but some contracts store the value inline.
    return readValue(found.remainingBits === 0 && found.remainingRefs === 1 ? found.loadRef().slice() : found, budget)
  })

/*
 * offchain#01 uri:Text = FullContent; onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;
 * Unreadable values are omitted. Returns undefined if the cell has neither form. Throws CellError for a malformed cell.
 */
export const readContent = (cell: Cell): TokenContent | undefined => {
  const s = cell.slice()
  const tag = s.loadUint(8)
  if (tag === 1) {
    const uri = readSnake(s, MAX_VALUE)
    const data = uri && utf8(uri)
    return data === undefined ? undefined : { type: 'offchain', data }
  }
  if (tag !== 0) return undefined
  const root = s.loadMaybeRef()
  const data: Record<string, string> = {}
  const budget = { cells: MAX_CHUNKS }
  for (const { name, key } of root ? ATTRIBUTES : []) {
    const value = readAttribute(root!, key, budget)
    const text = value && (name === 'image_data' ? Buffer.from(value.bytes).toString('base64') : utf8(value))
    if (text !== undefined) data[name] = text
  }
  return { type: 'onchain', data }
}
