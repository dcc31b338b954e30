import type { Cell } from '../../../../cell/cell.ts'
import { readWallet, type Wallet } from '../../../../tlb/contracts/wallets.ts'
import { loadMessage } from '../../../../tlb/message/message.ts'
import { readWalletOrderHead } from '../../../../tlb/message/wallet-order.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'

/** An external message that an account refused. */
export interface Refused {
  readonly account: Cell
  readonly message: Cell
  /** Unix seconds. */
  readonly now: number
}

/** Wallets whose orders have the same head and, but for 100 that v5 adds, the same exit codes. */
const HEADED: readonly Wallet['wallet_type'][] = ['wallet v3 r1', 'wallet v3 r2', 'wallet v4 r1', 'wallet v4 r2', 'wallet v5 r1']

/** Seconds by which the clocks differ without a reason. */
const CLOCKS_DIFFER = 10

const expiredText = (validUntil: number, now: number): string => {
  const ahead = now - Math.floor(Date.now() / 1000)
  const clock =
    ahead > CLOCKS_DIFFER ? `; the chain's clock is ${ahead} s ahead of this computer's, by which wallets of apps set valid_until` : ''
  return `the message expired: its valid_until ${validUntil} is not after the chain's time ${now}${clock}`
}

const reasonOf = (exitCode: number, wallet: Wallet, body: Cell, now: number): string | undefined => {
  const type = wallet.wallet_type
  const isV5 = type === 'wallet v5 r1'
  const order = readWalletOrderHead(type, body)
  switch (isV5 ? exitCode - 100 : exitCode) {
    case 32:
      return isV5 ? 'the wallet takes no signed messages: it is left to its extensions' : undefined
    case 33:
      return `the message has seqno ${order.seqno}, and the wallet is at seqno ${wallet.seqno}`
    case 34:
      return `the message is for wallet id ${order.walletId}, and the wallet has wallet id ${wallet.wallet_id}`
    case 35:
      // v3 has one code for both.
      return type.startsWith('wallet v3') && order.validUntil <= now
        ? expiredText(order.validUntil, now)
        : "the signature is not that of the wallet's key"
    case 36:
      return expiredText(order.validUntil, now)
    default:
      return undefined
  }
}

/** Why a wallet did not accept an external message, in words; undefined for other contracts and for other reasons. */
export const walletRefusal = (exitCode: number, { account, message, now }: Refused): string | undefined => {
  try {
    const { init: sent, body } = loadMessage(message)
    const state = loadAccount(account)?.state
    const init = state?.type === 'active' ? state.init : sent
    const wallet = init?.code && readWallet(init.code, init.data)
    return wallet && HEADED.includes(wallet.wallet_type) ? reasonOf(exitCode, wallet, body, now) : undefined
  } catch {
    // Words are all that is lost, of a message or an account that cannot be read.
    return undefined
  }
}
