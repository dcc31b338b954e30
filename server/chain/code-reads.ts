import type { Cell } from '../cell/cell.ts'
import type { ConfigForm } from '../tvm/tvm.ts'

/*
 * What code may read of the chain around it. PREVBLOCKSINFO is some 250 cells, and a configuration as many or more, which the emulator hashes anew in
 * every run: most of the time of a small get-method, for something that hardly any contract reads. Instructions stand at any bit within the leaves of
 * a method dictionary, so every bit is tried; what is found by chance costs time only.
 */

/** What is found, as bits. */
const PREV_BLOCKS = 1
const CONFIG = 2
const REGISTER = 4
const HASH = 8
/** Of code that is not here to be searched. */
export const ALL = PREV_BLOCKS | CONFIG | REGISTER | HASH

const SHORT: readonly (readonly [number, number])[] = [
  // GETPARAM 9 (CONFIGROOT), CONFIGDICT, CONFIGPARAM, CONFIGOPTPARAM; the tuple of unpacked parameters is of those that the emulator itself reads
  ...[0xf829, 0xf830, 0xf832, 0xf833].map((opcode) => [opcode, CONFIG] as const),
  // GETPARAM 13 (PREVBLOCKSINFOTUPLE)
  [0xf82d, PREV_BLOCKS],
  // GETGLOBVAR, c7 PUSHCTR, PUSHCTRX: whatever c7 holds, which is hardly ever the configuration
  ...[0xf840, 0xed47, 0xede0].map((opcode) => [opcode, REGISTER] as const),
  // HASHCU, HASHSU, HASHBU
  ...[0xf900, 0xf901, 0xcf51].map((opcode) => [opcode, HASH] as const),
]
const LONG: ReadonlyMap<number, number> = new Map([
  // PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100
  ...[0xf83400, 0xf83401, 0xf83402].map((opcode) => [opcode, PREV_BLOCKS] as const),
  // GETPARAMLONG 9 and 13
  [0xf88109, CONFIG],
  [0xf8810d, PREV_BLOCKS],
])
/** Mark of the first 16 bits of LONG. */
const PREFIX = 16
const BY_16_BITS = new Uint8Array(1 << 16)
for (const [opcode, found] of SHORT) BY_16_BITS[opcode]! |= found
for (const opcode of LONG.keys()) BY_16_BITS[opcode >>> 8]! |= PREFIX

const foundIn = (cell: Cell): number => {
  const data = cell.data()
  let found = 0
  let window = 0
  for (let i = 0; i < cell.bits; i += 1) {
    window = ((window << 1) | ((data[i >>> 3]! >>> (7 - (i & 7))) & 1)) & 0xffffff
    if (i >= 15) found |= BY_16_BITS[window & 0xffff]!
    if (i >= 23 && BY_16_BITS[window >>> 8]! & PREFIX) found |= LONG.get(window) ?? 0
  }
  return found & ALL
}

export interface Reads {
  readonly prevBlocks: boolean
  /**
   * How much of the configuration a run needs: nothing but what the emulator reads where no instruction asks for more; all of it where hashes are
   * taken, which would show that a parameter was left out.
   */
  readonly config: ConfigForm
}

/** What code needs in which bits are found. */
export const readsOf = (found: number): Reads => ({
  prevBlocks: (found & PREV_BLOCKS) !== 0,
  config: (found & (CONFIG | REGISTER)) === 0 ? 'own' : found & CONFIG && found & HASH ? 'full' : 'slim',
})

/** Cells of one tree that are searched. */
const MAX_CELLS = 4_096

/** What instructions anywhere in a tree of cells may read, as bits: of several trees, their union. Trees of more cells than `most` may hold them all. */
export const searchCode = (tree: Cell, most = MAX_CELLS): number => {
  const seen = new Set<string>()
  const stack = [tree]
  let found = 0
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = cell.hashKey()
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > most) return ALL
    found |= foundIn(cell)
    for (let i = 0; i < cell.refCount; i += 1) stack.push(cell.ref(i))
  }
  return found
}
