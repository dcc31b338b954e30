import { type Budget, spendCell } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'

/** Bytes joined from several cells. `cut` is true if the bytes end early because of the limit. */
export interface Assembled {
  readonly bytes: Uint8Array
  readonly cut: boolean
}

const joinBits = (parts: readonly { readonly data: Uint8Array; readonly bits: number }[]): Uint8Array | undefined => {
  const total = parts.reduce((sum, part) => sum + part.bits, 0)
  if (total % 8 !== 0) return undefined
  const joined = new Uint8Array(total / 8)
  let at = 0
  for (const { data, bits } of parts) {
    if (at % 8 === 0) joined.set(data, at >> 3)
    else {
      for (let i = 0; i < data.length; i++) {
        const shifted = data[i]! << (8 - (at & 7))
        const byte = (at >> 3) + i
        joined[byte]! |= shifted >> 8
        if (byte + 1 < joined.length) joined[byte + 1]! |= shifted & 0xff
      }
    }
    at += bits
  }
  return joined
}

/** Reads snake data: the rest of a slice, then its first reference, and so on. undefined if the bits are not whole bytes. */
export const readSnake = (s: Slice, maxBytes: number): Assembled | undefined => {
  const parts: { data: Uint8Array; bits: number }[] = []
  let bits = 0
  for (let cell: Slice = s; ; cell = cell.preloadRef().slice()) {
    const here = cell.remainingBits
    if (bits + here > maxBytes * 8) return finish(parts, true)
    parts.push({ data: cell.clone().loadBits(here), bits: here })
    bits += here
    if (cell.remainingRefs === 0) return finish(parts, false)
  }
}

/**
 * Reads chunked data: the bits of the cells at keys 0, 1, 2, ... of a dictionary. undefined if the bits are not whole bytes. Each chunk costs one cell of the
 * budget.
 */
export const readChunks = (root: Cell | undefined, maxBytes: number, budget: Budget): Assembled | undefined => {
  const parts: { data: Uint8Array; bits: number }[] = []
  let bits = 0
  for (let i = 0n; ; i++) {
    spendCell(budget)
    const chunk = root && dictGet(root, 32, i)
    if (!chunk || chunk.remainingRefs === 0) return finish(parts, false)
    const cell = chunk.loadRef().slice()
    const here = cell.remainingBits
    // An empty chunk ends the data, because a crafted dictionary could have almost endlessly many empty chunks.
    if (here === 0 || bits + here > maxBytes * 8) return finish(parts, here !== 0)
    parts.push({ data: cell.loadBits(here), bits: here })
    bits += here
  }
}

const finish = (parts: readonly { data: Uint8Array; bits: number }[], cut: boolean): Assembled | undefined => {
  const bytes = joinBits(parts)
  return bytes && { bytes, cut }
}

/** Decodes UTF-8 text; undefined if the bytes are not UTF-8. An incomplete last character is dropped if the bytes were cut. */
export const utf8 = ({ bytes, cut }: Assembled): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}
