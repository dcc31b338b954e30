import { parseAddress } from '../../shared/fields/address.ts'
import type { WantedMessage } from '../../shared/fields/emulate.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { type Builder, beginCell } from '../cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../cell/cell.ts'
import type { AccountState } from '../chain/chain-port.ts'
import { stdAddress } from '../tlb/address.ts'
import { readWallet, type Wallet, type WalletType } from '../tlb/contracts/wallets.ts'
import type { AccountId } from '../tlb/ids.ts'
import { storeMessage } from '../tlb/message/message.ts'
import { loadStateInit, type StateInit } from '../tlb/state/state-init.ts'
import { EmulationError } from './error.ts'
import { LAST_TIME } from './trace.ts'

/* The external message that a wallet would send for a TON Connect request, without a signature. */

/** Send mode of every message of a request: fees are paid separately, errors of the action phase are ignored. */
const MODE = 3
const SIGNATURE_BITS = 512
/** signed_external of v5. */
const SIGNED_EXTERNAL = 0x7369676e
/** action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction; */
const ACTION_SEND = 0x0ec3c86d

/** Wallets that have no TON Connect. The position in the list is TON Center's number of the type. */
const UNSUPPORTED: readonly WalletType[] = ['wallet v1 r1', 'wallet v1 r2', 'wallet v1 r3', 'wallet v2 r1', 'wallet v2 r2']

const failed = (text: string, cause?: unknown): EmulationError => new EmulationError('message', text, { cause })
const notComposed = (why: string, cause?: unknown): EmulationError => failed(`Failed to compose external message: ${why}`, cause)

/** The sender of a request. Throws EmulationError. */
export const senderOf = (from: string): AccountId => {
  const address = parseAddress(from)
  if (address === undefined) throw failed(`Invalid address format: ${from}`)
  return address
}

const read = <T>(what: string, boc: Uint8Array, load: (cell: Cell) => T): T => {
  try {
    return load(parseBocRoot(boc))
  } catch (error) {
    if (error instanceof CellError) throw notComposed(`${what}: ${error.message}`, error)
    throw error
  }
}

const initOf = (cell: Cell): StateInit => {
  const s = cell.slice()
  const init = loadStateInit(s)
  s.end()
  return init
}

const outMessage = ({ address, amount, payload, stateInit }: WantedMessage, i: number, now: number): Cell => {
  const to = parseAddress(address)
  if (to === undefined) throw notComposed(`message at index ${i} has no valid address: ${address.slice(0, 100)}`)
  try {
    return storeMessage({
      info: {
        type: 'internal',
        ihrDisabled: true,
        bounce: to.bounceable,
        bounced: false,
        src: undefined,
        dest: stdAddress(to.workchain, to.hash),
        value: { grams: amount },
        ihrFee: 0n,
        fwdFee: 0n,
        createdLt: 0n,
        createdAt: now,
      },
      init: stateInit && read(`stateInit at index ${i}`, stateInit, initOf),
      body: payload === undefined ? EMPTY_CELL : read(`payload at index ${i}`, payload, (cell) => cell),
    })
  } catch (error) {
    if (error instanceof CellError) throw notComposed(`message at index ${i}: ${error.message}`, error)
    throw error
  }
}

interface Order {
  readonly walletId: number
  readonly seqno: number
  readonly validUntil: number
  readonly messages: readonly Cell[]
}

const unsigned = (b: Builder): Builder => b.storeBytes(new Uint8Array(SIGNATURE_BITS / 8))

const head = (b: Builder, { walletId, validUntil, seqno }: Order): Builder =>
  b.storeInt(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32)

/** v3 and v4: the signature, the head, the op (v4), then mode and message of each. */
const bodyOfV4 = (order: Order, op: boolean): Cell => {
  const b = head(unsigned(beginCell()), order)
  if (op) b.storeUint(0, 8)
  for (const message of order.messages) b.storeUint(MODE, 8).storeRef(message)
  return b.end()
}

/** v5: the head, the list of actions (the first one deepest), no other actions, then the signature. */
const bodyOfV5 = (order: Order): Cell => {
  const list = order.messages.reduce(
    (before, message) => beginCell().storeRef(before).storeUint(ACTION_SEND, 32).storeUint(MODE, 8).storeRef(message).end(),
    EMPTY_CELL,
  )
  return unsigned(head(beginCell().storeUint(SIGNED_EXTERNAL, 32), order).storeMaybeRef(list).storeBit(0)).end()
}

const bodyOf = (type: WalletType, order: Order): Cell => {
  switch (type) {
    case 'wallet v3 r1':
    case 'wallet v3 r2':
      return bodyOfV4(order, false)
    case 'wallet v4 r1':
    case 'wallet v4 r2':
      return bodyOfV4(order, true)
    case 'wallet v5 r1':
      return bodyOfV5(order)
    default:
      throw failed('Account is not a known wallet')
  }
}

const walletOf = ({ account }: AccountState): Wallet => {
  const init = account?.state.type === 'active' ? account.state.init : undefined
  if (init?.code === undefined || init.data === undefined) throw failed('Account state no code or no data')
  const wallet = readWallet(init.code, init.data)
  if (wallet === undefined) throw failed('Account is not a known wallet')
  const type = UNSUPPORTED.indexOf(wallet.wallet_type)
  if (type >= 0) throw failed(`Unsupported wallet type: ${type}`)
  return wallet
}

/** The external message of a request. `now`: unix seconds. Throws EmulationError with TON Center's texts. */
export const composeRequest = (
  wallet: AccountState,
  { messages, validUntil, now }: { readonly messages: readonly WantedMessage[]; readonly validUntil: number; readonly now: number },
): Cell => {
  const { wallet_type, wallet_id = 0, seqno } = walletOf(wallet)
  const order = {
    walletId: wallet_id,
    seqno,
    validUntil: Math.min(validUntil, LAST_TIME),
    messages: messages.map((message, i) => outMessage(message, i, now)),
  }
  const { workchain, hash } = wallet.id
  return storeMessage({
    info: { type: 'external-in', src: undefined, dest: stdAddress(workchain, hash), importFee: 0n },
    body: bodyOf(wallet_type, order),
  })
}
