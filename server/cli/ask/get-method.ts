import { type TonClient, TonClientError } from '../../../client/index.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'
import { exitCodeText } from '../../tvm/exit-codes.ts'
import { DEBUG_MARK, lastSteps } from '../../tvm/last-steps.ts'
import type { StackItem } from './stack.ts'

/** User-friendly form of an address: bounceable only for an active contract that is not a wallet. */
export const friendlyOf = async (client: TonClient, address: string): Promise<string> => {
  const { wallet, account_state } = await client.getWalletInformation({ address })
  return formatFriendly(parseAddress(address)!, { bounceable: !wallet && account_state === 'active' })
}

const SUCCESS = [0, 1]

/** If the run fails, throws an Error with `exitCode`, whose message includes the last steps. */
export const runGetMethod = async (
  client: TonClient,
  account: string | { toRawString(): string },
  method: string | number,
  stack: readonly StackItem[],
) => {
  const address = typeof account === 'string' ? account : account.toRawString()
  const params = { address, method, stack: [...stack] }
  const run = await client.runGetMethod(params)
  if (SUCCESS.includes(run.exit_code)) return { stack: run.stack, gasUsed: run.gas_used, exitCode: run.exit_code, debug: run.debug ?? [] }
  const { trace } = await client.runGetMethod({ ...params, trace: true, seqno: run.block_id.seqno }).catch((error: unknown) => {
    // If the last steps cannot be read, the original failure is still reported.
    if (error instanceof TonClientError) return { trace: undefined }
    throw error
  })
  const meaning = run.exit_code === -13 ? 'the account has no code' : (exitCodeText(run.exit_code) ?? 'a code of the contract')
  const steps = lastSteps(trace?.steps ?? []).map((step) => `  ${step}`)
  const debug = run.debug ?? trace?.debug ?? []
  const printed = debug.map((text) => `  ${DEBUG_MARK}${text}`)
  const lines = [
    `get-method ${method} of ${await friendlyOf(client, address)} ended with exit code ${run.exit_code}: ${meaning}`,
    ...printed,
    ...steps,
  ]
  throw Object.assign(new Error(lines.join('\n')), { exitCode: run.exit_code, gasUsed: run.gas_used, debug })
}
