import type { jettons } from '../../shared/v3/jettons.ts'
import type { AnswerHandlers } from '../base/answer.ts'
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
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { ownTransactions } from './proofs/subject.ts'
import { type BodyDecoder, showRows } from './shapes/decoded.ts'
import { type MintlessInfo, mintlessInfos } from './shapes/mintless.ts'
import { address, base64, maybeAddress, maybeBase64 } from './shapes/values.ts'

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

export const toJettonWallet = (row: JettonWalletRow, mintless: ReadonlyMap<string, MintlessInfo>) => ({
  address: address(row.account),
  balance: row.balance,
  owner: address(row.owner),
  jetton: address(row.jetton),
  last_transaction_lt: row.last_trans_lt,
  code_hash: maybeBase64(row.code_hash),
  data_hash: maybeBase64(row.data_hash),
  ...(row.claimed === false && { mintless_info: mintless.get(row.jetton.toString('hex'))! }),
})

export const requestTransaction = (row: { tx_hash: Buffer; tx_lt: string; tx_now: string; trace_id: Buffer }, aborted: boolean) => ({
  transaction_hash: base64(row.tx_hash),
  transaction_lt: row.tx_lt,
  transaction_now: Number(row.tx_now),
  transaction_aborted: aborted,
  trace_id: base64(row.trace_id),
})

/** @internal */
export const toJettonTransfer = (row: JettonTransferRow, show: BodyDecoder) => ({
  query_id: row.query_id,
  source: address(row.source),
  destination: maybeAddress(row.destination),
  amount: row.amount,
  source_wallet: address(row.account),
  jetton_master: address(row.jetton),
  ...requestTransaction(row, false),
  response_destination: maybeAddress(row.response_destination),
  custom_payload: maybeBase64(row.custom_payload),
  decoded_custom_payload: show(row.custom_payload),
  forward_ton_amount: row.forward_ton_amount,
  forward_payload: maybeBase64(row.forward_payload),
  decoded_forward_payload: show(row.forward_payload),
})

/** @internal */
export const toJettonBurn = (row: JettonBurnRow, show: BodyDecoder) => ({
  query_id: row.query_id,
  owner: address(row.owner),
  jetton_wallet: address(row.account),
  jetton_master: address(row.jetton),
  ...requestTransaction(row, row.aborted),
  amount: row.amount,
  response_destination: maybeAddress(row.response_destination),
  custom_payload: maybeBase64(row.custom_payload),
  decoded_custom_payload: show(row.custom_payload),
})

export const jettonHandlers = (index: V3Index): AnswerHandlers<keyof typeof jettons> => ({
  'v3.jetton.masters': list(index, 'v3.jetton.masters', {
    find: findJettonMasters,
    relate: (_, rows) => ({ accounts: rows.flatMap((row) => [row.account, row.admin]), format: master }),
  }),

  'v3.jetton.wallets': list(index, 'v3.jetton.wallets', {
    find: findJettonWallets,
    relate: (view, rows) => ({
      accounts: rows.flatMap((row) => [row.account, row.owner, row.jetton]),
      format: mintlessInfos(view, rows).then((mintless) => (row) => toJettonWallet(row, mintless)),
    }),
  }),

  'v3.jetton.transfers': list(index, 'v3.jetton.transfers', {
    find: findJettonTransfers,
    proven: ownTransactions,
    relate: showRows(toJettonTransfer, (row) => [row.source, row.destination, row.account, row.jetton, row.response_destination]),
  }),

  'v3.jetton.burns': list(index, 'v3.jetton.burns', {
    find: findJettonBurns,
    proven: ownTransactions,
    relate: showRows(toJettonBurn, (row) => [row.owner, row.account, row.jetton, row.response_destination]),
  }),
})
