import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries, dictGet } from '../../cell/dict.ts'
import { toHex } from '../bytes.ts'
import { expectTag } from '../common.ts'
import type { AccountId } from '../ids.ts'
import type { Field } from '../record-layout.ts'

/*
 * _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
 * suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;      (44, key: workchain int32, id)
 * precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc;
 * precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig;            (45, key: code hash)
 */

const keysOf = (root: Cell | undefined, bits: number): bigint[] =>
  [...dictEntries(root, bits, { cells: MAX_CHECKED_CELLS })].map(([key, value]) => {
    value.end()
    return key
  })

/** ConfigParam 31: masterchain account ids (unsigned 256 bits), ascending. Only these accounts have tick-tock transactions, and they pay no storage fees. */
export const fundamentalContracts: Field<readonly bigint[]> = {
  load: (s) => keysOf(s.loadMaybeRef(), 256),
  store: (b, ids) =>
    b.storeMaybeRef(
      dictFromEntries(
        256,
        ids.map((id) => [id, beginCell()] as const),
      ),
    ),
}

export interface SuspendedAddresses {
  readonly addresses: readonly { readonly workchain: number /** Unsigned 256 bits. */; readonly id: bigint }[]
  /** Unix seconds. */
  readonly suspendedUntil: number
}

/** ConfigParam 44. */
export const suspendedAddresses: Field<SuspendedAddresses> = {
  load: (s) => {
    expectTag(s, 8, 0, 'SuspendedAddressList')
    const keys = keysOf(s.loadMaybeRef(), 288)
    return {
      addresses: keys.map((key) => ({ workchain: Number(BigInt.asIntN(32, key >> 256n)), id: BigInt.asUintN(256, key) })),
      suspendedUntil: s.loadUint(32),
    }
  },
  store: (b, list) => {
    const keys = list.addresses.map(({ workchain, id }) => (BigInt.asUintN(32, BigInt(workchain)) << 256n) | id)
    const root = dictFromEntries(
      288,
      keys.map((key) => [key, beginCell()] as const),
    )
    return b.storeUint(0, 8).storeMaybeRef(root).storeUint(list.suspendedUntil, 32)
  },
}

/**
 * Returns whether ConfigParam 44 suspends an account at a time (unix seconds). The list is long and rarely needed, so it is not decoded: one account is looked
 * up in the dictionary. Without the parameter, or with an unknown tag, no account is suspended. Throws CellError for a malformed list.
 */
export const suspension = (param: Cell | undefined): ((id: AccountId, now: number) => boolean) => {
  const s = param?.slice()
  if (s === undefined || s.loadUint(8) !== 0) return () => false
  const addresses = s.loadMaybeRef()
  const until = s.loadUint(32)
  return ({ workchain, hash }, now) =>
    now < until && dictGet(addresses, 288, (BigInt.asUintN(32, BigInt(workchain)) << 256n) | BigInt(`0x${toHex(hash)}`)) !== undefined
}

/** ConfigParam 45: gas that a run of a code costs, by code hash (unsigned 256 bits). */
export const precompiledContracts: Field<ReadonlyMap<bigint, bigint>> = {
  load: (s) => {
    expectTag(s, 8, 0xc0, 'PrecompiledContractsConfig')
    const list = new Map<bigint, bigint>()
    for (const [hash, value] of dictEntries(s.loadMaybeRef(), 256, { cells: MAX_CHECKED_CELLS })) {
      expectTag(value, 8, 0xb0, 'PrecompiledSmc')
      list.set(hash, value.loadUintBig(64))
      value.end()
    }
    return list
  },
  store: (b, list) =>
    b.storeUint(0xc0, 8).storeMaybeRef(
      dictFromEntries(
        256,
        [...list].map(([hash, gas]) => [hash, beginCell().storeUint(0xb0, 8).storeUint(gas, 64)] as const),
      ),
    ),
}
