import type { Methods } from './methods.ts'

/* What became of a transaction, in words for people: for the page and for `tonway trace`. */

type Transaction = Methods['v3.transactions']['result']['transactions'][number]
type Parts = Pick<Transaction, 'description' | 'in_msg' | 'end_status'>

/** The opcode is unknown: what FunC and Tolk throw in nearly all contracts. */
const UNKNOWN_OPCODE = 65535

/** The meaning of an exit code that a contract chose itself. */
export const ownCodeText = (code: number): string =>
  code === UNKNOWN_OPCODE ? 'the contract most likely does not know this opcode' : 'a code of the contract'

/**
 * Returns whether a transaction only credited coins to an account without a contract. TON marks it as aborted, although it is not a failure. If the coins are
 * few, TON gives `no_gas` as the reason, and not that there is no code. A StateInit with few coins was to make a contract, so that fails.
 */
const isCreditOnly = ({ description: { compute_ph: compute, bounce }, in_msg: received, end_status: status }: Parts): boolean => {
  if (compute?.skipped !== true || bounce !== undefined || received?.bounce === true) return false
  const isFew = compute.reason === 'no_gas' && status === 'uninit' && received?.value !== '0' && !received?.init_state
  return compute.reason === 'no_state' || isFew
}

export type CodeTexts = Methods['rpc.about']['result']['exit_codes']

export interface Outcome {
  readonly failed: boolean
  /** `exit code 709`, `not run`; '' for a success. Coins that an account without a contract keeps are no failure, but it was not run. */
  readonly short: string
  /** The explanation; '' if there is none. */
  readonly text: string
}

const SKIPPED: Readonly<Record<string, string>> = {
  no_state: 'the account has no code',
  bad_state: 'the StateInit of the message does not fit the address',
  no_gas: 'the message brought too little to pay for gas',
  suspended: 'the account is suspended',
}

/** A failure with its explanation: `exit code 13, out of gas`. */
export const failureText = ({ short, text }: Outcome): string => (text === '' ? short : `${short}, ${text}`)

const SUCCESS: Outcome = { failed: false, short: '', text: '' }
const failure = (short: string, text = ''): Outcome => ({ failed: true, short, text })

/** A frozen account gets its contract back, and no other one. */
const creditText = (status: Transaction['end_status']): string =>
  status === 'frozen' ? 'coins arrived; the account is frozen' : 'coins arrived; the account has no contract yet'

export const outcomeOf = (tx: Parts, texts?: CodeTexts): Outcome => {
  const { compute_ph: compute, action, aborted } = tx.description
  if (compute && !compute.skipped && !compute.success) {
    const meaning = texts?.compute[compute.exit_code] ?? ownCodeText(compute.exit_code)
    return failure(`exit code ${compute.exit_code}`, meaning)
  }
  if (action && !action.success) return failure(`action failed, code ${action.result_code}`, texts?.action[action.result_code])
  if (!aborted) return SUCCESS
  if (isCreditOnly(tx)) return { failed: false, short: 'not run', text: creditText(tx.end_status) }
  return compute?.skipped ? failure('not run', SKIPPED[compute.reason]) : failure('aborted')
}
