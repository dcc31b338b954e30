import { parseAddress } from '../../shared/fields/address.ts'
import type { RequestedMessage } from '../../shared/fields/emulate.ts'
import { parseAccountBocOr } from '../cell/boc.ts'
import { MAX_MESSAGE_CELLS } from '../cell/budget.ts'
import { type Cell, CellError, EMPTY_CELL } from '../cell/cell.ts'
import type { AccountState } from '../chain/chain-port.ts'
import { readWallet, type Wallet, type WalletType } from '../tlb/contracts/wallets.ts'
import type { AccountId } from '../tlb/ids.ts'
import { messageToWallet, orderedMessage, UNSIGNED, walletOrderBody } from '../tlb/message/wallet-order.ts'
import { parseStateInit } from '../tlb/state/state-init.ts'
import { EmulationError } from './error.ts'
import { LAST_TIME } from './trace.ts'

/* Composes the external message that a wallet would send for a TON Connect request, without a signature. */

/** Wallets that do not support TON Connect. The order is TON Center's numbering of wallet types. */
const UNSUPPORTED: readonly WalletType[] = ['wallet v1 r1', 'wallet v1 r2', 'wallet v1 r3', 'wallet v2 r1', 'wallet v2 r2']

const failed = (text: string, cause?: unknown): EmulationError => new EmulationError('message', text, { cause })
const notComposed = (why: string, cause?: unknown): EmulationError => failed(`Failed to compose external message: ${why}`, cause)

export const senderOf = (from: string): AccountId => {
  const address = parseAddress(from)
  if (address === undefined) throw failed(`Invalid address format: ${from}`)
  return address
}

const composed = <T>(what: string, compose: () => T): T => {
  try {
    return compose()
  } catch (error) {
    if (error instanceof CellError) throw notComposed(`${what}: ${error.message}`, error)
    throw error
  }
}

/** With pauses: a request can have eight bags with as many cells as a message. */
const read = async <T>(what: string, boc: Uint8Array, load: (cell: Cell) => T): Promise<T> => {
  const cell = await parseAccountBocOr(boc, (error) => notComposed(`${what}: ${error.message}`, error), { cells: MAX_MESSAGE_CELLS })
  return composed(what, () => load(cell))
}

const outMessage = async ({ address, amount, payload, stateInit }: RequestedMessage, i: number, now: number): Promise<Cell> => {
  const to = parseAddress(address)
  if (to === undefined) throw notComposed(`message at index ${i} has no valid address: ${address.slice(0, 100)}`)
  const init = stateInit && (await read(`stateInit at index ${i}`, stateInit, parseStateInit))
  const body = payload === undefined ? EMPTY_CELL : await read(`payload at index ${i}`, payload, (cell) => cell)
  return composed(`message at index ${i}`, () =>
    orderedMessage({
      to,
      amount,
      bounce: to.bounceable,
      init,
      body,
      createdAt: now,
    }),
  )
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

/** `now`: unix seconds. Throws EmulationError with TON Center's texts. */
export const composeRequest = async (
  wallet: AccountState,
  { messages, validUntil, now }: { readonly messages: readonly RequestedMessage[]; readonly validUntil: number; readonly now: number },
): Promise<Cell> => {
  const { wallet_type, wallet_id = 0, seqno } = walletOf(wallet)
  const cells: Cell[] = []
  for (const [i, message] of messages.entries()) cells.push(await outMessage(message, i, now))
  const order = { walletId: wallet_id, seqno, validUntil: Math.min(validUntil, LAST_TIME), messages: cells }
  // The messages fit into cells, but the order above them may be too deep.
  const body = composed('messages', () => walletOrderBody(wallet_type, order, UNSIGNED))
  if (body === undefined) throw failed('Account is not a known wallet')
  return composed('messages', () => messageToWallet(wallet.id, body))
}
