import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import type { Reader } from '../store/postgres/pool.ts'
import {
  findJettonBurns,
  findJettonMasters,
  findJettonTransfers,
  findJettonWallets,
  type JettonBurnRow,
  type JettonMasterRow,
  type JettonTransferRow,
  type JettonWalletRow,
} from '../store/queries/jettons.ts'
import { answer, nextCursor } from './answer.ts'
import { beside } from './beside.ts'
import { createShow, type Show } from './decode.ts'
import { type MintlessInfo, mintlessInfos } from './mintless.ts'
import { address, base64, maybeAddress, maybeBase64 } from './wire.ts'

type Names = 'v3.jetton.masters' | 'v3.jetton.wallets' | 'v3.jetton.transfers' | 'v3.jetton.burns'

const master = (row: JettonMasterRow) => ({
  address: address(row.account),
  total_supply: row.total_supply,
  mintable: row.mintable,
  admin_address: maybeAddress(row.admin),
  jetton_content: JSON.parse(row.content) as Record<string, unknown>,
  jetton_wallet_code_hash: base64(row.wallet_code_hash),
  code_hash: base64(row.code_hash!),
  data_hash: base64(row.data_hash!),
  last_transaction_lt: row.last_trans_lt,
})

const wallet = (row: JettonWalletRow, mintless: ReadonlyMap<string, MintlessInfo>) => ({
  address: address(row.account),
  balance: row.balance,
  owner: address(row.owner),
  jetton: address(row.jetton),
  last_transaction_lt: row.last_trans_lt,
  code_hash: maybeBase64(row.code_hash),
  data_hash: maybeBase64(row.data_hash),
  ...(row.claimed === false && { mintless_info: mintless.get(row.jetton.toString('hex'))! }),
})

/** Where an order was carried out. */
export const orderPlace = (row: { tx_hash: Buffer; tx_lt: string; tx_now: string; trace_id: Buffer }, aborted: boolean) => ({
  transaction_hash: base64(row.tx_hash),
  transaction_lt: row.tx_lt,
  transaction_now: Number(row.tx_now),
  transaction_aborted: aborted,
  trace_id: base64(row.trace_id),
})

const transfer = (row: JettonTransferRow, show: Show) => ({
  query_id: row.query_id,
  source: address(row.source),
  destination: maybeAddress(row.destination),
  amount: row.amount,
  source_wallet: address(row.account),
  jetton_master: address(row.jetton),
  ...orderPlace(row, false),
  response_destination: maybeAddress(row.response_destination),
  custom_payload: maybeBase64(row.custom_payload),
  decoded_custom_payload: show(row.custom_payload),
  forward_ton_amount: row.forward_ton_amount,
  forward_payload: maybeBase64(row.forward_payload),
  decoded_forward_payload: show(row.forward_payload),
})

const burn = (row: JettonBurnRow, show: Show) => ({
  query_id: row.query_id,
  owner: address(row.owner),
  jetton_wallet: address(row.account),
  jetton_master: address(row.jetton),
  ...orderPlace(row, row.aborted),
  amount: row.amount,
  response_destination: maybeAddress(row.response_destination),
  custom_payload: maybeBase64(row.custom_payload),
  decoded_custom_payload: show(row.custom_payload),
})

/** Jettons as they are indexed. */
export const jettonHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<Names> => ({
  'v3.jetton.masters': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findJettonMasters(view, params, { ...params, sort: 'asc' })
      next(cursor)
      const book = await beside(
        view,
        rows.flatMap((row) => [row.account, row.admin]),
      )
      return { jetton_masters: await inTurns(rows, master, signal), ...book, ...nextCursor(params, cursor) }
    }),

  'v3.jetton.wallets': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findJettonWallets(view, params, params)
      next(cursor)
      const accounts = rows.flatMap((row) => [row.account, row.owner, row.jetton])
      const [book, mintless] = await Promise.all([beside(view, accounts), mintlessInfos(view, rows)])
      return { jetton_wallets: rows.map((row) => wallet(row, mintless)), ...book, ...nextCursor(params, cursor) }
    }),

  'v3.jetton.transfers': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const filter = { ...params, owner_address: params.owner_address ?? params.address }
      const { rows, next: cursor } = await findJettonTransfers(view, filter, params)
      next(cursor)
      const book = await beside(
        view,
        rows.flatMap((row) => [row.source, row.destination, row.account, row.jetton, row.response_destination]),
      )
      const show = createShow()
      return { jetton_transfers: await inTurns(rows, (row) => transfer(row, show), signal), ...book, ...nextCursor(params, cursor) }
    }),

  'v3.jetton.burns': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const filter = { ...params, owner_address: params.owner_address ?? params.address }
      const { rows, next: cursor } = await findJettonBurns(view, filter, params)
      next(cursor)
      const book = await beside(
        view,
        rows.flatMap((row) => [row.owner, row.account, row.jetton, row.response_destination]),
      )
      const show = createShow()
      return { jetton_burns: await inTurns(rows, (row) => burn(row, show), signal), ...book, ...nextCursor(params, cursor) }
    }),
})
