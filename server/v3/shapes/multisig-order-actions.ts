import type { Result } from '../../../shared/registry.ts'
import { ENCRYPTED_COMMENT } from '../../actions/comment-text.ts'
import { parseBocRoot, serializeBoc } from '../../cell/boc.ts'
import { type Budget, MAX_MESSAGE_CELLS, uniqueCells } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt, CellError } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'
import { TOP_UP } from '../../protocols/basic/messages.ts'
import { INTERNAL_TRANSFER } from '../../protocols/jettons/bodies.ts'
import { opcode as jetton } from '../../protocols/jettons/messages.ts'
import { MINT, MINTER_MINT } from '../../protocols/jettons/mint-burn.ts'
import { opcode as multisig } from '../../protocols/multisig/messages.ts'
import { opcode as vesting } from '../../protocols/vesting/messages.ts'
import { accountKey } from '../../store/row-keys.ts'
import { loadMaybeAddressInt, type MsgAddressInt } from '../../tlb/address.ts'
import { loadOrderAction, loadOrderActions } from '../../tlb/contracts/multisig.ts'
import { loadMessage, type Message } from '../../tlb/message/message.ts'
import { readSnake, utf8 } from '../../tlb/message/snake.ts'
import {
  JETTON_BURN,
  JETTON_TRANSFER,
  loadJettonBurn,
  loadJettonTransfer,
  loadNftTransfer,
  NFT_TRANSFER,
} from '../../tlb/message/token-messages.ts'
import { address } from './values.ts'

export type OrderAction = NonNullable<Result<'v3.multisig.orders'>['orders'][number]['actions']>[number]
type Body = NonNullable<OrderAction['parsed_body']>
interface Parsed {
  readonly type: string
  readonly body: Body
}

const COMMENT = 0
const MAX_TEXT = 8192

const boc = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const maybeBoc = (cell: Cell | undefined): string | null => (cell === undefined ? null : boc(cell))
const hex = (opcode: number): string => `0x${opcode.toString(16).padStart(8, '0')}`
/** A number, or a decimal string if JSON would round it. */
const whole = (value: bigint): number | string => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value))

const std = (found: MsgAddressInt | undefined): string | null =>
  found?.type === 'std' ? address(accountKey(found.workchain, found.hash)) : null
const party = (found: { readonly workchain: number; readonly hash: Uint8Array } | null): string | null =>
  found && address(accountKey(found.workchain, found.hash))
const loadAddress = (s: Slice): string | null => std(loadMaybeAddressInt(s))

const opOf = (cell: Cell | undefined): number | undefined =>
  cell === undefined || cell.exotic || cell.bits < 32 ? undefined : cell.slice().loadUint(32)

/** Reads the text after an opcode. An encrypted text is returned as hex. */
const textOf = (s: Slice, encrypted: boolean): string => {
  const read = readSnake(s, MAX_TEXT)
  if (read === undefined) return ''
  return encrypted ? Buffer.from(read.bytes).toString('hex') : (utf8(read) ?? '')
}

const commentOf = (body: Cell | undefined): { readonly comment: string; readonly encrypted: boolean } => {
  const op = opOf(body)
  if (body === undefined || (op !== COMMENT && op !== ENCRYPTED_COMMENT)) return { comment: '', encrypted: false }
  const encrypted = op === ENCRYPTED_COMMENT
  return { comment: textOf(body.slice().skip(32), encrypted), encrypted }
}

type Reader = (s: Slice, body: Cell) => Parsed | undefined

const withQuery =
  (type: string, read: (s: Slice) => object = () => ({})): Reader =>
  (s) => ({ type, body: { query_id: whole(s.loadUintBig(64)), ...read(s) } as Body })

const withBody =
  <T>(type: string, load: (body: Cell) => T | undefined, show: (read: T) => Body): Reader =>
  (_, body) => {
    const read = load(body)
    return read && { type, body: show(read) }
  }

const jettonTransfer = withBody('jetton_transfer', loadJettonTransfer, ({ forwardPayload, ...read }) => {
  const { comment, encrypted } = commentOf(forwardPayload)
  const op = opOf(forwardPayload)
  return {
    query_id: whole(read.queryId),
    amount: String(read.amount),
    destination: party(read.destination),
    response: party(read.responseDestination),
    custom_payload: maybeBoc(read.customPayload),
    forward_amount: String(read.forwardTonAmount ?? 0n),
    comment,
    encrypted_comment: encrypted,
    forward_payload: maybeBoc(forwardPayload),
    payload_sum_type: op === undefined ? '' : hex(op),
    stonfi_swap_body: null,
  }
})

const jettonBurn = withBody('jetton_burn', loadJettonBurn, ({ queryId, amount, responseDestination }) => ({
  query_id: whole(queryId),
  amount: String(amount),
  response_destination: party(responseDestination),
}))

const nftTransfer = withBody('nft_transfer', loadNftTransfer, (read) => ({
  query_id: whole(read.queryId),
  new_owner: party(read.newOwner),
  response_destination: party(read.responseDestination),
  custom_payload: maybeBoc(read.customPayload),
  forward_amount: String(read.forwardAmount ?? 0n),
  forward_payload: maybeBoc(read.forwardPayload),
}))

/* mint query_id:uint64 to_address:MsgAddress ton_amount:Coins (master_msg:^[ internal_transfer query_id jetton_amount ... ] | jetton_amount:Coins) */
const jettonMint: Reader = (s) => {
  const head = { query_id: whole(s.loadUintBig(64)), to_address: loadAddress(s), ton_amount: String(s.loadCoins()) }
  if (s.remainingRefs === 0) return { type: 'jetton_mint', body: { ...head, jetton_amount: String(s.loadCoins()) } }
  const master = s.loadRef().slice()
  const opcode = master.loadUint(32)
  if (opcode !== INTERNAL_TRANSFER) return undefined
  const message = { master_msg_query_id: whole(master.loadUintBig(64)), master_msg_jetton_amount: String(master.loadCoins()) }
  return { type: 'jetton_mint', body: { ...head, opcode, ...message } }
}

const SET_STATUS = jetton('internal jetton_set_status')
const CALLS: Readonly<Record<number, string>> = { [SET_STATUS]: 'set_status', [JETTON_TRANSFER]: 'transfer', [JETTON_BURN]: 'burn' }

const callTo = withQuery('jetton_call_to', (s) => {
  const head = { to_address: loadAddress(s), ton_amount: String(s.loadCoins()) }
  const action = s.loadRef()
  const op = opOf(action)
  return { ...head, action_type: op === undefined ? 'unknown' : (CALLS[op] ?? hex(op)), action_data: boc(action) }
})

const vestingSend = withQuery('vesting_internal_transfer', (s) => {
  const mode = s.loadUint(8)
  const message = loadMessage(s.loadRef())
  const { info } = message
  return {
    send_mode: mode,
    destination: info.type === 'internal' ? std(info.dest) : null,
    value: info.type === 'internal' ? String(info.value.grams) : '0',
    message_body: boc(message.body),
    comment: commentOf(message.body).comment,
  }
})

/** Readers of bodies by opcode. Each starts after the opcode. */
const READERS: Readonly<Record<number, Reader>> = {
  [JETTON_TRANSFER]: jettonTransfer,
  [JETTON_BURN]: jettonBurn,
  [MINTER_MINT]: jettonMint,
  [MINT]: jettonMint,
  [NFT_TRANSFER]: nftTransfer,
  [0x9fd3]: withQuery('jetton_top_up'),
  // In the governed jetton (ton-blockchain/stablecoin-contract) top_up has another opcode than above.
  [TOP_UP]: withQuery('jetton_top_up'),
  [jetton('internal jetton_change_admin')]: withQuery('jetton_change_admin', (s) => ({ new_admin_address: loadAddress(s) })),
  [jetton('internal jetton_claim_admin')]: withQuery('jetton_claim_admin'),
  [jetton('internal jetton_change_metadata')]: withQuery('jetton_change_content', (s) => ({ new_metadata_url: textOf(s, false) })),
  [jetton('internal jetton_call_to')]: callTo,
  [SET_STATUS]: withQuery('jetton_set_status', (s) => ({ new_status: s.loadUint(4) })),
  [0x1000]: withQuery('single_nominator_withdraw', (s) => ({ coins: String(s.loadCoins()) })),
  [0x1001]: withQuery('single_nominator_change_validator', (s) => ({ validator_address: loadAddress(s) })),
  // v3 uses this name for both opcodes: the multisig's and the vesting wallet's own opcode for the same body.
  [vesting('internal vesting_send_message')]: vestingSend,
  [multisig('internal multisig_execute')]: vestingSend,
}

const parseBody = (body: Cell): Parsed => {
  const op = opOf(body)
  if (op === COMMENT || op === ENCRYPTED_COMMENT || (body.bits === 0 && body.refCount === 0))
    return { type: 'ton_transfer', body: commentOf(body) }
  const read = op === undefined ? undefined : READERS[op]
  const parsed = read && attempt(() => read(body.slice().skip(32), body))
  return parsed ?? { type: 'unknown', body: { opcode: op ?? 0, data: boc(body) } }
}

const sent = (mode: number, message: Message): OrderAction => {
  const { info, body } = message
  const parsed = parseBody(body)
  return {
    destination: info.type === 'internal' ? std(info.dest) : null,
    value: info.type === 'internal' ? String(info.value.grams) : null,
    body_raw: boc(body),
    parsed: true,
    error: null,
    parsed_body: parsed.body,
    parsed_body_type: parsed.type,
    send_mode: mode,
  }
}

const NOTHING = { destination: null, value: null, body_raw: null, error: null, send_mode: 0 } as const

const toOrderAction = (cell: Cell, budget: Budget): OrderAction => {
  try {
    const action = loadOrderAction(cell, budget)
    if (action.type === 'send') {
      // Counts the message's cells against the budget: an action shows its message as BoCs, and many actions may share one large message.
      for (const _ of uniqueCells([action.message], budget));
      return sent(action.mode, loadMessage(action.message))
    }
    const listed = (addresses: readonly MsgAddressInt[]): string[] => addresses.flatMap((each) => std(each) ?? [])
    return {
      ...NOTHING,
      parsed: true,
      parsed_body: {
        new_threshold: action.threshold,
        new_signers: listed(action.signers),
        new_proposers: listed(action.proposers),
      },
      parsed_body_type: 'multisig_update_params',
    }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return { ...NOTHING, parsed: false, error: error.message, parsed_body: null, parsed_body_type: 'unknown' }
  }
}

/**
 * The actions of an order, in the order of execution; null if the cell is not an order. The budget is the maximum number of cells of a message, because an order arrives in one
 * message. Dictionary edges and the cells of messages count against it; a cell that several messages share counts for each. A message beyond the budget is
 * shown as too large.
 */
export const orderActions = (order: Buffer | null): readonly OrderAction[] | null => {
  const budget = { cells: MAX_MESSAGE_CELLS }
  const actions = order && attempt(() => loadOrderActions(parseBocRoot(order), budget).map((cell) => toOrderAction(cell, budget)))
  return actions ?? null
}
