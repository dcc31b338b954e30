import { MAX_BAG_CELLS, uniqueCells } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { configParam, loadParam } from '../tlb/config/config-dictionary.ts'
import {
  type GasPrices,
  gasPrices,
  loadStoragePrices,
  type MsgForwardPrices,
  msgForwardPrices,
  type StoragePrices,
} from '../tlb/config/prices.ts'
import type { Field } from '../tlb/record-layout.ts'

export interface Prices {
  readonly gas: GasPrices
  readonly forward: { readonly base: MsgForwardPrices; readonly master: MsgForwardPrices }
  /** Oldest first. */
  readonly storage: readonly StoragePrices[]
}

/** Reads prices from a configuration (root of Hashmap 32 ^Cell). `masterchain` selects the gas prices. Throws CellError if a price is missing. */
export const readPrices = (config: Cell, masterchain: boolean): Prices => {
  const need = <T>(param: number, value: T | undefined): T => {
    if (value === undefined) throw new CellError('range', `configuration parameter ${param} is missing`)
    return value
  }
  const read = <T>(param: number, field: Pick<Field<T>, 'load'>): T => need(param, loadParam(config, param, field))
  return {
    gas: read(masterchain ? 20 : 21, gasPrices),
    forward: { master: read(24, msgForwardPrices), base: read(25, msgForwardPrices) },
    storage: loadStoragePrices(need(18, configParam(config, 18))),
  }
}

/** Fixed-point division by 2^16, rounded up. */
const shift16 = (value: bigint): bigint => (value + 0xffffn) >> 16n

/** Price of gas in nanograms: the flat price, plus the price of gas beyond the flat limit. */
export const gasFee = (gasUsed: bigint, { flat = { limit: 0n, price: 0n }, gasPrice }: GasPrices): bigint =>
  gasUsed <= flat.limit ? flat.price : flat.price + shift16(gasPrice * (gasUsed - flat.limit))

/** Gas that a balance (nanograms) buys, as tonlib's gas_bought_for. */
export const gasBought = (balance: bigint, { gasPrice, gasLimit, flat = { limit: 0n, price: 0n } }: GasPrices): bigint => {
  const whole = flat.price + (gasLimit > flat.limit ? (gasPrice * (gasLimit - flat.limit)) >> 16n : 0n)
  if (balance >= whole) return gasLimit
  return balance < flat.price || gasPrice === 0n ? 0n : ((balance - flat.price) << 16n) / gasPrice + flat.limit
}

/** Price (nanograms) of forwarding a message with this many cells and bits, without its root cell. */
export const forwardFee = ({ cells, bits }: Used, { lumpPrice, bitPrice, cellPrice }: MsgForwardPrices): bigint =>
  lumpPrice + shift16(bitPrice * bits + cellPrice * cells)

/** Storage fee in nanograms from `lastPaid` to `now` (unix seconds), by the prices of each period. Special accounts pay 0: their lastPaid is 0. */
export const storageFee = (used: Used, lastPaid: number, now: number, masterchain: boolean, prices: readonly StoragePrices[]): bigint => {
  if (lastPaid === 0) return 0n
  let total = 0n
  for (const [i, price] of prices.entries()) {
    const from = Math.max(lastPaid, price.utimeSince)
    const to = Math.min(now, prices[i + 1]?.utimeSince ?? now)
    if (from >= to) continue
    const [bit, cell] = masterchain ? [price.mcBitPricePs, price.mcCellPricePs] : [price.bitPricePs, price.cellPricePs]
    total += BigInt(to - from) * (bit * used.bits + cell * used.cells)
  }
  return shift16(total)
}

export interface Used {
  readonly cells: bigint
  readonly bits: bigint
}

/** Counts the distinct cells below the given roots, and their bits. The roots are not counted. */
export const usedBelow = (...roots: readonly Cell[]): Used => {
  let [cells, bits] = [0, 0]
  for (const cell of uniqueCells(roots.flatMap(children), { cells: MAX_BAG_CELLS })) {
    cells += 1
    bits += cell.bits
  }
  return { cells: BigInt(cells), bits: BigInt(bits) }
}

const children = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
