import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { parseStateInit, type StateInit, stateInitCell } from '../tlb/state/state-init.ts'

/* Finds the StateInit whose hash is a given address, among the cells that a get-method hashed to compute that address. */

/** Number of hashed cells, newest first, that are tried in pairs as code and data. */
const MAX_PAIRED = 16
const MAX_PREFIX = 31

/** Returns whether an address equals a hash except for the first `prefix` bits. A contract may choose these bits to select its shard (fixed_prefix_length). */
const isAddress = (address: Uint8Array, hash: Uint8Array, prefix: number): boolean => {
  const whole = prefix >>> 3
  if (!sameBytes(address.subarray(whole + 1), hash.subarray(whole + 1))) return false
  return ((address[whole]! ^ hash[whole]!) & (0xff >>> (prefix & 7))) === 0
}

/**
 * Finds the StateInit whose hash is `address`. `codes`: further candidates for the code, because Tolk hashes a StateInit without its cell, so that `hashed`
 * may lack the code cell. In steps, because a get-method can hash a hundred thousand cells.
 */
export function* stateInitSteps(
  address: Uint8Array,
  hashed: readonly Cell[],
  codes: readonly Cell[],
): Generator<void, StateInit | undefined> {
  for (const cell of hashed) {
    yield
    const init = attempt(() => parseStateInit(cell))
    if (init?.code && init.data && isAddress(address, cell.hash(), init.splitDepth ?? 0)) return init
  }
  const newest = hashed.slice(-MAX_PAIRED)
  for (const code of [...codes, ...newest])
    for (const data of newest) {
      yield
      for (let splitDepth: number | undefined; (splitDepth ?? 0) <= MAX_PREFIX; splitDepth = (splitDepth ?? 0) + 1) {
        const init = { code, data, splitDepth }
        if (isAddress(address, stateInitCell(init).hash(), splitDepth ?? 0)) return init
      }
    }
  return undefined
}
