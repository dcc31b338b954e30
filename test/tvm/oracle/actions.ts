import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { type MsgAddressInt, storeAddressExt, storeAddressInt } from '../../../server/tlb/address.ts'
import { type StateInit, stateInitCell, storeStateInit } from '../../../server/tlb/state/state-init.ts'
import type { Random } from '../../kit/random.ts'
import {
  chain,
  exotic,
  nestedProofs,
  orEmpty,
  randomBytes,
  randomDestination,
  randomExtra,
  randomGrams,
  randomTree,
  storeSloppyCoins,
  storeSource,
} from './cells.ts'

/* Random lists of actions, as contracts leave them in c5: good ones, and every way of being wrong. */

const MODES = [0, 1, 2, 3, 16, 17, 18, 32, 64, 65, 66, 80, 96, 128, 130, 144, 160, 162, 176, 192, 4, 8]

export const randomLibraries = (random: Random): Cell | undefined => {
  if (random.chance(0.5)) return undefined
  const entries = Array.from({ length: 1 + random.below(3) }, () => {
    const library = randomTree(random, 1 + random.below(6))
    const key = random.chance(0.9) ? library.hash() : randomBytes(random, 32)
    return [BigInt(`0x${Buffer.from(key).toString('hex')}`), beginCell().storeBit(random.chance(0.6)).storeRef(library)] as const
  })
  return dictFromEntries(256, new Map(entries))
}

export const randomInit = (random: Random): StateInit => ({
  splitDepth: random.chance(0.1) ? random.below(10) : undefined,
  special: random.chance(0.1) ? { tick: random.chance(0.5), tock: random.chance(0.5) } : undefined,
  code: random.chance(0.9) ? randomTree(random, 1 + random.below(4)) : undefined,
  data: random.chance(0.9) ? randomTree(random, 1 + random.below(4)) : undefined,
  // Sometimes no dictionary at all.
  library: random.chance(0.8) ? undefined : random.chance(0.6) ? randomLibraries(random) : randomTree(random, 2),
})

const storeInit = (b: Builder, random: Random): Builder => {
  if (random.chance(0.75)) return b.storeBit(0)
  const init = randomInit(random)
  return random.chance(0.4) ? b.storeUint(3, 2).storeRef(stateInitCell(init)) : storeStateInit(b.storeUint(2, 2), init)
}

const randomBody = (random: Random): Cell => {
  switch (random.below(10)) {
    case 0:
      return exotic(random)
    case 1:
      return chain(1 + random.below(10))
    case 2:
      return nestedProofs(random, random.below(4))
    case 3:
      return randomTree(random, 20 + random.below(30))
    default:
      return randomTree(random, 1 + random.below(6), random.chance(0.3) ? 1000 : 200)
  }
}

const storeBody = (b: Builder, random: Random): Builder => {
  const body = randomBody(random)
  const inline = !body.exotic && random.chance(0.5) && b.bits + 1 + body.bits <= 1023 && b.refs + body.refCount <= 4
  return inline ? b.storeBit(0).storeCell(body) : b.storeBit(1).storeRef(body)
}

const randomMessage = (random: Random, own: MsgAddressInt, sloppy: boolean): Cell => {
  const b = beginCell()
  if (random.chance(0.85)) {
    b.storeUint(random.below(8), 4)
    storeAddressInt(storeSource(b, random, own), randomDestination(random))
    const extra = random.chance(0.15) ? randomExtra(random, true) : undefined
    storeSloppyCoins(b, random, randomGrams(random), sloppy).storeMaybeRef(extra)
    storeSloppyCoins(b, random, random.chance(0.7) ? 0n : BigInt(random.below(6)), sloppy)
    storeSloppyCoins(b, random, random.chance(0.7) ? 0n : BigInt(random.below(2_000_000)), sloppy)
  } else {
    storeSource(b.storeUint(3, 2), random, own)
    storeAddressExt(b, random.chance(0.5) ? undefined : { type: 'extern', bits: 9, data: Uint8Array.of(1, 0x80) })
  }
  b.storeUint(random.below(1000), 64).storeUint(random.below(1000), 32)
  return storeBody(storeInit(b, random), random).end()
}

const storeAction = (b: Builder, random: Random, own: MsgAddressInt, sloppy: boolean): Builder => {
  const kind = random.below(20)
  if (kind < 12) {
    const message = orEmpty(() => randomMessage(random, own, sloppy))
    const mode = random.chance(0.97) ? random.pick(MODES) : random.below(256)
    return b.storeUint(0x0ec3c86d, 32).storeUint(mode, 8).storeRef(message)
  }
  if (kind < 15) {
    b.storeUint(0x36e6b809, 32).storeUint(random.chance(0.8) ? random.below(16) : random.below(40), 8)
    return storeSloppyCoins(b, random, randomGrams(random), sloppy).storeMaybeRef(random.chance(0.1) ? randomExtra(random) : undefined)
  }
  if (kind < 16) return b.storeUint(0xad4de08e, 32).storeRef(random.chance(0.9) ? randomTree(random, 1 + random.below(30)) : exotic(random))
  if (kind < 19) {
    b.storeUint(0x26fa1dd4, 32).storeUint(random.chance(0.8) ? random.below(3) : random.below(20), 7)
    if (random.chance(0.3)) return b.storeBit(0).storeBytes(randomBytes(random, 32))
    return b.storeBit(1).storeRef(random.chance(0.2) ? nestedProofs(random, random.below(4)) : randomTree(random, 1 + random.below(5)))
  }
  const bits = random.below(100)
  return b.storeBits(randomBytes(random, 13), bits)
}

/** A list of actions of an account with address `own`; `sloppy` lets amounts be written with leading zeros. */
export const randomActions = (random: Random, own: MsgAddressInt, sloppy: boolean): Cell => {
  const end = random.chance(0.97) ? EMPTY_CELL : random.chance(0.5) ? exotic(random) : beginCell().storeUint(1, 3).end()
  const count = random.chance(0.02) ? 250 + random.below(10) : random.below(5)
  let list = end
  for (let i = 0; i < count; i++) {
    const before = list
    list = orEmpty(() => {
      const action = storeAction(beginCell().storeRef(before), random, own, sloppy).end()
      return action
    })
  }
  return list
}
