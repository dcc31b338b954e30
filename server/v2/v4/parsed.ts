import { fitsFriendly, formatFriendly } from '../../../shared/fields/address.ts'
import { inOwnTurn } from '../../base/yield.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import type { TransactionInBlock } from '../../chain/chain-port.ts'
import { accountOf, type ExternAddress, type MsgAddressInt } from '../../tlb/address.ts'
import { toHex } from '../../tlb/bytes.ts'
import { type AccountId, sameAccount } from '../../tlb/ids.ts'
import { loadMessage, type Message } from '../../tlb/message/message.ts'
import { SIGNED_EXTERNAL } from '../../tlb/message/wallet-order.ts'
import type { StateInit } from '../../tlb/state/state-init.ts'
import type { AccountStatus } from '../../tlb/transaction/transaction.ts'
import { friendlyOrEmpty } from '../address.ts'
import type { AnswerTexts } from '../answer-texts.ts'
import { showEach } from '../transaction.ts'
import { base64 } from '../wire.ts'
import { operationOf, type ShortBody, shortBody } from './operation.ts'

/* Transactions in the short form of TON API v4: rawTransactionToParsedTransaction.ts of github.com/ton-community/ton-api-v4. */

const STATUSES = { uninit: 'uninitialized', frozen: 'frozen', active: 'active', nonexist: 'non-existing' } as const satisfies Record<
  AccountStatus,
  string
>

const externalAddress = (address: ExternAddress | undefined) => {
  if (address === undefined) return null
  const { bits, data } = address
  const number = bits === 0 ? 0n : BigInt(`0x${toHex(data)}`) >> BigInt(data.length * 8 - bits)
  return { bits, data: number.toString(16) }
}

const infoOf = ({ info }: Message) => {
  if (info.type === 'external-out') return { type: info.type, dest: externalAddress(info.dest) } as const
  const dest = friendlyOrEmpty(info.dest)
  if (info.type === 'external-in')
    return { type: info.type, dest, src: externalAddress(info.src), importFee: info.importFee.toString() } as const
  return {
    type: info.type,
    value: info.value.grams.toString(),
    dest,
    src: friendlyOrEmpty(info.src),
    bounced: info.bounced,
    bounce: info.bounce,
    ihrDisabled: info.ihrDisabled,
    createdAt: info.createdAt,
    createdLt: info.createdLt.toString(),
    fwdFee: info.fwdFee.toString(),
    // 0 as in v2. Newer blocks store flags in this field of the message.
    ihrFee: '0',
  } as const
}

const initOf = async (init: StateInit | undefined, texts: AnswerTexts) =>
  init === undefined
    ? null
    : {
        splitDepth: init.splitDepth ?? null,
        code: init.code ? await texts.boc(init.code) : null,
        data: init.data ? await texts.boc(init.data) : null,
        special: init.special ?? null,
      }

const messageOf = async (message: Message, texts: AnswerTexts) => ({
  body: await texts.boc(message.body),
  info: await inOwnTurn(() => infoOf(message)),
  init: await initOf(message.init, texts),
})

/** The first message in a v5 action list, whose deepest cell has the first action. Nodes accept up to 255 actions. */
const deepest = (list: Cell | undefined): Cell | undefined => {
  let message: Cell | undefined
  for (let at = list, left = 255; at !== undefined && at.refCount === 2 && left > 0; left--) {
    const s = at.slice()
    at = s.loadRef()
    message = s.loadRef()
  }
  return message
}

/** Parses external messages to wallets v3, v4 and v5. `first`: the first message that the wallet has to send. Returns undefined for other bodies. */
const orderOf = (body: Cell) =>
  attempt(() => {
    const s = body.slice()
    if (s.preloadUint(32) === SIGNED_EXTERNAL) return { seqno: s.skip(32 + 32 + 32).loadUint(32), first: deepest(s.loadMaybeRef()) }
    const seqno = s.skip(512 + 32 + 32).loadUint(32)
    // v3 has no op, only one mode byte for each message. In v4 an op byte comes first; op 0 is a transfer.
    const isTransfer = s.remainingBits === 8 * s.remainingRefs || (s.remainingBits >= 8 && s.loadUint(8) === 0)
    return { seqno, first: isTransfer && s.remainingRefs > 0 ? s.loadRef() : undefined }
  })

const friendlyOf = (id: AccountId): string => (fitsFriendly(id) ? formatFriendly(id) : '')

const othersOf = (own: AccountId, addresses: readonly (MsgAddressInt | undefined)[]): string[] => {
  const others = addresses.flatMap((address) => accountOf(address) ?? []).filter((id) => !sameAccount(id, own) && fitsFriendly(id))
  return [...new Set(others.map((id) => formatFriendly(id)))]
}

/** The transaction's main message, its receiver, and the nanograms that the transaction receives and sends. */
const summaryOf = ({ transaction: { inMsg, outMsgs }, workchain, transaction }: TransactionInBlock) => {
  const own = { workchain, hash: transaction.account }
  const info = inMsg?.info
  const incoming = info?.type === 'internal' ? info : undefined
  const order = inMsg && info?.type === 'external-in' ? orderOf(inMsg.body) : undefined
  const first = order?.first
  const sent = first && attempt(() => loadMessage(first))
  const dest = sent?.info.type === 'internal' ? friendlyOrEmpty(sent.info.dest) || null : null
  const body = incoming ? shortBody(inMsg!.body) : sent ? shortBody(sent.body) : null
  const out = outMsgs.flatMap((message) => (message.info.type === 'internal' ? [message.info] : []))
  const amount = out.reduce((sum, { value }) => sum - value.grams, incoming?.value.grams ?? 0n)
  const parsed = {
    seqno: order?.seqno ?? null,
    body,
    status: info?.type === 'external-in' && transaction.outMsgCount === 0 ? 'failed' : 'success',
    dest,
    kind: incoming ? 'in' : 'out',
    amount: amount.toString(),
    resolvedAddress: dest ?? (incoming ? friendlyOrEmpty(incoming.src) : friendlyOf(own)),
    bounced: incoming?.bounced ?? false,
    mentioned: othersOf(own, [incoming?.src, ...out.map((message) => message.dest)]),
  } as const
  return { parsed, operation: operationOf(own, amount, body) }
}

const bodyOf = async (body: ShortBody, texts: AnswerTexts) => {
  if (body?.type === 'payload') return { type: body.type, cell: await texts.boc(body.cell) } as const
  return body && { type: body.type, comment: texts.count(body.comment) }
}

export const parsedTransaction = async (found: TransactionInBlock, texts: AnswerTexts) => {
  const { transaction, hash, workchain } = found
  const { inMsg, outMsgs, stateUpdate } = transaction
  const { parsed, operation } = await inOwnTurn(() => summaryOf(found))
  texts.count(operation.comment ?? '')
  return {
    address: friendlyOf({ workchain, hash: transaction.account }),
    lt: transaction.lt.toString(),
    hash: base64(hash),
    // In hex, although all other hashes of v4 are base64.
    prevTransaction: { lt: transaction.prevTransLt.toString(), hash: toHex(transaction.prevTransHash) },
    time: transaction.now,
    outMessagesCount: transaction.outMsgCount,
    oldStatus: STATUSES[transaction.origStatus],
    newStatus: STATUSES[transaction.endStatus],
    fees: transaction.totalFees.grams.toString(),
    update: { oldHash: base64(stateUpdate.oldHash), newHash: base64(stateUpdate.newHash) },
    inMessage: inMsg ? await messageOf(inMsg, texts) : null,
    outMessages: await showEach(outMsgs, messageOf, texts),
    parsed: { ...parsed, body: await bodyOf(parsed.body, texts) },
    operation,
  }
}
