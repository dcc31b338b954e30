import type { Cell } from '../../../cell/cell.ts'
import { dictEntries } from '../../../cell/dict.ts'
import { attempt } from '../../../cell/error.ts'
import type { Slice } from '../../../cell/slice.ts'

/*
 * TON compilers put a contract's methods into a dictionary by method id at the beginning of the code: FF00 SETCP0, then F4A4_ DICTPUSHCONST n (13 bits,
 * HashmapE n, 10 bits for n; https://docs.ton.org/tvm.pdf A.11.6), then DICTIGETJMPZ. Tact 1.6 and newer put the dictionary into a continuation (8F_rxxcccc
 * PUSHCONT, A.8.1) that is called for get-methods only. recv_internal comes after the continuation.
 */

const SETCP0 = 0xff00
const PUSH_CONT = 0b1000111
/** Bits of PUSHCONT before the code of its continuation. */
const PUSH_CONT_BITS = 16
const DICT_PUSH_CONST = 0b1111010010100
const MAX_KEY = 32
/** Maximum number of methods. Real contracts have fewer, but a crafted dictionary could have half a million. */
const MAX_METHODS = 2_048

/**
 * Returns the get-methods of a code by their positive ids, ascending. Main (0) and the negative ids of other entry points are left out. Empty if the code
 * does not begin with a method dictionary.
 */
export const methodBodies = (code: Cell): readonly (readonly [id: number, body: Slice])[] => {
  const bodies: [number, Slice][] = []
  attempt(() => {
    if (code.exotic) return
    const s = code.slice()
    if (s.remainingBits >= 16 && s.preloadUint(16) === SETCP0) s.skip(16)
    if (s.remainingBits >= PUSH_CONT_BITS && s.preloadUint(7) === PUSH_CONT) s.skip(PUSH_CONT_BITS)
    if (s.loadUint(13) !== DICT_PUSH_CONST || !s.loadBit()) return
    const keyBits = s.loadUint(10)
    if (keyBits < 2 || keyBits > MAX_KEY) return
    const half = 1n << BigInt(keyBits - 1)
    // The limit of cells covers the leaves and the forks above them, the entry 0, and the unfinished forks of a larger dictionary.
    for (const [key, body] of dictEntries(s.loadRef(), keyBits, { cells: 2 * (MAX_METHODS + 1) + keyBits })) {
      // Keys are signed: the upper half is negative and comes last.
      if (key >= half || bodies.length === MAX_METHODS) break
      if (key > 0n) bodies.push([Number(key), body])
    }
  })
  return bodies
}

export const methodIds = (code: Cell): readonly number[] => methodBodies(code).map(([id]) => id)
