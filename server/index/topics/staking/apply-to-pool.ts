import { attempt } from '../../../cell/error.ts'
import type { Slice } from '../../../cell/slice.ts'
import type { StdAddress } from '../../../tlb/address.ts'
import { ELECTOR_OPS } from '../../../tlb/contracts/elector.ts'
import type { Nominator, PoolConfig, PoolData } from '../../../tlb/contracts/nominator-pool.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import type { Transaction } from '../../../tlb/transaction/transaction.ts'

const GRAM = 1_000_000_000n
/** Upper bound, in nanograms, of the fees that are deducted from a payout message. */
const MAX_FEES = GRAM / 2n
const DEPOSIT = 100
const WITHDRAW = 119

/** What events need of a pool's state. Amounts are nanograms. */
export interface Pool
  extends Pick<PoolData, 'state' | 'stakeAmountSent' | 'validatorAmount' | 'stakeAt' | 'nominators' | 'withdrawRequests'> {
  readonly config: Pick<PoolConfig, 'validatorAddress' | 'validatorRewardShare'>
}

export interface Order {
  readonly tx: Transaction
  readonly sender: StdAddress
  readonly value: bigint
  readonly op: number
  /** The body after the op. */
  readonly body: () => Slice
  readonly fromElector: boolean
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Reads the message that a transaction processed; undefined if the transaction changed nothing in the pool. */
export const orderOf = (tx: Transaction, elector: Uint8Array | undefined): Order | undefined => {
  const { inMsg, description } = tx
  const info = inMsg?.info
  if (inMsg === undefined || info?.type !== 'internal' || info.bounced || info.src?.type !== 'std') return undefined
  if (!('aborted' in description) || description.aborted) return undefined
  const op = attempt(() => inMsg.body.slice().loadUint(32))
  if (op === undefined) return undefined
  const sender = info.src
  return {
    tx,
    sender,
    value: info.value.grams,
    op,
    body: () => inMsg.body.slice().skip(32),
    fromElector: elector !== undefined && sender.workchain === MASTERCHAIN && Buffer.compare(sender.hash, elector) === 0,
  }
}

const paidOut = ({ tx }: Order, nominator: string, amount: bigint): boolean =>
  tx.outMsgs.some(({ info }) => {
    if (info.type !== 'internal' || info.dest.type !== 'std' || info.dest.workchain !== 0 || hex(info.dest.hash) !== nominator) return false
    const sent = info.value.grams + info.fwdFee
    return sent <= amount && sent >= amount - MAX_FEES
  })

const totalOf = ({ amount, pendingDeposit }: Nominator): bigint => amount + pendingDeposit

/** Returns whether the order paid a nominator out. For less than 1 GRAM the pool sends no message, so the nominator counts as paid out. */
const isWithdrawn = (pool: Pool, order: Order, id: string): boolean => {
  const nominator = pool.nominators.get(id)
  if (nominator === undefined) return false
  const amount = totalOf(nominator)
  return amount < GRAM || paidOut(order, id, amount)
}

/** Returns the pool without the nominators that were paid out, up to the first that was not. Copies once, because a pool has thousands of nominators. */
const withdrawn = (pool: Pool, order: Order, ids: readonly string[]): Pool => {
  const end = ids.findIndex((id) => !isWithdrawn(pool, order, id))
  const paid = end < 0 ? ids : ids.slice(0, end)
  if (paid.length === 0) return pool
  const nominators = new Map(pool.nominators)
  const withdrawRequests = new Set(pool.withdrawRequests)
  for (const id of paid) {
    nominators.delete(id)
    withdrawRequests.delete(id)
  }
  return { ...pool, nominators, withdrawRequests }
}

const byNominator = (pool: Pool, order: Order): Pool => {
  const id = hex(order.sender.hash)
  const text = attempt(() => order.body().loadUint(8))
  if (text === DEPOSIT) {
    const before = pool.nominators.get(id) ?? { amount: 0n, pendingDeposit: 0n }
    const added = order.value - GRAM
    const after =
      pool.state === 0 ? { ...before, amount: before.amount + added } : { ...before, pendingDeposit: before.pendingDeposit + added }
    return { ...pool, nominators: new Map(pool.nominators).set(id, after) }
  }
  if (text !== WITHDRAW) return pool
  if (pool.state === 0) return withdrawn(pool, order, [id])
  return { ...pool, withdrawRequests: new Set(pool.withdrawRequests).add(id) }
}

/** muldiv of the TVM rounds toward negative infinity. */
const muldiv = (a: bigint, b: bigint, c: bigint): bigint => {
  const product = a * b
  const quotient = product / c
  return product % c !== 0n && product < 0n !== c < 0n ? quotient - 1n : quotient
}

/** recover_stake_ok: distributes the reward or loss, and activates pending deposits. */
const shared = (pool: Pool, value: bigint): Pool => {
  const reward = value - pool.stakeAmountSent
  let validatorAmount = pool.validatorAmount
  let rest = 0n
  if (reward <= 0n) {
    validatorAmount += reward
    if (validatorAmount < 0n) {
      rest = validatorAmount
      validatorAmount = 0n
    }
  } else {
    const share = (reward * BigInt(pool.config.validatorRewardShare)) / 10_000n
    const own = share > reward ? reward : share
    validatorAmount += own
    rest = reward - own
  }
  const total = [...pool.nominators.values()].reduce((sum, { amount }) => sum + amount, 0n)
  const nominators = new Map(
    [...pool.nominators].map(([id, { amount, pendingDeposit }]) => {
      const earned = total > 0n ? amount + muldiv(rest, amount, total) : amount
      return [id, { amount: (earned < 0n ? 0n : earned) + pendingDeposit, pendingDeposit: 0n }] as const
    }),
  )
  return { ...pool, state: 0, stakeAmountSent: 0n, validatorAmount, nominators }
}

const byElector = (pool: Pool, { op, value }: Order): Pool => {
  if (op === ELECTOR_OPS.recoverStakeOk) return shared(pool, value)
  if (pool.state !== 1) return pool
  if (op === ELECTOR_OPS.newStakeError) return { ...pool, state: 0 }
  return op === ELECTOR_OPS.newStakeOk ? { ...pool, state: 2 } : pool
}

const newStake = (pool: Pool, order: Order): Pool => {
  const s = order.body().skip(64)
  const value = s.loadCoins()
  return { ...pool, state: 1, stakeAmountSent: value - GRAM, stakeAt: s.skip(256).loadUint(32) }
}

const byAnyone = (pool: Pool, order: Order): Pool => {
  const body = (): Slice => order.body().skip(64)
  switch (order.op) {
    case 2:
      return withdrawn(pool, order, [...pool.withdrawRequests].sort().slice(0, body().loadUint(8)))
    case 3:
      return withdrawn(pool, order, [hex(body().loadBytes(32))])
    case 4:
      return { ...pool, validatorAmount: pool.validatorAmount + order.value - GRAM }
    case 5: {
      const left = pool.validatorAmount - body().loadCoins()
      return { ...pool, validatorAmount: left < 0n ? 0n : left }
    }
    case ELECTOR_OPS.newStake:
      return newStake(pool, order)
    default:
      return pool
  }
}

export const afterOrder = (pool: Pool, order: Order): Pool =>
  attempt(() => {
    if (order.op === 0) return byNominator(pool, order)
    return order.fromElector ? byElector(pool, order) : byAnyone(pool, order)
  }) ?? pool
