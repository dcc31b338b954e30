import { portionsOf } from '../../../base/memory/portions.ts'
import { rowsOf } from '../../../store/rows/copy-rows.ts'
import type { Table, WriteRow } from '../../../store/schema/table.ts'
import { multisigMembers, multisigOrders, multisigs, vestings, vestingWhitelist } from '../../../store/schema/wallets.ts'
import { AT_ONCE, contractsOf, evaluateEach, hasMethods, idsOf } from '../contracts/detect.ts'
import type { AccountView, Topic, TopicContext } from '../topic.ts'
import { evaluateMultisig, evaluateOrder } from './multisigs.ts'
import { evaluateVesting } from './vestings.ts'

const MULTISIG = idsOf('get_multisig_data', 'get_order_address')
const ORDER = idsOf('get_order_data')
const VESTING = idsOf('get_vesting_data')

type Evaluate<T extends Table, M extends Table> = (
  account: AccountView,
  context: TopicContext,
) => Promise<{ readonly row: WriteRow<T>; readonly members: readonly WriteRow<M>[] } | undefined>

export const walletsTopic: Topic = {
  name: 'wallets',
  version: 2,
  tables: [multisigs, multisigMembers, multisigOrders, vestings, vestingWhitelist],
  concerns: (_, methods) => [MULTISIG, ORDER, VESTING].some((ids) => hasMethods(methods, ids)),
  async derive(block, context) {
    const { having, stored } = await contractsOf(block, context)
    const gone = { multisigs: stored(multisigs), orders: stored(multisigOrders), vestings: stored(vestings) }
    await context.put([
      rowsOf(multisigs, [], gone.multisigs),
      rowsOf(multisigMembers, [], [...gone.multisigs, ...gone.orders]),
      rowsOf(multisigOrders, [], gone.orders),
      rowsOf(vestings, [], gone.vestings),
      rowsOf(vestingWhitelist, [], gone.vestings),
    ])
    const write = async <T extends Table, M extends Table>(of: T, members: M, ids: readonly number[], evaluate: Evaluate<T, M>) => {
      for (const some of portionsOf(having(ids), AT_ONCE)) {
        const found = await evaluateEach(some, context, evaluate)
        const rows = found.map(({ row }) => row)
        const own = found.flatMap((each) => each.members)
        await context.put([rowsOf(of, rows), rowsOf(members, own)])
      }
    }
    await write(multisigs, multisigMembers, MULTISIG, evaluateMultisig)
    await write(multisigOrders, multisigMembers, ORDER, evaluateOrder)
    await write(vestings, vestingWhitelist, VESTING, evaluateVesting)
    return []
  },
}
