import type { AccountId } from '../../../../tlb/ids.ts'
import type { RefusedTransaction } from '../../../../tvm/make-transaction.ts'
import { hexOf } from '../../bytes.ts'

/** The end of the VM's log that TON gives with a refusal. */
const LOG_CHARACTERS = 1000

/**
 * TON's text for an external message that an account did not take (ExtMessageQ::run_message_on_account, impl_create_ordinary_transaction). gas_used is 0:
 * before ACCEPT the limit is, and the VM's figure is cut to it.
 */
export const refusalText = (dest: AccountId, result: RefusedTransaction): { error: string; exitCode?: number } => {
  const account = hexOf(dest.hash).toUpperCase()
  const prefix = 'cannot apply external message to current state : External message was not accepted\nCannot run message on account: '
  if (result.exitCode === undefined) {
    // Refused before it ran (it could not pay for its import), or the TVM could make nothing of it.
    const text = `inbound external message rejected by account ${account} before smart-contract execution`
    return { error: `${prefix}${result.error.includes('before smart-contract execution') ? text : result.error}` }
  }
  const log = result.log ?? ''
  const steps = log.split('\n').filter((line) => line.startsWith('execute ')).length
  const tail = log === '' ? '' : `\nVM Log (truncated):\n...${log.slice(-LOG_CHARACTERS)}`
  return {
    error: `${prefix}inbound external message rejected by transaction ${account}:\nexitcode=${result.exitCode}, steps=${steps}, gas_used=0${tail}`,
    exitCode: result.exitCode,
  }
}
