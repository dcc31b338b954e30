import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { loadPoolData, type PoolConfig, type PoolData } from '../../../tlb/contracts/nominator-pool.ts'

/** What events need of a pool's state. Amounts are nanograms. */
export interface Pool
  extends Pick<PoolData, 'state' | 'stakeAmountSent' | 'validatorAmount' | 'stakeAt' | 'nominators' | 'withdrawRequests'> {
  readonly config: Pick<PoolConfig, 'validatorAddress' | 'validatorRewardShare'>
}

/** Reads the data of a pool; undefined if the cell has another format. */
export const readPool = (data: Cell | undefined): PoolData | undefined => data && attempt(() => loadPoolData(data))
