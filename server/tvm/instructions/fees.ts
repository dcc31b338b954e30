import { Slice } from '../../cell/slice.ts'
import { CELL_UNDERFLOW, RANGE_CHECK, TYPE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import { fitted, isNaNInteger } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import { V_EARLY_UNDERFLOW } from '../versions.ts'
import { unpackedConfig } from './context.ts'
import { simple } from './define.ts'
import { entryOf } from './tuples.ts'

/* 0xF836..0xF83C: fees from the configuration's prices, in nanograms. */

/** Nanograms from a value in units of 2^-16 nanograms, rounded up. */
const rounded = (value: bigint): bigint => -(-value >> 16n)

const priceSlice = (vm: Machine, index: number): Slice => {
  const slice = entryOf(unpackedConfig(vm), index)
  if (!(slice instanceof Slice)) throw TYPE_CHECK
  return slice.clone()
}

/*
 * gas_prices#dd gas_price:uint64 ...  gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
 *   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64
 * gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices
 */
const gasPrices = (vm: Machine, masterchain: boolean) => {
  const s = priceSlice(vm, masterchain ? 2 : 3)
  let flatLimit = 0n
  let flatPrice = 0n
  const flat = s.remainingBits >= 136 && s.preloadUint(8) === 0xd1
  if (flat) {
    s.skip(8)
    flatLimit = s.loadUintBig(64)
    flatPrice = s.loadUintBig(64)
  }
  const tag = s.remainingBits >= 8 ? s.loadUint(8) : 0
  // The short form is valid only without the flat prefix, as in the node.
  if (!((tag === 0xde && s.remainingBits >= 448) || (tag === 0xdd && !flat && s.remainingBits >= 384))) throw CELL_UNDERFLOW
  return { flatLimit, flatPrice, price: s.loadUintBig(64) }
}

/** msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32 first_frac:uint16 next_frac:uint16 */
export const readForwardPrices = (slice: Slice) => {
  const s = slice.clone()
  if (s.remainingBits < 264 || s.loadUint(8) !== 0xea) throw CELL_UNDERFLOW
  return {
    lump: s.loadUintBig(64),
    bit: s.loadUintBig(64),
    cell: s.loadUintBig(64),
    ihrFactor: s.loadUintBig(32),
    /** The part of the fee that the validators of the sender's shard get, in units of 1/65536. */
    firstFraction: s.loadUintBig(16),
  }
}
export type ForwardPrices = ReturnType<typeof readForwardPrices>
const forwardPrices = (vm: Machine, masterchain: boolean): ForwardPrices => readForwardPrices(priceSlice(vm, masterchain ? 4 : 5))

const popLong = (vm: Machine): bigint => {
  const value = vm.int()
  if (isNaNInteger(value) || value < 0 || value >= 1n << 63n) throw RANGE_CHECK
  return BigInt(value)
}
const early = (vm: Machine, count: number): void => {
  if (vm.version >= V_EARLY_UNDERFLOW) vm.need(count)
}
const give = (vm: Machine, value: bigint): void => {
  vm.stack.push(fitted(value, false))
}

const getgasfee = (vm: Machine): void => {
  early(vm, 2)
  const masterchain = vm.bool()
  const gas = popLong(vm)
  const { flatLimit, flatPrice, price } = gasPrices(vm, masterchain)
  give(vm, gas <= flatLimit ? flatPrice : rounded(price * (gas - flatLimit)) + flatPrice)
}
const getgasfeesimple = (vm: Machine): void => {
  early(vm, 2)
  const masterchain = vm.bool()
  const gas = popLong(vm)
  give(vm, rounded(gasPrices(vm, masterchain).price * gas))
}
/** StoragePrices#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 */
const getstoragefee = (vm: Machine): void => {
  early(vm, 4)
  const masterchain = vm.bool()
  const seconds = popLong(vm)
  const bits = popLong(vm)
  const cells = popLong(vm)
  const entry = entryOf(unpackedConfig(vm), 0)
  if (!(entry instanceof Slice)) {
    vm.stack.push(0)
    return
  }
  const s = entry.clone()
  if (s.remainingBits < 296 || s.loadUint(8) !== 0xcc) throw CELL_UNDERFLOW
  s.skip(masterchain ? 160 : 32)
  const bitPrice = s.loadUintBig(64)
  const cellPrice = s.loadUintBig(64)
  give(vm, rounded((cells * cellPrice + bits * bitPrice) * seconds))
}
const getforwardfee = (vm: Machine, lump: boolean): void => {
  early(vm, 3)
  const masterchain = vm.bool()
  const bits = popLong(vm)
  const cells = popLong(vm)
  const prices = forwardPrices(vm, masterchain)
  give(vm, (lump ? prices.lump : 0n) + rounded(prices.bit * bits + prices.cell * cells))
}
const getoriginalfwdfee = (vm: Machine): void => {
  early(vm, 2)
  const masterchain = vm.bool()
  const fee = vm.finite()
  if (fee < 0) throw RANGE_CHECK
  give(vm, (BigInt(fee) << 16n) / (65536n - forwardPrices(vm, masterchain).firstFraction))
}

export const FEES: readonly Instruction[] = [
  simple(0xf836, 16, 'GETGASFEE', getgasfee, undefined, 6),
  simple(0xf837, 16, 'GETSTORAGEFEE', getstoragefee, undefined, 6),
  simple(0xf838, 16, 'GETFORWARDFEE', getforwardfee, true, 6),
  simple(0xf83a, 16, 'GETORIGINALFWDFEE', getoriginalfwdfee, undefined, 6),
  simple(0xf83b, 16, 'GETGASFEESIMPLE', getgasfeesimple, undefined, 6),
  simple(0xf83c, 16, 'GETFORWARDFEESIMPLE', getforwardfee, false, 6),
]
