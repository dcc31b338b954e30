import type { Cell } from '../../cell/cell.ts'
import { loadWhole } from '../../tlb/config/config-dictionary.ts'
import { gasPrices } from '../../tlb/config/prices.ts'

export type GasTable = Readonly<ReturnType<typeof loadGasTable>>

/** Whole nanograms from units of 2^-16 nanograms, rounded up. */
export const ceil16 = (value: bigint): bigint => (value + 0xffffn) >> 16n

/** GasLimitsPrices of parameter 20 or 21 (`ComputePhaseConfig::parse_GasLimitsPrices`). */
export const loadGasTable = (cell: Cell) => {
  const prices = loadWhole(cell, gasPrices.load)
  return {
    /** Price of a unit of gas in 2^-16 nanograms. */
    price: prices.gasPrice,
    limit: prices.gasLimit,
    specialLimit: prices.specialGasLimit ?? prices.gasLimit,
    /** Gas that an external message may use before ACCEPT. */
    credit: prices.gasCredit,
    /** The first `flatLimit` units of gas cost `flatPrice` nanograms together. */
    flatLimit: prices.flat?.limit ?? 0n,
    flatPrice: prices.flat?.price ?? 0n,
    /** Nanograms. Above `freezeDueLimit` of due payment an active account is frozen. Above `deleteDueLimit` an inactive account is deleted. */
    freezeDueLimit: prices.freezeDueLimit,
    deleteDueLimit: prices.deleteDueLimit,
  }
}

/** Fee for `used` gas, nanograms (`compute_gas_price`). */
export const gasFee = (table: GasTable, used: bigint): bigint =>
  used <= table.flatLimit ? table.flatPrice : ceil16(table.price * (used - table.flatLimit)) + table.flatPrice

/** Gas that `nanotons` can buy, at most `limit` (`gas_bought_for`). */
export const gasBought = (table: GasTable, nanotons: bigint, limit: bigint): bigint => {
  if (nanotons < 0n) return 0n
  const threshold = limit > table.flatLimit ? ceil16(table.price * (limit - table.flatLimit)) + table.flatPrice : table.flatPrice
  if (nanotons >= threshold) return limit
  if (nanotons < table.flatPrice) return 0n
  return ((nanotons - table.flatPrice) << 16n) / table.price + table.flatLimit
}

/*
 * Accounts that had a higher gas limit for some time, to release stuck funds (`override_gas_limit`; the last limit ended on 2025-03-01). The list matters only
 * when blocks of that time are run again.
 */
const FEBRUARY_2024 = { limit: 70_000_000n, fromVersion: 5, until: 1709164800 }
const MARCH_2025 = { limit: 70_000_000n, fromVersion: 9, until: 1740787200 }
const RAISED: ReadonlyMap<string, { readonly limit: bigint; readonly fromVersion: number; readonly until: number }> = new Map([
  ['ffbfd8f5ae5b2e1c7c3614885cb02145483dfaee575f0dd08a72c366369211cd', FEBRUARY_2024],
  ['5e4a5f9dba638789e6770c990d2959237aca3bc19d15a734782c26cb19343cc6', MARCH_2025],
  ['b755c43ee37925c30f547e2991e7c4c18c1ce4ec63eea5743708dbad868369fa', MARCH_2025],
  ['61c016fc8efa241af7eb787451a1e571236dfb3eb389832aec0212c0fb8ac10b', MARCH_2025],
  ['a4a11a78384f92154a0c12761f2f7bc5e374f703335f5bc8f24c2e32ce4f1c26', MARCH_2025],
  ['4de480ab6acefd53c158126ef5c2cdf89fe64d210d0b44da5c90e52c215dce79', MARCH_2025],
  ['436a76c2794a88e3fbfec6b9c0374fc8db046f10868b835420d9937973a665d4', { ...MARCH_2025, limit: 225_000_000n }],
])

/** The raised gas limit of a basechain account; undefined if its limit is not raised at this time. */
export const raisedGasLimit = (workchain: number, id: Uint8Array, version: number, now: number): bigint | undefined => {
  const raised = workchain === 0 && now < MARCH_2025.until ? RAISED.get(Buffer.from(id).toString('hex')) : undefined
  return raised !== undefined && version >= raised.fromVersion && now < raised.until ? raised.limit : undefined
}
