import type { Action, Fields, Transaction } from '../base/types.ts'

type Moved = readonly [account: unknown, jetton: unknown, amount: unknown, sign: 1n | -1n]

const amountIn = (transfer: unknown): unknown => (transfer as { readonly amount?: unknown } | null | undefined)?.amount

/** The jetton transfers of an action. A swap is handled separately, because the transfers inside the exchange have no actions. */
const movedBy = ({ type, details: all }: Action): readonly Moved[] => {
  const details = all as Fields
  const { asset, amount } = details
  switch (type) {
    case 'jetton_transfer':
      return [
        [details['sender'], asset, amount, -1n],
        [details['receiver'], asset, amount, 1n],
      ]
    case 'jetton_mint':
      return [[details['receiver'], asset, amount, 1n]]
    case 'jetton_burn':
      return [[details['owner'], asset, amount, -1n]]
    case 'jetton_swap':
      return [
        [details['sender'], details['asset_in'], amountIn(details['dex_incoming_transfer']), -1n],
        [details['sender'], details['asset_out'], amountIn(details['dex_outgoing_transfer']), 1n],
      ]
    default:
      return []
  }
}

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value)

type Message = Transaction['out_msgs'][number]

/** The nanograms that a message carries. Before global version 12 its receiver also got the IHR fee. */
const carried = ({ value, ihr_fee }: Message): bigint => BigInt(value ?? 0) + BigInt(ihr_fee ?? 0)

/**
 * Nanograms that a transaction gives its account, less fees. The index stores an account's state only after its last transaction in a block, and no state of
 * accounts that the genesis made. Where a state is missing, the amount is computed from the messages.
 */
const coinsOf = (transaction: Transaction): bigint => {
  const { account_state_before: before, account_state_after: after, orig_status, in_msg, out_msgs, total_fees } = transaction
  const had = orig_status === 'nonexist' ? '0' : before.balance
  if (after.balance !== null && had !== null) return BigInt(after.balance) - BigInt(had)
  const sent = out_msgs.reduce((sum, message) => sum + carried(message) + BigInt(message.fwd_fee ?? 0), 0n)
  return (in_msg ? carried(in_msg) : 0n) - BigInt(total_fees) - sent
}

/**
 * Changes by account (raw address), in the order of the transactions. `jetton`: raw address of the master; absent for coins. `amount`: nanograms, or the
 * smallest units of the jetton; negative for a decrease, never 0. Changes of coins include fees. Changes of jettons come from successful actions.
 */
export const balanceChanges = (transactions: readonly Transaction[], actions: readonly Action[]) => {
  const sums = new Map<string, { readonly account: string; readonly jetton?: string; sum: bigint }>()
  const add = (account: string, jetton: string | undefined, amount: bigint): void => {
    const key = `${account} ${jetton ?? ''}`
    const change = sums.get(key)
    if (change) change.sum += amount
    else sums.set(key, { account, ...(jetton !== undefined && { jetton }), sum: amount })
  }
  const inOrder = transactions.toSorted((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  for (const transaction of inOrder) add(transaction.account, undefined, coinsOf(transaction))
  for (const action of actions)
    if (action.success !== false)
      for (const [account, jetton, amount, sign] of movedBy(action))
        if (typeof account === 'string' && typeof jetton === 'string' && isDigits(amount)) add(account, jetton, sign * BigInt(amount))
  return [...sums.values()].filter(({ sum }) => sum !== 0n).map(({ sum, ...of }) => ({ ...of, amount: sum.toString() }))
}
