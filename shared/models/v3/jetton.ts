import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBookAndMetadata } from './book.ts'

/** TEP-64 content as one flat object of texts. */
export const tokenContent = z.record(z.string(), z.unknown()).meta({ id: 'V3TokenContent' })

/** A payload's meaning; null where nothing is known of it. */
export const decodedPayload = z.record(z.string(), z.unknown()).nullable()

/** Where an order was carried out. */
export const orderPlace = {
  transaction_hash: hash44(),
  transaction_lt: decimal(),
  transaction_now: z.int(),
  transaction_aborted: z.boolean(),
  trace_id: hash44().nullable(),
}

const jettonMaster = z
  .strictObject({
    address: rawUpper(),
    total_supply: decimal(),
    mintable: z.boolean(),
    admin_address: rawUpper().nullable(),
    jetton_content: tokenContent,
    jetton_wallet_code_hash: hash44(),
    code_hash: hash44(),
    data_hash: hash44(),
    last_transaction_lt: decimal(),
  })
  .meta({ id: 'V3JettonMaster' })

export const v3JettonMasters = z
  .strictObject({ jetton_masters: z.array(jettonMaster), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3JettonMasters' })

/** Of a wallet whose allocation is not claimed yet (TEP-176). How much it is stands in a tree that only its API has. */
const mintlessInfo = z
  .strictObject({
    amount: decimal().nullable(),
    start_from: z.int().nullable(),
    expire_at: z.int().nullable(),
    custom_payload_api_uri: z.array(z.string()),
  })
  .meta({ id: 'V3MintlessInfo' })

const jettonWallet = z
  .strictObject({
    address: rawUpper(),
    balance: decimal(),
    owner: rawUpper(),
    jetton: rawUpper(),
    last_transaction_lt: decimal(),
    code_hash: hash44().nullable(),
    data_hash: hash44().nullable(),
    mintless_info: mintlessInfo.optional(),
  })
  .meta({ id: 'V3JettonWallet' })

export const v3JettonWallets = z
  .strictObject({ jetton_wallets: z.array(jettonWallet), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3JettonWallets' })

const jettonTransfer = z
  .strictObject({
    query_id: decimal(),
    source: rawUpper(),
    destination: rawUpper().nullable(),
    amount: decimal(),
    source_wallet: rawUpper(),
    jetton_master: rawUpper(),
    ...orderPlace,
    response_destination: rawUpper().nullable(),
    custom_payload: base64().nullable(),
    decoded_custom_payload: decodedPayload,
    forward_ton_amount: decimal().nullable(),
    forward_payload: base64().nullable(),
    decoded_forward_payload: decodedPayload,
  })
  .meta({ id: 'V3JettonTransfer' })

export const v3JettonTransfers = z
  .strictObject({ jetton_transfers: z.array(jettonTransfer), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3JettonTransfers' })

const jettonBurn = z
  .strictObject({
    query_id: decimal(),
    owner: rawUpper(),
    jetton_wallet: rawUpper(),
    jetton_master: rawUpper(),
    ...orderPlace,
    amount: decimal(),
    response_destination: rawUpper().nullable(),
    custom_payload: base64().nullable(),
    decoded_custom_payload: decodedPayload,
  })
  .meta({ id: 'V3JettonBurn' })

export const v3JettonBurns = z
  .strictObject({ jetton_burns: z.array(jettonBurn), ...withBookAndMetadata, ...nextCursor })
  .meta({ id: 'V3JettonBurns' })
