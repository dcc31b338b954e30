import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictFromEntries } from '../cell/dict.ts'
import { nameKey } from '../tlb/name-key.ts'

/*
 * https://github.com/ton-blockchain/TEPs/blob/master/text/0064-token-data-standard.md
 * onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;   keys are sha256 of the attributes' names
 * offchain#01 uri:Text = FullContent;
 * snake#00 data:(SnakeData ~n) = ContentData;
 */

export type Attributes = Readonly<Record<string, string | undefined>>

const BYTES_PER_CELL = 126

/** Writes bytes into a chain of cells (snake format). */
export const snake = (bytes: Uint8Array): Cell => {
  let tail: Cell | undefined
  for (let from = Math.max(0, Math.ceil(bytes.length / BYTES_PER_CELL) - 1) * BYTES_PER_CELL; from >= 0; from -= BYTES_PER_CELL) {
    const cell = beginCell().storeBytes(bytes.subarray(from, from + BYTES_PER_CELL))
    tail = (tail === undefined ? cell : cell.storeRef(tail)).end()
  }
  return tail!
}

const tagged = (tag: number, text: string): Cell => snake(Buffer.concat([Buffer.from([tag]), Buffer.from(text, 'utf8')]))

/** The dictionary of on-chain content. Undefined attributes are left out. */
export const contentDictionary = (attributes: Attributes): Cell | undefined =>
  dictFromEntries(
    256,
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[nameKey(name), beginCell().storeRef(tagged(0, value))] as const],
    ),
  )

/** TEP-64 content: off-chain if `uri` is the only attribute, semi-chain if there are others, on-chain without `uri`. */
export const contentCell = (attributes: Attributes): Cell => {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const { uri } = attributes
  if (uri !== undefined && given.length === 1) return tagged(1, uri)
  return beginCell().storeUint(0, 8).storeMaybeRef(contentDictionary(attributes)).end()
}
