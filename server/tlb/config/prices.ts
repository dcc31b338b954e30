import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'
import { type Field, loadToEnd, type RecordOf, record, tagged, u16, u32, u64 } from '../record-layout.ts'

/*
 * _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 = StoragePrices;
 * _ (Hashmap 32 StoragePrices) = ConfigParam 18;      (key: utime_since)
 * gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64
 *   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
 * gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
 *   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
 * gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;      (20 masterchain, 21)
 * msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64
 *   ihr_price_factor:uint32 first_frac:uint16 next_frac:uint16 = MsgForwardPrices;                           (24 masterchain, 25)
 */

const storage = { utimeSince: u32, bitPricePs: u64, cellPricePs: u64, mcBitPricePs: u64, mcCellPricePs: u64 }
export type StoragePrices = RecordOf<typeof storage>
const storagePrices = tagged(8, 0xcc, 'StoragePrices', record(storage))

/** ConfigParam 18, oldest row first. A row applies from its utimeSince on. Prices are nanograms * 2^-16 per second. */
export const loadStoragePrices = (cell: Cell): StoragePrices[] =>
  [...dictEntries(cell, 32, { cells: MAX_CHECKED_CELLS })].map(([, value]) => loadToEnd(value, storagePrices))
export const storeStoragePrices = (rows: readonly StoragePrices[]): Cell | undefined =>
  dictFromEntries(
    32,
    rows.map((row) => [BigInt(row.utimeSince), storagePrices.store(beginCell(), row)] as const),
  )

const limits = { gasLimit: u64, gasCredit: u64, blockGasLimit: u64, freezeDueLimit: u64, deleteDueLimit: u64 }
const plain = record({ gasPrice: u64, ...limits })
const ext = record({
  gasPrice: u64,
  gasLimit: u64,
  specialGasLimit: u64,
  gasCredit: u64,
  blockGasLimit: u64,
  freezeDueLimit: u64,
  deleteDueLimit: u64,
})

export interface GasPrices extends RecordOf<typeof limits> {
  /** Nanograms * 2^-16 per unit of gas. */
  readonly gasPrice: bigint
  /** If set, the record is written as gas_prices_ext. If undefined, gasLimit applies to special accounts too. */
  readonly specialGasLimit?: bigint | undefined
  /** gas_flat_pfx: the first `limit` units cost `price` nanograms in total. */
  readonly flat?: { readonly limit: bigint; readonly price: bigint } | undefined
}

const loadGas = (s: Slice): GasPrices => {
  const tag = s.loadUint(8)
  if (tag === 0xdd) return plain.load(s)
  if (tag === 0xde) return ext.load(s)
  if (tag !== 0xd1) throw badTag('GasLimitsPrices', `0x${tag.toString(16)}`)
  const flat = { limit: s.loadUintBig(64), price: s.loadUintBig(64) }
  const other = loadGas(s)
  // TL-B allows a flat prefix inside a flat prefix. The inner prefix is used, as in GasLimitsPrices::process_pfx.
  return { ...other, flat: other.flat ?? flat }
}

/** ConfigParam 20 (masterchain) and 21. */
export const gasPrices: Field<GasPrices> = {
  load: loadGas,
  store: (b, prices) => {
    if (prices.flat !== undefined) b.storeUint(0xd1, 8).storeUint(prices.flat.limit, 64).storeUint(prices.flat.price, 64)
    const { specialGasLimit } = prices
    return specialGasLimit === undefined
      ? plain.store(b.storeUint(0xdd, 8), prices)
      : ext.store(b.storeUint(0xde, 8), { ...prices, specialGasLimit })
  },
}

const forward = { lumpPrice: u64, bitPrice: u64, cellPrice: u64, ihrPriceFactor: u32, firstFrac: u16, nextFrac: u16 }
export type MsgForwardPrices = RecordOf<typeof forward>
/** ConfigParam 24 (to or from the masterchain) and 25. Prices of bits and cells are nanograms * 2^-16; fractions are of 2^16. */
export const msgForwardPrices: Field<MsgForwardPrices> = tagged(8, 0xea, 'MsgForwardPrices', record(forward))
