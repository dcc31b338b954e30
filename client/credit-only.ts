import type { Methods } from './methods.ts'

type Transaction = Methods['v3.transactions']['result']['transactions'][number]

/**
 * Returns whether a transaction only credited coins to an account without a contract. TON marks it as aborted, although it is not a failure. If the coins are
 * few, TON gives `no_gas` as the reason, and not that there is no code. A StateInit with few coins was to make a contract, so that fails.
 */
export const isCreditOnly = ({
  description: { compute_ph: compute, bounce },
  in_msg: received,
  end_status: status,
}: Pick<Transaction, 'description' | 'in_msg' | 'end_status'>): boolean => {
  if (compute?.skipped !== true || bounce !== undefined || received?.bounce === true) return false
  const isFew = compute.reason === 'no_gas' && status === 'uninit' && received?.value !== '0' && !received?.init_state
  return compute.reason === 'no_state' || isFew
}
