import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBook } from './book.ts'

/* Multisig and vesting wallets (v3.md 4). */

/** A number, or its digits where JSON would round it. */
const queryId = () => z.union([z.int(), decimal()])

const noted = { destination: rawUpper().nullable(), response: rawUpper().nullable() }
const payload = () => base64().nullable()

/** What an order does, by `parsed_body_type`. */
const parsedBody = z
  .union([
    z.strictObject({ comment: z.string(), encrypted: z.boolean() }),
    z.strictObject({
      query_id: queryId(),
      amount: decimal(),
      ...noted,
      custom_payload: payload(),
      forward_amount: decimal(),
      comment: z.string(),
      encrypted_comment: z.boolean(),
      forward_payload: payload(),
      payload_sum_type: z.string(),
      stonfi_swap_body: z.null(),
    }),
    z.strictObject({ query_id: queryId(), amount: decimal(), response_destination: rawUpper().nullable() }),
    z.strictObject({
      query_id: queryId(),
      to_address: rawUpper().nullable(),
      ton_amount: decimal(),
      opcode: z.int(),
      master_msg_query_id: queryId(),
      master_msg_jetton_amount: decimal(),
    }),
    z.strictObject({ query_id: queryId(), to_address: rawUpper().nullable(), ton_amount: decimal(), jetton_amount: decimal() }),
    z.strictObject({
      query_id: queryId(),
      new_owner: rawUpper().nullable(),
      response_destination: rawUpper().nullable(),
      custom_payload: payload(),
      forward_amount: decimal(),
      forward_payload: payload(),
    }),
    z.strictObject({ query_id: queryId() }),
    z.strictObject({ query_id: queryId(), new_admin_address: rawUpper().nullable() }),
    z.strictObject({ query_id: queryId(), new_metadata_url: z.string() }),
    z.strictObject({
      query_id: queryId(),
      to_address: rawUpper().nullable(),
      ton_amount: decimal(),
      action_type: z.string(),
      action_data: base64(),
    }),
    z.strictObject({ query_id: queryId(), new_status: z.int() }),
    z.strictObject({ query_id: queryId(), coins: decimal() }),
    z.strictObject({ query_id: queryId(), validator_address: rawUpper().nullable() }),
    z.strictObject({
      query_id: queryId(),
      send_mode: z.int(),
      destination: rawUpper().nullable(),
      value: decimal(),
      message_body: base64(),
      comment: z.string(),
    }),
    z.strictObject({ new_threshold: z.int(), new_signers: z.array(rawUpper()), new_proposers: z.array(rawUpper()) }),
    z.strictObject({ opcode: z.int(), data: base64() }),
  ])
  .meta({ id: 'V3OrderActionBody' })

const orderAction = z
  .strictObject({
    destination: rawUpper().nullable(),
    value: decimal().nullable(),
    body_raw: base64().nullable(),
    parsed: z.boolean(),
    error: z.string().nullable(),
    parsed_body: parsedBody.nullable(),
    parsed_body_type: z.string(),
    send_mode: z.int(),
  })
  .meta({ id: 'V3OrderAction' })

const multisigOrder = z
  .strictObject({
    address: rawUpper(),
    multisig_address: rawUpper(),
    order_seqno: decimal().nullable(),
    threshold: z.int().nullable(),
    sent_for_execution: z.boolean().nullable(),
    approvals_mask: decimal().nullable(),
    approvals_num: z.int().nullable(),
    expiration_date: z.int().nullable(),
    order_boc: base64().nullable(),
    signers: z.array(rawUpper()).nullable(),
    last_transaction_lt: decimal(),
    code_hash: hash44().nullable(),
    data_hash: hash44().nullable(),
    actions: z.array(orderAction).nullable(),
  })
  .meta({ id: 'V3MultisigOrder' })

const multisig = z
  .strictObject({
    address: rawUpper(),
    next_order_seqno: decimal().nullable(),
    threshold: z.int().nullable(),
    signers: z.array(rawUpper()),
    proposers: z.array(rawUpper()),
    last_transaction_lt: decimal(),
    code_hash: hash44().nullable(),
    data_hash: hash44().nullable(),
    orders: z.array(multisigOrder),
  })
  .meta({ id: 'V3Multisig' })

export const v3Multisigs = z.strictObject({ multisigs: z.array(multisig), ...withBook, ...nextCursor }).meta({ id: 'V3Multisigs' })
export const v3MultisigOrders = z
  .strictObject({ orders: z.array(multisigOrder), ...withBook, ...nextCursor })
  .meta({ id: 'V3MultisigOrders' })

const vesting = z
  .strictObject({
    address: rawUpper(),
    start_time: z.int(),
    total_duration: z.int(),
    unlock_period: z.int(),
    cliff_duration: z.int(),
    sender_address: rawUpper(),
    owner_address: rawUpper(),
    total_amount: decimal(),
    whitelist: z.array(rawUpper()),
  })
  .meta({ id: 'V3VestingInfo' })

export const v3Vestings = z
  .strictObject({ vesting_contracts: z.array(vesting), ...withBook, ...nextCursor })
  .meta({ id: 'V3VestingContracts' })
