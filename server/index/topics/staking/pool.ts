import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { loadPoolData, type Nominator, type PoolData } from '../../../tlb/contracts/nominator-pool.ts'

/** What events need of a pool's state. Amounts are nanograms. Ids of nominators are 64 hex digits. */
export interface Pool {
  readonly state: number
  readonly stakeAmountSent: bigint
  readonly validatorAmount: bigint
  /** Address in the masterchain, 64 hex digits. */
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

/** Reads the data of a pool; undefined if the cell has another format. */
export const readPool = (data: Cell | undefined): PoolData | undefined => data && attempt(() => loadPoolData(data))
