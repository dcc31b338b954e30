import * as z from 'zod'
import { base64, decimal, flag, int, jettonUnits, many, model, nanotons, rawUpper, seconds, text, utime } from '../value-formats.ts'
import { bookOfPage } from './book.ts'
import { nullableState } from './jettons.ts'

/** A number, or decimal text if a JSON number would be rounded. */
const queryId = z.union([z.int(), decimal('Number of the order.', '0')]).meta({
  description: 'Number that the sender gives the message.',
  form: 'integer, or a decimal text where JSON would round it',
  examples: [0],
})

const destination = rawUpper('The account that receives it; null if there is none.').nullable()
const response = rawUpper('The account that receives the coins that are left over; null if there is none.').nullable()
const to = rawUpper('The owner that receives what is minted; null if there is none.').nullable()
const customPayload = base64('Payload for the jetton wallet of the sender or for the item, as a BoC; null if there is none.').nullable()
const forwardAmount = nanotons('Coins that go on to the receiver with the notification.')
const forwardPayload = base64('Payload for the receiver, as a BoC; null if there is none.').nullable()
const coinsAlong = nanotons('Coins that go along.')
const comment = text('The comment; empty if there is none.', 'hello')
const opcode = int('Opcode of the message: the first 32 bits of its body.', 260734629)

/** The effect of an order, by `parsed_body_type`. */
const parsedBody = z
  .union([
    z.strictObject({ comment, encrypted: flag('Whether the comment is encrypted.') }),
    z.strictObject({
      query_id: queryId,
      amount: jettonUnits('How much is sent.'),
      destination,
      response,
      custom_payload: customPayload,
      forward_amount: forwardAmount,
      comment,
      encrypted_comment: flag('Whether the comment is encrypted.'),
      forward_payload: forwardPayload,
      payload_sum_type: text('Kind of the payload.', 'TextComment'),
      stonfi_swap_body: z.null().describe('Always null.'),
    }),
    z.strictObject({ query_id: queryId, amount: jettonUnits('How much is burned.'), response_destination: response }),
    z.strictObject({
      query_id: queryId,
      to_address: to,
      ton_amount: coinsAlong,
      opcode,
      master_msg_query_id: queryId,
      master_msg_jetton_amount: jettonUnits('How much is minted.'),
    }),
    z.strictObject({ query_id: queryId, to_address: to, ton_amount: coinsAlong, jetton_amount: jettonUnits('How much is minted.') }),
    z.strictObject({
      query_id: queryId,
      new_owner: rawUpper('The account that receives the item.').nullable(),
      response_destination: response,
      custom_payload: customPayload,
      forward_amount: forwardAmount,
      forward_payload: forwardPayload,
    }),
    z.strictObject({ query_id: queryId }),
    z.strictObject({ query_id: queryId, new_admin_address: rawUpper('The account that becomes the admin.').nullable() }),
    z.strictObject({ query_id: queryId, new_metadata_url: text('URL of the new content.', 'https://example.com/acorn.json') }),
    z.strictObject({
      query_id: queryId,
      to_address: rawUpper('The owner whose jetton wallet is called.').nullable(),
      ton_amount: coinsAlong,
      action_type: text('The operation that the jetton wallet is asked for.', 'set_status'),
      action_data: base64('The message to the jetton wallet, as a BoC.'),
    }),
    z.strictObject({ query_id: queryId, new_status: int('The new status of the jetton wallet.', 0) }),
    z.strictObject({ query_id: queryId, coins: nanotons('How much is withdrawn; 0 is everything.', '0') }),
    z.strictObject({ query_id: queryId, validator_address: rawUpper('The new validator of the pool.').nullable() }),
    z.strictObject({
      query_id: queryId,
      send_mode: int('Mode in which the message is sent.', 3),
      destination,
      value: nanotons('Coins that the message carries.'),
      message_body: base64('Body of the message, as a BoC.'),
      comment,
    }),
    z.strictObject({
      new_threshold: int('How many signatures an order needs from then on.', 2),
      new_signers: many('The accounts that sign from then on.', rawUpper('A signer.')),
      new_proposers: many('The accounts that propose from then on.', rawUpper('A proposer.')),
    }),
    z.strictObject({ opcode, data: base64('The rest of the body, as a BoC.') }),
  ])
  .meta({ id: 'V3OrderActionBody' })

const orderAction = model('V3OrderAction', {
  destination: rawUpper('The account that receives the message; null if it could not be read.').nullable(),
  value: nanotons('Coins that the message carries; null if it could not be read.').nullable(),
  body_raw: base64('Body of the message, as a BoC; null if it could not be read.').nullable(),
  parsed: flag('Whether the action could be read.'),
  error: text('Why it could not be read; null if it could.', 'not a message').nullable(),
  parsed_body: parsedBody.describe('What the body means; null if that is not known.').nullable(),
  parsed_body_type: text('Kind of the body.', 'jetton_transfer'),
  send_mode: int('Mode in which the message is sent.', 3),
})

const threshold = (what: string) => int(what, 2).nullable()

const multisigOrder = model('V3MultisigOrder', {
  address: rawUpper('The order.'),
  multisig_address: rawUpper('The multisig wallet that it belongs to.'),
  order_seqno: decimal('Number of the order in its wallet.', '0').nullable(),
  threshold: threshold('How many signatures it needs.'),
  sent_for_execution: flag('Whether it was sent to the wallet to be carried out.').nullable(),
  approvals_mask: decimal('Who signed: bit n is set if signer n has.', '3').nullable(),
  approvals_num: int('How many signed.', 2).nullable(),
  expiration_date: utime('Until when it may be signed.').nullable(),
  order_boc: base64('What it does: its list of actions, as a BoC.').nullable(),
  signers: many('The accounts that may sign it.', rawUpper('A signer.')).nullable(),
  ...nullableState,
  actions: many('What it does, action by action; with `parse_actions`.', orderAction).nullable(),
})

const multisig = model('V3Multisig', {
  address: rawUpper('The multisig wallet.'),
  next_order_seqno: decimal('Number of its next order; -1 where orders may have any number.', '1').nullable(),
  threshold: threshold('How many signatures an order needs.'),
  signers: many('The accounts that sign.', rawUpper('A signer.')),
  proposers: many('The accounts that may propose orders and do not sign.', rawUpper('A proposer.')),
  ...nullableState,
  orders: many('Its orders; with `include_orders`.', multisigOrder),
})

export const v3Multisigs = model('V3Multisigs', { multisigs: many('The multisig wallets that were found.', multisig), ...bookOfPage })
export const v3MultisigOrders = model('V3MultisigOrders', { orders: many('The orders that were found.', multisigOrder), ...bookOfPage })

const vesting = model('V3VestingInfo', {
  address: rawUpper('The vesting wallet.'),
  start_time: utime('When the vesting begins.'),
  total_duration: seconds('How long it takes until everything is unlocked.', 31536000),
  unlock_period: seconds('How often a part is unlocked.', 2592000),
  cliff_duration: seconds('How long nothing is unlocked at the begin.', 7776000),
  sender_address: rawUpper('The account that gave the coins.'),
  owner_address: rawUpper('The account that they are for.'),
  total_amount: nanotons('How much is locked at the begin.'),
  whitelist: many('The accounts that may be sent locked coins, such as the elector.', rawUpper('An account.')),
})

export const v3Vestings = model('V3VestingContracts', {
  vesting_contracts: many('The vesting wallets that were found.', vesting),
  ...bookOfPage,
})
