import * as z from 'zod'
import { base64, decimal, flag, hash44, jettonUnits, lt, many, model, nanotons, rawUpper, utime } from '../value-formats.ts'
import { metadataOfPage } from './book.ts'
import { withProof } from './proofs.ts'

export const tokenContent = z.record(z.string(), z.unknown()).meta({
  id: 'V3TokenContent',
  description: 'Content of the token (TEP-64) by name: `name`, `symbol`, `decimals`, `image`, or `uri` of a document elsewhere.',
  examples: [{ uri: 'https://example.com/acorn.json' }],
})

/** Null if the meaning of the payload is unknown. */
const decodedPayload = (of: string) =>
  z
    .record(z.string(), z.unknown())
    .meta({
      description: `What ${of} means; null if that is not known.`,
      examples: [{ type: 'text_comment', '@type': 'text_comment', comment: 'hello' }],
    })
    .nullable()

export const requestTransaction = {
  transaction_hash: hash44('Hash of the transaction that carried out the request.'),
  transaction_lt: lt('Logical time of that transaction.'),
  transaction_now: utime('When that transaction was made.'),
  transaction_aborted: flag('Whether that transaction failed.'),
  trace_id: hash44('Id of its trace: the hash of the first transaction; null if it is not known.').nullable(),
}

/** The account state from which a row was derived. */
export const tokenState = {
  last_transaction_lt: lt('Logical time of the last transaction that changed the contract.'),
  code_hash: hash44('Hash of the code of the contract.'),
  data_hash: hash44('Hash of the data of the contract.'),
}
export const nullableState = {
  last_transaction_lt: tokenState.last_transaction_lt,
  code_hash: tokenState.code_hash.nullable(),
  data_hash: tokenState.data_hash.nullable(),
}

/** Members of all transfers and burns, besides the parties. */
export const queryId = decimal('Number that the sender gave the request.', '0')
export const request = {
  response_destination: rawUpper('The account that receives the coins that are left over; null if there is none.').nullable(),
  custom_payload: base64('Payload for the jetton wallet of the sender or for the item, as a BoC; null if there is none.').nullable(),
  decoded_custom_payload: decodedPayload('the custom payload'),
}
export const forward = {
  forward_payload: base64('Payload for the receiver, as a BoC; null if there is none.').nullable(),
  decoded_forward_payload: decodedPayload('the forward payload'),
}

const jettonMaster = model('V3JettonMaster', {
  address: rawUpper('The jetton master.'),
  total_supply: jettonUnits('How much of the jetton there is.'),
  mintable: flag('Whether more may be minted.'),
  admin_address: rawUpper('The account that may mint and change the jetton; null if there is none.').nullable(),
  jetton_content: tokenContent,
  jetton_wallet_code_hash: hash44('Hash of the code of its jetton wallets.'),
  ...tokenState,
})

export const v3JettonMasters = model('V3JettonMasters', {
  jetton_masters: many('The jetton masters that were found.', jettonMaster),
  ...metadataOfPage,
})

const mintlessInfo = model('V3MintlessInfo', {
  amount: jettonUnits('How much may be claimed; null if it is not known.').nullable(),
  start_from: utime('From when it may be claimed; null if that is not known.').nullable(),
  expire_at: utime('Until when it may be claimed; null if that is not known.').nullable(),
  custom_payload_api_uri: many('URLs of the service that makes the proof for a claim.', z.string()),
})

const jettonWallet = model('V3JettonWallet', {
  address: rawUpper('The jetton wallet.'),
  balance: jettonUnits('How much it holds.'),
  owner: rawUpper('The account that the jettons belong to.'),
  jetton: rawUpper('The jetton master.'),
  ...nullableState,
  mintless_info: mintlessInfo.describe('Of a mintless jetton: what was not claimed yet.').optional(),
})

export const v3JettonWallets = model('V3JettonWallets', {
  jetton_wallets: many('The jetton wallets that were found.', jettonWallet),
  ...metadataOfPage,
})

const jettonTransfer = model('V3JettonTransfer', {
  query_id: queryId,
  source: rawUpper('The owner that sent the jettons.'),
  destination: rawUpper('The owner that receives them; null where none is named.').nullable(),
  amount: jettonUnits('How much was sent.'),
  source_wallet: rawUpper('The jetton wallet that sent them.'),
  jetton_master: rawUpper('The jetton.'),
  ...requestTransaction,
  ...request,
  forward_ton_amount: nanotons('Coins that go on to the receiver with the notification; null where none are named.').nullable(),
  ...forward,
})

export const v3JettonTransfers = model('V3JettonTransfers', {
  jetton_transfers: many('The transfers that were found.', jettonTransfer),
  ...metadataOfPage,
  ...withProof,
})

const jettonBurn = model('V3JettonBurn', {
  query_id: queryId,
  owner: rawUpper('The owner that burned the jettons.'),
  jetton_wallet: rawUpper('The jetton wallet that held them.'),
  jetton_master: rawUpper('The jetton.'),
  ...requestTransaction,
  amount: jettonUnits('How much was burned.'),
  ...request,
})

export const v3JettonBurns = model('V3JettonBurns', {
  jetton_burns: many('The burns that were found.', jettonBurn),
  ...metadataOfPage,
  ...withProof,
})
