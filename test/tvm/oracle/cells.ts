import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import { type Cell, CellError } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { type MsgAddressInt, storeAddressExt, storeAddressInt } from '../../../server/tlb/address.ts'
import type { Random } from '../../kit/random.ts'

/* Random pieces that transactions are made of. */

export const randomBytes = (random: Random, n: number): Uint8Array => random.bytes(n)

/** An amount that is often nothing, small, or near something that matters. */
export const randomGrams = (random: Random): bigint => {
  switch (random.below(8)) {
    case 0:
      return 0n
    case 1:
      return BigInt(random.below(1000))
    case 2:
      return BigInt(random.below(1_000_000))
    case 3:
    case 4:
      return BigInt(random.below(20_000_000))
    case 5:
    case 6:
      return BigInt(random.below(2_000_000_000))
    default:
      return BigInt(random.below(2 ** 31)) * 1000n
  }
}

/** A tree of random cells; `size` is about how many. */
export const randomTree = (random: Random, size: number, bits = 200): Cell => {
  const b = beginCell()
  const n = random.below(bits)
  b.storeBits(randomBytes(random, (n + 7) >> 3), n)
  let left = size - 1
  for (let i = 0; i < 4 && left > 0; i++) {
    const part = i === 3 ? left : 1 + random.below(left)
    b.storeRef(randomTree(random, part, bits))
    left -= part
  }
  return b.end()
}

/** A chain of cells. */
export const chain = (length: number): Cell => {
  let cell = beginCell().storeUint(length, 16).end()
  for (let i = 1; i < length; i++) cell = beginCell().storeUint(i, 16).storeRef(cell).end()
  return cell
}

/** A library cell of a hash, or a Merkle proof: exotic cells that a contract may put anywhere. */
export const exotic = (random: Random): Cell => {
  const inside = randomTree(random, 2)
  if (random.chance(0.5)) return beginCell().storeUint(2, 8).storeBytes(inside.hash()).endExotic()
  return merkle(inside)
}
const merkle = (inside: Cell): Cell =>
  beginCell().storeUint(3, 8).storeBytes(inside.hash(0)).storeUint(inside.depth(0), 16).storeRef(inside).endExotic()

/** Merkle proofs within each other. */
export const nestedProofs = (random: Random, depth: number): Cell => {
  let cell = randomTree(random, 1)
  for (let i = 0; i < depth; i++) cell = merkle(cell)
  return cell
}

export const randomExtra = (random: Random, zeros = false): Cell | undefined => {
  const ids = new Set(Array.from({ length: 1 + random.below(3) }, () => BigInt(random.below(4) * 7)))
  return dictFromEntries(
    32,
    [...ids].map((id) => [id, beginCell().storeVarUint(BigInt(random.below(200)) + (zeros && random.chance(0.3) ? 0n : 1n), 5)] as const),
  )
}

export const std = (workchain: number, hash: Uint8Array): MsgAddressInt => ({ type: 'std', workchain, hash })

/** A destination: mostly good, sometimes in a form or workchain that is not allowed. */
export const randomDestination = (random: Random): MsgAddressInt => {
  const hash = randomBytes(random, 32)
  switch (random.below(14)) {
    case 0:
      return std(7, hash)
    case 1:
      return std(-1, hash)
    case 2:
      return { type: 'var', workchain: 0, bits: 256, data: hash }
    case 3:
      return { type: 'var', workchain: 0, bits: 100, data: beginCell().storeBits(hash, 100).end().data() }
    case 4: {
      const depth = 1 + random.below(12)
      return {
        type: 'var',
        workchain: 0,
        bits: 256,
        data: hash,
        std: true,
        anycast: { depth, prefix: beginCell().storeBits(hash, depth, 3).end().data() },
      }
    }
    default:
      return std(random.chance(0.2) ? -1 : 0, hash)
  }
}

/** VarUInteger 16, where `sloppy` sometimes with a leading zero byte, which the emulator still let pass. */
export const storeSloppyCoins = (b: Builder, random: Random, value: bigint, sloppy: boolean): Builder =>
  random.chance(0.02) && sloppy ? b.storeUint(9, 4).storeUint(value, 72) : b.storeCoins(value)

/** The source of a message that a contract sends. */
export const storeSource = (b: Builder, random: Random, own: MsgAddressInt): Builder => {
  switch (random.below(14)) {
    case 0:
      return storeAddressInt(b, std(0, randomBytes(random, 32)))
    case 1:
      return storeAddressExt(b, { type: 'extern', bits: 11, data: Uint8Array.of(0xab, 0xc0) })
    case 2:
    case 3:
    case 4:
      return storeAddressInt(b, own)
    default:
      return storeAddressInt(b, undefined)
  }
}

/** What `make` builds, or the empty cell where it does not fit. */
export const orEmpty = (make: () => Cell): Cell => {
  try {
    return make()
  } catch (error) {
    if (error instanceof CellError) return beginCell().end()
    throw error
  }
}
