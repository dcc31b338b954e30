import { type Cell, CellError } from '../../../cell/cell.ts'
import { dictEntries } from '../../../cell/dict.ts'

/*
 * TON compilers put a contract's methods into a dictionary by method id at the beginning of the code:
 * FF00 SETCP0, then F4A4_ DICTPUSHCONST n (13 bits, HashmapE n, 10 bits for n; https://docs.ton.org/tvm.pdf A.11.6), then DICTIGETJMPZ.
 */

const SETCP0 = 0xff00
const DICT_PUSH_CONST = 0b1111010010100
const LONGEST_KEY = 32
/** Limit of methods, more than any real contract has: a crafted dictionary can have half a million. */
const MOST = 2_048

/** Positive method ids of a code, ascending. Main (0) and the negative ids of other entry points are left out. Empty without such a dictionary. */
export const methodIds = (code: Cell): readonly number[] => {
  const ids: number[] = []
  try {
    if (code.exotic) return []
    const s = code.slice()
    if (s.remainingBits >= 16 && s.preloadUint(16) === SETCP0) s.skip(16)
    if (s.loadUint(13) !== DICT_PUSH_CONST || !s.loadBit()) return []
    const keyBits = s.loadUint(10)
    if (keyBits < 2 || keyBits > LONGEST_KEY) return []
    const half = 1n << BigInt(keyBits - 1)
    for (const [key] of dictEntries(s.loadRef(), keyBits)) {
      // Keys are signed: the upper half is negative and comes last.
      if (key >= half || ids.length === MOST) break
      if (key > 0n) ids.push(Number(key))
    }
    return ids
  } catch (error) {
    if (error instanceof CellError) return ids
    throw error
  }
}
