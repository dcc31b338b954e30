import { toHex } from '../../../../tlb/bytes.ts'
import type { AccountId } from '../../../../tlb/ids.ts'
import { DEBUG_MARK } from '../../../../tvm/last-steps.ts'
import type { RefusedTransaction } from '../../../../tvm/make-transaction.ts'
import { type Refused, walletRefusal } from './wallet-refusal.ts'

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
