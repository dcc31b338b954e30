import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'
import type { Result } from '../../../shared/registry.ts'
import { EXCESSES } from '../../actions/step.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { bodiesOf } from '../../decode/bodies.ts'
import { loadNotification, NOTIFICATION } from '../../protocols/jettons/bodies.ts'
import { messages as stakingMessages } from '../../protocols/staking/messages.ts'
import { gramsText } from '../../tlb/currency.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { JETTON_TRANSFER, loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { textBody } from '../message.ts'

/* The operation of a body as TON API v4 formats it: resolveOperation.ts and parseMessageBody.ts of github.com/ton-community/ton-api-v4. */

type Operation = Result<'v4.getAccountTransactionsParsed'>['transactions'][number]['operation']
type Op = NonNullable<Operation['op']>
type Change = Partial<Operation> & { readonly op: Op }
type Reader = (body: Cell) => Change | undefined

const { opcode: staking } = bodiesOf(stakingMessages)

/** A body as text or as cells. Null for a body that is too short for an op, and for an empty text. */
export type ShortBody = { readonly type: 'comment'; readonly comment: string } | { readonly type: 'payload'; readonly cell: Cell } | null

export const shortBody = (body: Cell): ShortBody => {
  if (body.exotic || body.bits < 32) return null
  const text = textBody(body)
  if (text === undefined || text.isEncrypted) return { type: 'payload', cell: body }
  return text.bytes.length === 0 ? null : { type: 'comment', comment: Buffer.from(text.bytes).toString('utf8') }
}

/** A withdrawal from a TON Whales pool. A stake of 0 withdraws everything. */
const withdrawal = (body: Cell): Op => {
  const s = body.slice().skip(32 + 64)
  s.loadCoins()
  const stake = s.loadCoins()
  return stake === 0n ? { type: 'withdraw::all' } : { type: 'withdraw', options: { coins: gramsText(stake) } }
}

/** Received or sent jettons, with the text comment of the transfer. */
const jettons = (
  type: Op['type'],
  moved: { readonly amount: bigint; readonly other: AccountId | null; readonly payload: Cell | undefined } | undefined,
): Change | undefined => {
  if (moved === undefined) return undefined
  const text = moved.payload && shortBody(moved.payload)
  return {
    op: { type },
    items: [{ kind: 'token', amount: moved.amount.toString() }],
    ...(moved.other && { address: formatFriendly(moved.other) }),
    ...(text?.type === 'comment' && { comment: text.comment }),
  }
}

const READERS: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  [EXCESSES, () => ({ op: { type: 'jetton::excesses' } })],
  [
    JETTON_TRANSFER,
    (body) => {
      const read = loadJettonTransfer(body)
      return jettons('jetton::transfer', read && { amount: read.amount, other: read.destination, payload: read.forwardPayload })
    },
  ],
  [
    NOTIFICATION,
    (body) => {
      const { amount, sender, payload } = loadNotification(body)
      return jettons('jetton::transfer_notification', { amount, other: sender === null ? null : parseAddress(sender)!, payload })
    },
  ],
  [staking('internal whales_nominators_deposit'), () => ({ op: { type: 'deposit' } })],
  [staking('internal whales_nominators_withdraw'), (body) => ({ op: withdrawal(body) })],
  [staking('internal whales_nominators_stake_withdraw_delayed'), () => ({ op: { type: 'withdraw::delayed' } })],
  [staking('internal whales_nominators_stake_withdraw_completed'), () => ({ op: { type: 'withdraw::ok' } })],
])

/** `amount`: received nanograms minus sent nanograms. */
export const operationOf = (own: AccountId, amount: bigint, body: ShortBody): Operation => {
  const coins = { kind: 'ton', amount: amount.toString() } as const
  const change = body?.type === 'payload' ? attempt(() => READERS.get(body.cell.slice().loadUint(32))?.(body.cell)) : undefined
  return {
    address: formatFriendly(own),
    ...(body?.type === 'comment' && { comment: body.comment }),
    ...change,
    items: [...(change?.items ?? []), coins],
  }
}
