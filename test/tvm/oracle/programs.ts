import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { storeAddressInt } from '../../../server/tlb/address.ts'
import { configParam } from '../../../server/tlb/config/config-dictionary.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/value.ts'
import { createRandom, type Random } from '../../kit/random.ts'
import { exotic, randomBytes, randomExtra, randomTree, std } from './cells.ts'
import { configOf } from './configs.ts'
import { hintOf } from './hints.ts'
import type { Opcode } from './opcodes.ts'

/* Random programs: a stack that suits the first instruction more often than not, and a few instructions. */

export interface ProgramCase {
  readonly seed: number
  readonly version: number
  /** Names of its instructions. */
  readonly names: readonly string[]
  readonly code: Cell
  readonly data: Cell
  readonly stack: readonly VmStackValue[]
  readonly c7: VmStackValue
  readonly gas: number
  readonly libraries: Cell
}

const VERSIONS = [15, 15, 15, 14, 14, 13, 13, 12, 12, 11, 10, 9, 8, 7, 6, 5, 4]

const int = (value: bigint): VmStackValue => ({ type: 'int', value })
const slice = (cell: Cell): VmStackValue => ({ type: 'slice', cell })

const randomInt = (random: Random): bigint => {
  const sign = random.chance(0.4) ? -1n : 1n
  switch (random.below(7)) {
    case 0:
      return BigInt(random.below(3)) * sign
    case 1:
    case 2:
      return BigInt(random.below(300)) * sign
    case 3:
      return ((1n << BigInt(random.below(256))) - BigInt(random.below(3))) * sign
    case 4:
      return BigInt(`0x${Buffer.from(randomBytes(random, 1 + random.below(32))).toString('hex')}`) * sign
    case 5:
      return BigInt(random.below(2 ** 31)) * 4_194_304n * sign
    default:
      return sign > 0n ? (1n << 256n) - 1n : -(1n << 256n)
  }
}

const randomSlice = (random: Random): Cell => {
  switch (random.below(5)) {
    case 0:
      return storeAddressInt(beginCell(), std(random.chance(0.5) ? 0 : -1, randomBytes(random, 32))).end()
    case 1: {
      const bytes = random.below(100)
      return beginCell()
        .storeBits(randomBytes(random, bytes), bytes * 8)
        .end()
    }
    case 2:
      return beginCell()
        .storeMaybeRef(random.chance(0.7) ? dictOf(random, 32).root : undefined)
        .storeUint(7, 9)
        .end()
    default:
      return randomTree(random, 1 + random.below(5), 300)
  }
}

interface Dict {
  readonly root: Cell | undefined
  readonly n: number
  readonly keys: readonly bigint[]
}

const dictOf = (random: Random, n: number): Dict => {
  const count = random.chance(0.1) ? 0 : 1 + random.below(12)
  const keys = [
    ...new Set(Array.from({ length: count }, () => BigInt.asUintN(n, BigInt(random.below(2 ** 31)) * BigInt(random.below(2 ** 31))))),
  ]
  const root = dictFromEntries(
    n,
    keys.map((key) => {
      const b = beginCell().storeUint(random.below(1000), 16)
      return [key, random.chance(0.4) ? b.storeRef(EMPTY_CELL) : b] as const
    }),
  )
  return { root, n, keys }
}

const anything = (random: Random): VmStackValue => {
  switch (random.below(9)) {
    case 0:
      return { type: 'null' }
    case 1:
      return { type: 'cell', cell: random.chance(0.2) ? exotic(random) : randomTree(random, 1 + random.below(5)) }
    case 2:
      return slice(randomSlice(random))
    case 3:
      return { type: 'builder', cell: randomTree(random, 1 + random.below(3), 900) }
    case 4:
      return {
        type: 'tuple',
        items: Array.from({ length: random.below(5) }, () => (random.chance(0.5) ? int(randomInt(random)) : anything(random))),
      }
    case 5:
      return random.chance(0.2) ? { type: 'nan' } : int(BigInt(random.below(10)))
    default:
      return int(randomInt(random))
  }
}

const SIZES = [0, 1, 8, 16, 32, 64, 256]

/** A value for a letter of a hint. */
const valueFor = (random: Random, letter: string, dict: Dict): VmStackValue => {
  if (random.chance(0.05)) return anything(random)
  switch (letter) {
    case 'i':
      return int(BigInt(random.below(random.chance(0.8) ? 10 : 300) - (random.chance(0.1) ? 5 : 0)))
    case 'I':
      return int(randomInt(random))
    case 'c':
      return { type: 'cell', cell: random.chance(0.25) ? exotic(random) : randomTree(random, 1 + random.below(6)) }
    case 's':
      return slice(randomSlice(random))
    case 'b':
      return { type: 'builder', cell: randomTree(random, 1 + random.below(4), random.chance(0.3) ? 1000 : 200) }
    case 't':
      return { type: 'tuple', items: Array.from({ length: random.below(7) }, () => anything(random)) }
    case 'd':
      return dict.root === undefined ? { type: 'null' } : { type: 'cell', cell: dict.root }
    case 'n':
      return int(BigInt(random.chance(0.9) ? dict.n : random.below(1100)))
    case 'k':
      return int(keyOf(random, dict))
    case 'K': {
      const bits = random.chance(0.85) ? dict.n : random.below(dict.n + 20)
      return slice(
        beginCell()
          .storeUint(BigInt.asUintN(bits, keyOf(random, dict)), bits)
          .end(),
      )
    }
    default:
      return anything(random)
  }
}
const keyOf = (random: Random, { keys, n }: Dict): bigint =>
  keys.length > 0 && random.chance(0.6) ? keys[random.below(keys.length)]! : BigInt.asUintN(Math.max(n, 1), randomInt(random))

/** Bits of one instruction, its inline data random. */
const storeOpcode = (b: Builder, random: Random, [, from, count, bits]: Opcode): void => {
  const opcode = from + random.below(count)
  b.storeUint(Math.floor(opcode / 2 ** (24 - Math.min(bits, 24))), Math.min(bits, 24))
  if (bits > 24) b.storeBits(randomBytes(random, 4), bits - 24)
}

/** PUSHCONT with a few plain instructions: INC, DEC, DUP, DROP, RET, RETALT or a throw. */
const storeContinuation = (b: Builder, random: Random): void => {
  const bodies = ['', 'a4', 'a5', '20', '30', 'db30', 'db31', '7a', 'f205', 'a4a4', '80ff']
  const body = Buffer.from(random.pick(bodies), 'hex')
  b.storeUint(9, 4).storeUint(body.length, 4).storeBytes(body)
}

/** PUSHINT of a small number. */
const storeSmall = (b: Builder, random: Random): void => {
  b.storeUint(0x80, 8).storeUint(random.below(random.chance(0.8) ? 6 : 256), 8)
}

const buildCode = (random: Random, picks: readonly Opcode[], pushes: string): Cell => {
  const b = beginCell()
  for (const letter of pushes) {
    if (letter === 'f') storeContinuation(b, random)
    else storeSmall(b, random)
  }
  for (const pick of picks) {
    if (b.bits > 700) break
    storeOpcode(b, random, pick)
    // Most instructions have no inline data; those that do find whatever comes next.
    if (random.chance(0.08)) b.storeBits(randomBytes(random, 8), random.below(60))
  }
  const refs = random.below(4)
  for (let i = 0; i < refs; i++)
    b.storeRef(random.chance(0.1) ? exotic(random) : random.chance(0.5) ? beginCell().storeUint(0xa4, 8).end() : randomTree(random, 2))
  return b.end()
}

const contexts = new Map<number, VmStackValue>()
/** A c7 as a transaction has it, of the size that the version has. */
const contextOf = (version: number): VmStackValue => {
  const known = contexts.get(version)
  if (known !== undefined) return known
  const random = createRandom(version)
  const config = configOf(version, 'usual')
  const money: VmStackValue = { type: 'tuple', items: [int(1_000_000_007n), { type: 'cell', cell: randomExtra(random)! }] }
  const address = storeAddressInt(beginCell(), std(0, randomBytes(random, 32))).end()
  const param = (n: number): VmStackValue => slice(configParam(config, n)!)
  const block = (seqno: number): VmStackValue => ({
    type: 'tuple',
    items: [int(-1n), int(1n << 63n), int(BigInt(seqno)), int(3n), int(4n)],
  })
  const blocks = (...seqnos: number[]): VmStackValue => ({ type: 'tuple', items: seqnos.map(block) })
  const info: VmStackValue[] = [
    ...[0x076ef1ean, 0n, 0n, 1_790_000_000n, 40_000_000_000_000n, 40_000_000_000_007n, 1n << 200n].map(int),
    money,
    slice(address),
    { type: 'cell', cell: config },
    ...(version >= 4 ? [{ type: 'cell', cell: randomTree(random, 2) } as VmStackValue, money, int(77n)] : []),
    ...(version >= 4
      ? [{ type: 'tuple', items: [blocks(700, 699), block(690), ...(version >= 9 ? [blocks(700, 600)] : [])] } as VmStackValue]
      : []),
    ...(version >= 6
      ? [
          { type: 'tuple', items: [slice(randomTree(random, 1)), ...[19, 20, 21, 24, 25, 43].map(param)] } as VmStackValue,
          int(5n),
          { type: 'null' } as VmStackValue,
        ]
      : []),
    ...(version >= 11
      ? [
          {
            type: 'tuple',
            items: [int(-1n), int(0n), slice(address), ...[9n, 8n, 7n, 6n, 5n].map(int), { type: 'null' }, { type: 'null' }],
          } as VmStackValue,
        ]
      : []),
  ]
  const context: VmStackValue = { type: 'tuple', items: [{ type: 'tuple', items: info }] }
  contexts.set(version, context)
  return context
}

/** Where the library of a library cell may be found. */
const randomLibraries = (random: Random): Cell => {
  const library = randomTree(random, 2)
  return dictFromEntries(256, [[BigInt(`0x${library.hashHex()}`), beginCell().storeBit(1).storeRef(library)]])!
}

/** The case of a seed. `first` (an index of `opcodes`) makes it begin with that instruction. */
export const makeProgramCase = (opcodes: readonly Opcode[], seed: number, first?: number, version?: number): ProgramCase => {
  const random = createRandom(seed)
  const pick = (): Opcode => opcodes[random.below(opcodes.length)]!
  const picks = [first === undefined ? pick() : opcodes[first]!]
  if (first === undefined) while (picks.length < 4 && random.chance(0.5)) picks.push(pick())
  const hint = random.chance(0.9) ? hintOf(picks[0]![0]) : ''
  const split = hint.indexOf('f')
  const dict = dictOf(random, SIZES[random.below(SIZES.length)]!)
  const under = Array.from({ length: random.below(4) }, () => anything(random))
  const args = [...(split < 0 ? hint : hint.slice(0, split))].map((letter) => valueFor(random, letter, dict))
  const at = version ?? random.pick(VERSIONS)
  return {
    seed,
    version: at,
    names: picks.map(([name]) => name),
    code: buildCode(random, picks, split < 0 ? '' : hint.slice(split)),
    data: randomTree(random, 2),
    stack: [...under, ...args],
    c7: contextOf(at),
    gas: random.chance(0.85) ? 100_000 : 1 + random.below(1500),
    libraries: randomLibraries(random),
  }
}
