import type { Cell } from '../../../../cell/cell.ts'
import { toHex } from '../../../../tlb/bytes.ts'
import { readWallet, type Wallet } from '../../../../tlb/contracts/wallets.ts'
import type { AccountId } from '../../../../tlb/ids.ts'
import { loadMessage } from '../../../../tlb/message/message.ts'
import { readWalletOrderHead } from '../../../../tlb/message/wallet-order.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import { DEBUG_MARK } from '../../../../tvm/last-steps.ts'
import type { RefusedTransaction } from '../../../../tvm/make-transaction.ts'

/** An external message that an account refused. */
interface Refused {
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
const walletRefusal = (exitCode: number, { account, message, now }: Refused): string | undefined => {
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

/** Maximum number of characters from the end of the VM's log in the text of a refusal, as in TON. */
const LOG_CHARACTERS = 1000

/**
 * TON's text for an external message that an account did not accept (ExtMessageQ::run_message_on_account, impl_create_ordinary_transaction).
 * gas_used is always 0 in this text: TON cuts it to the gas limit, which is 0 before ACCEPT. A last line, which TON does not have, says why a wallet refused.
 */
export const refusalText = (dest: AccountId, result: RefusedTransaction, refused: Refused): { error: string; exitCode?: number } => {
  const account = toHex(dest.hash).toUpperCase()
  const prefix = 'cannot apply external message to current state : External message was not accepted\nCannot run message on account: '
  if (result.exitCode === undefined) {
    // The message was refused before the run (the account cannot pay its import fee, for example), or no transaction is possible.
    const text = `inbound external message rejected by account ${account} before smart-contract execution`
    return { error: `${prefix}${result.error.includes('before smart-contract execution') ? text : result.error}` }
  }
  const log = result.log ?? ''
  const steps = log.split('\n').filter((line) => line.startsWith('execute ')).length
  const printed = (result.debug ?? [])
    .map((text) => `\n${DEBUG_MARK}${text}`)
    .join('')
    .slice(-LOG_CHARACTERS)
  const tail = `${printed}${log === '' ? '' : `\nVM Log (truncated):\n...${log.slice(-LOG_CHARACTERS)}`}`
  const reason = walletRefusal(result.exitCode, refused)
  const said = reason === undefined ? '' : `${tail.endsWith('\n') ? '' : '\n'}${reason}`
  return {
    error: `${prefix}inbound external message rejected by transaction ${account}:\nexitcode=${result.exitCode}, steps=${steps}, gas_used=0${tail}${said}`,
    exitCode: result.exitCode,
  }
}
