import type { MsgForwardPrices, StoragePrices } from '../../tlb/config/prices.ts'
import { ceil16 } from './gas.ts'

/** Forward fee of a message in nanograms (`MsgPrices::compute_fwd_fees`). `cells` and `bits` do not include the root. */
export const forwardFee = (prices: MsgForwardPrices, cells: number, bits: number): bigint =>
  prices.lumpPrice + ceil16(prices.bitPrice * BigInt(bits) + prices.cellPrice * BigInt(cells))

/** The part of a forward fee that goes to the validators of the sender's shard (`get_first_part`). */
export const firstPart = (prices: MsgForwardPrices, fee: bigint): bigint => (fee * BigInt(prices.firstFrac)) >> 16n

export interface StorageDue {
  readonly used: { readonly usedCells: bigint; readonly usedBits: bigint }
  /** Unix seconds. */
  readonly lastPaid: number
  readonly now: number
  readonly masterchain: boolean
}

/** Storage fee in nanograms since the last payment (`StoragePrices::compute_storage_fees`). `prices` are oldest first. */
export const storageFee = (prices: readonly StoragePrices[], { used, lastPaid, now, masterchain }: StorageDue): bigint => {
  const oldest = prices[0]
  if (oldest === undefined || lastPaid === 0 || now <= lastPaid || now <= oldest.utimeSince) return 0n
  let row = prices.length - 1
  while (row > 0 && prices[row]!.utimeSince > lastPaid) row--
  let from = Math.max(lastPaid, oldest.utimeSince)
  let total = 0n
  for (; row < prices.length && from < now; row++) {
    const price = prices[row]!
    const next = prices[row + 1]
    const until = next === undefined ? now : Math.min(now, next.utimeSince)
    if (from < until) {
      const [cell, bit] = masterchain ? [price.mcCellPricePs, price.mcBitPricePs] : [price.cellPricePs, price.bitPricePs]
      total += (used.usedCells * cell + used.usedBits * bit) * BigInt(until - from)
    }
    from = until
  }
  return ceil16(total)
}
