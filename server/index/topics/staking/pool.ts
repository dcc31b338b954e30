import type { Cell } from '../../../cell/cell.ts'
import { loadPoolData, type Nominator, type PoolData } from '../../../tlb/contracts/nominator-pool.ts'
import { attempt } from '../contracts/read.ts'

/** What of a pool its transactions change of the money. Ids of nominators are 64 hex digits. */
export interface Pool {
  readonly state: number
  readonly stakeAmountSent: bigint
  readonly validatorAmount: bigint
  /** 64 hex digits, in the masterchain. */
  readonly validator: string
  readonly rewardShare: number
  readonly stakeAt: number
  readonly nominators: ReadonlyMap<string, Nominator>
  readonly withdrawRequests: ReadonlySet<string>
}

export const toPool = (data: PoolData): Pool => ({
  state: data.state,
  stakeAmountSent: data.stakeAmountSent,
  validatorAmount: data.validatorAmount,
  validator: Buffer.from(data.config.validatorAddress).toString('hex'),
  rewardShare: data.config.validatorRewardShare,
  stakeAt: data.stakeAt,
  nominators: data.nominators,
  withdrawRequests: data.withdrawRequests,
})

/** A pool's data; undefined where they are none. */
export const readPool = (data: Cell | undefined): PoolData | undefined => data && attempt(() => loadPoolData(data))
