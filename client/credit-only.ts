import type { Methods } from './methods.ts'

type Transaction = Methods['v3.transactions']['result']['transactions'][number]

/**
 * Whether coins arrived at an account without a contract, and stayed there. TON marks such a transaction as aborted, although it is not a failure. Of few
 * coins it says that they do not pay for gas, and not that there is no code.
 */
export const keepsCoins = ({
  description: { compute_ph: compute, bounce },
  in_msg: received,
  end_status: status,
}: Pick<Transaction, 'description' | 'in_msg' | 'end_status'>): boolean => {
  if (compute?.skipped !== true || bounce !== undefined || received?.bounce === true) return false
  return compute.reason === 'no_state' || (compute.reason === 'no_gas' && status === 'uninit' && received?.value !== '0')
}
