import { createPauses } from '../../../base/yield.ts'
import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { accountKey } from '../../../store/row-keys.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { nominatorPools, poolNominatorEvents, poolNominators, poolValidatorEvents } from '../../../store/schema/staking.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import { loadPoolData, NOMINATOR_POOL_CODE, type Nominator, type PoolData } from '../../../tlb/contracts/nominator-pool.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import type { AccountView, BlockView, PlacedTransaction, Topic, TopicContext } from '../topic.ts'
import { configAddress } from '../topic-context.ts'
import { afterOrder, orderOf, type Pool } from './apply-to-pool.ts'
import { nominatorRows, type Step, validatorRows } from './events.ts'

const CODE = Buffer.from(NOMINATOR_POOL_CODE, 'hex')
const ELECTOR_PARAM = 1
/** Nominator pools work only in the masterchain. */
const isOfMaster = ({ id }: AccountView): boolean => id.workchain === MASTERCHAIN
const isPool = (account: AccountView): boolean => account.codeHash?.equals(CODE) === true

/** Reads the data of a pool; undefined if the cell has another format. */
const readPool = (data: Cell | undefined): PoolData | undefined => data && attempt(() => loadPoolData(data))

const poolRow = ({ key, mcSeqno }: AccountView, data: PoolData): WriteRow<typeof nominatorPools> => ({
  pool: key,
  mc_seqno: mcSeqno,
  state: data.state,
  stake_amount_sent: data.stakeAmountSent,
  validator_amount: data.validatorAmount,
  validator: accountKey(MASTERCHAIN, data.config.validatorAddress),
  reward_share: data.config.validatorRewardShare,
  nominators_count: data.nominatorsCount,
  max_nominators: data.config.maxNominatorsCount,
  min_validator_stake: data.config.minValidatorStake,
  min_nominator_stake: data.config.minNominatorStake,
  stake_at: data.stakeAt,
})

const memberRows = ({ key, mcSeqno }: AccountView, data: PoolData): readonly WriteRow<typeof poolNominators>[] =>
  [...data.nominators].map(([id, { amount, pendingDeposit }]) => ({
    pool: key,
    nominator: accountKey(0, Buffer.from(id, 'hex')),
    mc_seqno: mcSeqno,
    balance: amount,
    pending: pendingDeposit,
    withdraw: data.withdrawRequests.has(id),
  }))

const poolOf = (row: ReadRow<typeof nominatorPools>, own: readonly ReadRow<typeof poolNominators>[]): Pool => {
  const idOf = ({ nominator }: { readonly nominator: Buffer }): string => nominator.subarray(4).toString('hex')
  return {
    state: row.state,
    stakeAmountSent: BigInt(row.stake_amount_sent),
    validatorAmount: BigInt(row.validator_amount),
    config: { validatorAddress: row.validator.subarray(4), validatorRewardShare: row.reward_share },
    stakeAt: Number(row.stake_at),
    nominators: new Map(
      own.map((each): [string, Nominator] => [idOf(each), { amount: BigInt(each.balance), pendingDeposit: BigInt(each.pending) }]),
    ),
    withdrawRequests: new Set(own.filter(({ withdraw }) => withdraw).map(idOf)),
  }
}

const poolBefore = async (key: Buffer, context: TopicContext): Promise<Pool | undefined> => {
  const [row] = [...(await context.accountRows(nominatorPools, [key])).values()].flat()
  return row && poolOf(row, [...(await context.accountRows(poolNominators, [key])).values()].flat())
}

/** The pool before its first transaction in the block: from its row, or from the init data if that transaction deployed it. */
const beginningOf = (first: PlacedTransaction, stored: Pool | undefined): Pool | undefined => {
  if (stored !== undefined) return stored
  const init = first.tx.origStatus === 'active' ? undefined : first.tx.inMsg?.init
  return readPool(init?.data)
}

/** A pool before and after each of its transactions in one block. `last`: the pool's state after the block. */
function* stepsOf(
  transactions: readonly PlacedTransaction[],
  stored: Pool | undefined,
  last: Pool,
  elector: Uint8Array | undefined,
): Generator<Step> {
  const [first] = transactions
  let before = first && beginningOf(first, stored)
  if (before === undefined) return
  for (const [i, placed] of transactions.entries()) {
    const order = orderOf(placed.tx, elector)
    const after: Pool = i === transactions.length - 1 ? last : order === undefined ? before : afterOrder(before, order)
    yield { placed, order, before, after }
    before = after
  }
}

const derive = async (block: BlockView, context: TopicContext): Promise<readonly TableRows[]> => {
  const accounts = block.accounts.filter(isOfMaster)
  const views = accounts.filter(isPool)
  const states = await context.states(views)
  const pause = createPauses()
  const nominatorEvents: WriteRow<typeof poolNominatorEvents>[] = []
  const validatorEvents: WriteRow<typeof poolValidatorEvents>[] = []
  const pools = new Set<AccountView>()
  const elector = views.length === 0 ? undefined : await configAddress(context, ELECTOR_PARAM)
  // One pool at a time: anybody can make pools of 512 nominators each. All rows of a pool are replaced.
  for (const [i, view] of views.entries()) {
    const data = readPool(states[i]?.data)
    if (data !== undefined) {
      pools.add(view)
      const own = block.transactions.filter(({ account }) => account.equals(view.key))
      for (const step of stepsOf(own, await poolBefore(view.key, context), data, elector)) {
        nominatorEvents.push(...nominatorRows(step, block.mcSeqno))
        validatorEvents.push(...validatorRows(step, block.mcSeqno))
        await pause()
      }
      await context.put([
        rowsOf(nominatorPools, [poolRow(view, data)], [view.key]),
        rowsOf(poolNominators, memberRows(view, data), [view.key]),
      ])
    }
    await pause()
  }
  // An account that is no longer a pool loses its rows.
  const others = accounts.filter((account) => !pools.has(account)).map(({ key }) => key)
  const gone = (await context.owners(others))(nominatorPools)
  return [
    rowsOf(nominatorPools, [], gone),
    rowsOf(poolNominators, [], gone),
    rowsOf(poolNominatorEvents, nominatorEvents),
    rowsOf(poolValidatorEvents, validatorEvents),
  ]
}

export const stakingTopic: Topic = {
  name: 'staking',
  version: 1,
  tables: [nominatorPools, poolNominators, poolNominatorEvents, poolValidatorEvents],
  concerns: (account) => isOfMaster(account) && isPool(account),
  derive,
}
