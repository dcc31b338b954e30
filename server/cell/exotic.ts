import { type ByteString, Cell } from './cell.ts'
import { CellError, type CellErrorKind } from './error.ts'
import { depthOf, LIBRARY, MAX_DEPTH, MERKLE_PROOF, MERKLE_UPDATE, maskOf, POPCOUNT, PRUNED, packMeta, SOLID } from './meta-word.ts'

/*
 * The four exotic types, with the checks of DataCell::create of ton-blockchain/ton:
 *   pruned branch   01, level mask, a hash for each level of the mask, a depth for each level; no references
 *   library         02, hash; no references
 *   Merkle proof    03, hash and depth of its only reference at level 0
 *   Merkle update   04, two hashes and two depths: those of its two references at level 0
 */

/** Returns the error in the shape of an exotic cell; undefined if the shape is valid. `mask` is the second byte; it is used only for pruned branches. */
export const exoticFault = (type: number, bits: number, refs: number, mask: number): string | undefined => {
  switch (type) {
    case PRUNED:
      if (refs !== 0) return `a pruned branch with ${refs} references`
      if (bits < 16) return `a pruned branch of ${bits} bits`
      if (mask < 1 || mask > 7) return `a pruned branch with level mask ${mask}`
      return bits === 16 + 272 * POPCOUNT[mask]! ? undefined : `a pruned branch of level mask ${mask} with ${bits} bits`
    case LIBRARY:
      if (refs !== 0) return `a library cell with ${refs} references`
      return bits === 264 ? undefined : `a library cell of ${bits} bits instead of 264`
    case MERKLE_PROOF:
      if (refs !== 1) return `a Merkle proof with ${refs} references`
      return bits === 280 ? undefined : `a Merkle proof of ${bits} bits instead of 280`
    case MERKLE_UPDATE:
      if (refs !== 2) return `a Merkle update with ${refs} references`
      return bits === 552 ? undefined : `a Merkle update of ${bits} bits instead of 552`
    default:
      return `an exotic cell of unknown type ${type}`
  }
}

const fault = (kind: CellErrorKind, text: string): never => {
  throw new CellError(kind, text)
}

/** Makes an exotic cell. `data` has the completion tag. Throws CellError `range`, `overflow` or `proof`. */
export const finishExotic = (data: ByteString, bits: number, refs: readonly Cell[]): Cell => {
  if (bits < 8) fault('range', `an exotic cell of ${bits} bits`)
  const type = data.charCodeAt(0)
  const wrong = exoticFault(type, bits, refs.length, bits < 16 ? 0 : data.charCodeAt(1))
  if (wrong !== undefined) fault('range', wrong)
  let mask = type === PRUNED ? data.charCodeAt(1) : 0
  let depth = 0
  let solid = SOLID
  if (type === PRUNED) {
    for (let at = 2 + 32 * POPCOUNT[mask]!; at < data.length; at += 2) {
      const stored = (data.charCodeAt(at) << 8) | data.charCodeAt(at + 1)
      if (stored > MAX_DEPTH) fault('overflow', `a pruned branch of depth ${stored}`)
    }
  }
  refs.forEach((child, i) => {
    const hash = data.substring(1 + 32 * i, 33 + 32 * i)
    const at = 1 + 32 * refs.length + 2 * i
    const stored = (data.charCodeAt(at) << 8) | data.charCodeAt(at + 1)
    if (child.hashKey(0) !== hash) fault('proof', `a Merkle cell whose hash ${i} is not that of its reference`)
    if (child.depth(0) !== stored) fault('proof', `a Merkle cell whose depth ${i} is not that of its reference`)
    mask |= maskOf(child.meta) >>> 1
    depth = Math.max(depth, depthOf(child.meta) + 1)
    solid &= child.meta
  })
  if (depth > MAX_DEPTH) fault('overflow', `cell depth ${depth} is over ${MAX_DEPTH}`)
  const cell = new Cell(packMeta(bits, refs.length, type, mask, depth) | solid, data, undefined, refs[0], refs[1], refs[2], refs[3])
  if (mask !== 0) cell.hashKey()
  return cell
}
