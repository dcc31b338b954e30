import type { Pause } from '../../../../base/yield.ts'
import { augGet } from '../../../../cell/aug.ts'
import { MAX_CHECKED_CELLS } from '../../../../cell/budget.ts'
import { beginCell } from '../../../../cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../../../cell/cell.ts'
import { attempt } from '../../../../cell/error.ts'
import { configParam, loadParam, withConfigParam } from '../../../../tlb/config/config-dictionary.ts'
import { toMint } from '../../../../tlb/config/general.ts'
import { MASTERCHAIN } from '../../../../tlb/ids.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import type { ConfigParams, McStateExtra } from '../../../../tlb/state/mc-state-extra.ts'
import { shardAccountsAug } from '../../../../tlb/state/shard-account.ts'
import { type ChainConfig, readConfig } from '../../config/view.ts'
import { keyOf } from '../../hash-keys.ts'
import type { AccountInput } from '../../model.ts'
import { type BlockAccounts, exists } from '../accounts/block-accounts.ts'

/* As in TON, the configuration is the first reference of the configuration contract's data, and the masterchain state contains a copy. */

/** Data of an account's contract. Undefined unless the account is active. */
export const dataOf = (account: Cell | undefined): Cell | undefined => {
  const state = account && loadAccount(account)?.state
  return state?.type === 'active' ? state.init.data : undefined
}

export const withConfig = (data: Cell | undefined, config: Cell): Cell => {
  const b = beginCell()
  if (data === undefined) return b.storeRef(config).end()
  const s = data.slice()
  b.storeBits(s.loadBits(data.bits), data.bits).storeRef(config)
  for (let i = 1; i < data.refCount; i++) b.storeRef(data.ref(i))
  return b.end()
}

/** Extra currencies of a chain, of which nobody could read more: N entries of a dictionary are 2N - 1 cells. */
const MAX_CURRENCIES = (MAX_CHECKED_CELLS + 1) >> 1

/** Reads a new configuration. Throws CellError if no blocks could be made with it: also if it mints too many currencies besides those that the chain has. */
const readNew = ({ config, globalBalance }: McStateExtra, root: Cell): ChainConfig => {
  const read = readConfig(root)
  if (read.toMint === undefined) return read
  // What the present configuration mints may not have been minted yet.
  const present = loadParam(config.config, 7, toMint)
  const { size } = new Set([...(globalBalance.other?.keys() ?? []), ...(present?.keys() ?? []), ...read.toMint.keys()])
  if (size <= MAX_CURRENCIES) return read
  throw new CellError('range', `configuration parameter 7 leads to ${size} extra currencies of the chain: the limit is ${MAX_CURRENCIES}`)
}

const readable = (extra: McStateExtra, root: Cell | undefined): ChainConfig | undefined => root && attempt(() => readNew(extra, root))

/**
 * Converts the parameters to replace into a new state of the configuration contract, and adds this state to the accounts to replace. If the contract's data
 * have no configuration that can be read, the chain's own takes its place. Throws CellError if no blocks could be made with the new configuration.
 */
export const applyConfigInput = async (
  extra: McStateExtra,
  blockAccounts: BlockAccounts,
  accounts: readonly AccountInput[],
  params: ReadonlyMap<number, Cell | undefined>,
  pause: Pause,
): Promise<readonly AccountInput[]> => {
  if (params.size === 0) return accounts
  const hash = extra.config.configAddr
  const given = accounts.findLast((a) => Buffer.compare(a.account.hash, hash) === 0)
  const before = blockAccounts.get(hash).now.accountCell
  const data = given?.data ?? dataOf(before)
  let root: Cell = readable(extra, data?.refCount ? data.ref(0) : undefined)?.root ?? extra.config.config
  for (const [number, value] of params) {
    // They can be thousands.
    await pause()
    root = withConfigParam(root, number, value)
  }
  await pause()
  readNew(extra, root)
  const account = { workchain: MASTERCHAIN, hash }
  const code = exists(before) || given?.code !== undefined ? {} : { code: EMPTY_CELL }
  return [...accounts, { account, data: withConfig(data, root), ...code }]
}

const configOf = (accounts: Cell | undefined, address: Uint8Array): Cell | undefined => {
  const data = dataOf(augGet(shardAccountsAug, accounts, keyOf(address))?.value.loadRef())
  return data?.refCount ? data.ref(0) : undefined
}

/**
 * The configuration after a block (Collator::create_mc_state_extra): from the configuration contract, or from the contract that its parameter 0 names. A
 * configuration with which no blocks could be made is ignored; TON's collator would stop making blocks.
 */
export const configAfter = (
  extra: McStateExtra,
  present: ChainConfig,
  accounts: Cell | undefined,
): { readonly params: ConfigParams; readonly view: ChainConfig; readonly changed: boolean } => {
  const now = extra.config
  const take = (configAddr: Uint8Array, config: Cell, view: ChainConfig) => ({ params: { configAddr, config }, view, changed: true })
  const root = configOf(accounts, now.configAddr)
  const unchanged = root === undefined || root.equals(now.config)
  const view = unchanged ? undefined : readable(extra, root)
  const successor = configParam(view?.root ?? now.config, 0)?.data()
  if (successor?.length === 32 && Buffer.compare(successor, now.configAddr) !== 0) {
    const next = readable(extra, configOf(accounts, successor))
    if (next !== undefined) return take(successor, next.root, next)
  }
  if (view !== undefined) return take(now.configAddr, view.root, view)
  return { params: now, view: present, changed: false }
}
