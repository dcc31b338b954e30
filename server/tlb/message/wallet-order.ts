import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../cell/cell.ts'
import { stdAddress } from '../address.ts'
import type { WalletType } from '../contracts/wallets.ts'
import type { AccountId } from '../ids.ts'
import type { StateInit } from '../state/state-init.ts'
import { storeMessage } from './message.ts'

/* Signed orders from the owner of a wallet to the wallet. An order contains the messages that the wallet must send. */

/** Send mode of every message: fees are paid separately, and errors of the action phase are ignored. */
const MODE = 3
const SIGNATURE_BYTES = 64
/** signed_external of v5. */
export const SIGNED_EXTERNAL = 0x7369676e
/** action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction; */
const ACTION_SEND = 0x0ec3c86d

export interface WalletOrder {
  readonly walletId: number
  readonly seqno: number
  /** Unix seconds. */
  readonly validUntil: number
  readonly messages: readonly Cell[]
}

/** Returns the signature (64 bytes) of a hash. */
type Sign = (hash: Uint8Array) => Uint8Array

/** Returns zeros as the signature, for a message that is only emulated. */
export const UNSIGNED: Sign = () => new Uint8Array(SIGNATURE_BYTES)

const head = (b: Builder, { walletId, validUntil, seqno }: WalletOrder): Builder =>
  b.storeInt(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32)

/** Body of v3 and v4: the signature, the head, the op (only v4), then the mode and the cell of each message. */
const bodyOfV4 = (order: WalletOrder, hasOp: boolean, sign: Sign): Cell => {
  const b = head(beginCell(), order)
  if (hasOp) b.storeUint(0, 8)
  for (const message of order.messages) b.storeUint(MODE, 8).storeRef(message)
  const signed = b.end()
  return beginCell().storeBytes(sign(signed.hash())).storeCell(signed).end()
}

/** Body of v5: the opcode, the head, the list of actions (the first action is the deepest), no extended actions, then the signature. */
const bodyOfV5 = (order: WalletOrder, sign: Sign): Cell => {
  const list = order.messages.reduce(
    (before, message) => beginCell().storeRef(before).storeUint(ACTION_SEND, 32).storeUint(MODE, 8).storeRef(message).end(),
    EMPTY_CELL,
  )
  const signed = head(beginCell().storeUint(SIGNED_EXTERNAL, 32), order).storeMaybeRef(list).storeBit(0).end()
  return beginCell().storeCell(signed).storeBytes(sign(signed.hash())).end()
}

/** The head of an order to a wallet of v3, v4 or v5. Throws CellError for a body that is too short. */
export const readWalletOrderHead = (type: WalletType, body: Cell): Omit<WalletOrder, 'messages'> => {
  const s = body.slice().skip(type === 'wallet v5 r1' ? 32 : SIGNATURE_BYTES * 8)
  return { walletId: s.loadInt(32), validUntil: s.loadUint(32), seqno: s.loadUint(32) }
}

interface Ordered {
  readonly to: AccountId
  /** Nanograms. */
  readonly amount: bigint
  readonly bounce: boolean
  readonly init?: StateInit | undefined
  readonly body: Cell
  /** Unix seconds. The wallet replaces this time when it sends the message, so it affects only the hash of the order. */
  readonly createdAt?: number
}

/** The cell of a message for an order. Throws CellError if the message does not fit a cell. */
export const orderedMessage = ({ to, amount, bounce, init, body, createdAt = 0 }: Ordered): Cell =>
  storeMessage({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce,
      bounced: false,
      src: undefined,
      dest: stdAddress(to.workchain, to.hash),
      value: { grams: amount },
      ihrFee: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt,
    },
    init,
    body,
  })

export const messageToWallet = ({ workchain, hash }: AccountId, body: Cell): Cell =>
  storeMessage({ info: { type: 'external-in', src: undefined, dest: stdAddress(workchain, hash), importFee: 0n }, body })

/** The body of an order to a wallet; undefined for wallets before v3 and for the beta of v5. Throws CellError for more messages than the wallet accepts. */
export const walletOrderBody = (type: WalletType, order: WalletOrder, sign: Sign): Cell | undefined => {
  switch (type) {
    case 'wallet v3 r1':
    case 'wallet v3 r2':
      return bodyOfV4(order, false, sign)
    case 'wallet v4 r1':
    case 'wallet v4 r2':
      return bodyOfV4(order, true, sign)
    case 'wallet v5 r1':
      return bodyOfV5(order, sign)
    default:
      return undefined
  }
}
