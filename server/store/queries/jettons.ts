import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from '../schema/jettons.ts'
import type { Tables } from '../schema/tables.ts'
import { BY_APPEARANCE, isAccount, isAny, keyOf, type ListParams, OF_STATE, type StateColumns } from './conditions.ts'
import { lookUp, statement } from './look-up.ts'
import { findPage, orderOf, type Page, withState } from './order.ts'
import { tokenTable } from './token-tables.ts'
import { transferList } from './transfers-and-burns.ts'
import type { View } from './view.ts'

export type JettonMasterRow = Tables['jetton_masters'] & StateColumns
export type JettonWalletRow = Tables['jetton_wallets'] & StateColumns
export type JettonTransferRow = Tables['jetton_transfers']
export type JettonBurnRow = Tables['jetton_burns']

const MASTERS = orderOf(jettonMasters, 'f', BY_APPEARANCE)
const masters = tokenTable<JettonMasterRow>(jettonMasters, OF_STATE)

/** Reads jetton masters in the order in which the index first saw them. */
export const findJettonMasters = (view: View, params: ListParams<'v3.jetton.masters'>): Promise<Page<JettonMasterRow>> =>
  masters.page(view, MASTERS, { ...params, sort: 'asc' }, [isAccount('account', params.address), isAccount('admin', params.admin_address)])

const BY_BALANCE = orderOf(jettonWallets, 'b', ['balance', 'account'])

interface WalletParams extends Omit<ListParams<'v3.jetton.wallets'>, 'owner_address'> {
  readonly owner_address?: readonly AccountId[] | undefined
}

export const findJettonWallets = (view: View, params: WalletParams): Promise<Page<JettonWalletRow>> => {
  const where = [
    isAccount('account', params.address),
    isAccount('owner', params.owner_address),
    isAccount('jetton', params.jetton_address),
    params.exclude_zero_balance ? sql<boolean>`balance > 0` : undefined,
  ]
  return findPage(view, BY_BALANCE, params, where, { state: OF_STATE })
}

/** Counts the wallets of a jetton that have a balance, up to `most`. */
export const countHolders = async (view: View, jetton: AccountId, most: number): Promise<number> => {
  const [row] = await view.rows(
    sql<{ count: string }>`select count(*) as count from
      (select 1 from jetton_wallets where jetton = ${keyOf(jetton)} and balance > 0 limit ${most}) as holders`,
  )
  return Number(row!.count)
}

type BurnParams = ListParams<'v3.jetton.burns'>
type TransferParams = ListParams<'v3.jetton.transfers'>

const transfers = transferList(jettonTransfers, { from: 'source', to: 'destination' })
const burns = transferList(jettonBurns, { from: 'owner', to: 'owner' })

const orderConditions = ({ jetton_wallet, jetton_master }: BurnParams | TransferParams) => [
  isAccount('account', jetton_wallet),
  isAccount('jetton', jetton_master),
]

export const findJettonTransfers = (view: View, params: TransferParams): Promise<Page<JettonTransferRow>> =>
  transfers(view, params, orderConditions(params))

export const findJettonBurns = (view: View, params: BurnParams): Promise<Page<JettonBurnRow>> =>
  burns(view, params, orderConditions(params))

/** Maximum bytes of fetched content that is read for the wallets of a jetton. One block can change thousands of wallets, each with a jetton of its own. */
const MAX_FETCHED = 8 << 10
const FETCHED = `select account, content from token_metadata where account = any($1::bytea[]) and octet_length(content) <= ${MAX_FETCHED}`

/** Reads the fetched off-chain content of masters (JSON), by key in hex. Masters without such content, or with a long one, are missing. */
export const findFetchedContents = async (view: View, masters: readonly Buffer[]): Promise<ReadonlyMap<string, string>> => {
  const found = await view.rows(statement<{ account: Buffer; content: string }>(FETCHED, [masters]), 'generic')
  return new Map(found.map(({ account, content }) => [account.toString('hex'), content]))
}

export const walletsAmong = lookUp({ from: 'jetton_wallets', by: 'account', columns: ['account', 'owner', 'jetton'] })

export const jettonWalletsAmong = async (view: View, accounts: readonly Buffer[]): Promise<JettonWalletRow[]> => {
  if (accounts.length === 0) return []
  const found = sql`select * from jetton_wallets where ${isAny('account', accounts)}`
  return view.rows(withState<JettonWalletRow>(found, 'jetton_wallets', OF_STATE), 'generic')
}
