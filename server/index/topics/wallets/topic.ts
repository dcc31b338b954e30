import { inParallel } from '../../../base/in-parallel.ts'
import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { multisigMembers, multisigOrders, multisigs, vestings, vestingWhitelist } from '../../../store/schema/wallets.ts'
import { detect, hasMethods, idsOf, rowsOfAccounts } from '../contracts/detect.ts'
import type { AccountView, Topic, TopicContext } from '../topic.ts'
import { evaluateMultisig, evaluateOrder } from './multisigs.ts'
import { evaluateVestings } from './vestings.ts'

const MULTISIG = idsOf('get_multisig_data', 'get_order_address')
const ORDER = idsOf('get_order_data')
const VESTING = idsOf('get_vesting_data')

export const walletsTopic: Topic = {
  name: 'wallets',
  version: 2,
  tables: [multisigs, multisigMembers, multisigOrders, vestings, vestingWhitelist],
  concerns: (_, methods) => [MULTISIG, ORDER, VESTING].some((ids) => hasMethods(methods, ids)),
  async derive(block, context, signal) {
    const { accounts } = block
    const { methodsOf } = await detect(block, context)
    const having = (ids: readonly number[]): readonly AccountView[] => accounts.filter((account) => hasMethods(methodsOf(account), ids))
    /** Evaluates the accounts whose code has these get-methods. Leaves out accounts without a result. */
    const evaluated = async <T>(
      ids: readonly number[],
      evaluate: (account: AccountView, context: TopicContext) => Promise<T | undefined>,
    ) => {
      const found = await inParallel(having(ids), (account) => evaluate(account, context))
      return found.filter((each) => each !== undefined)
    }
    const signing = await evaluated(MULTISIG, evaluateMultisig)
    const orders = await evaluated(ORDER, evaluateOrder)
    const vesting = await evaluateVestings(having(VESTING), context, signal)
    const stored = await rowsOfAccounts(block, context)
    const goneMultisigs = stored(multisigs)
    const goneOrders = stored(multisigOrders)
    const goneVestings = stored(vestings)
    const rows = <T>(found: readonly { readonly row: T }[]): readonly T[] => found.map(({ row }) => row)
    return {
      tables: [
        rowsOf(multisigs, rows(signing), goneMultisigs),
        rowsOf(
          multisigMembers,
          [...signing, ...orders].flatMap(({ members }) => members),
          [...goneMultisigs, ...goneOrders],
        ),
        rowsOf(multisigOrders, rows(orders), goneOrders),
        rowsOf(vestings, rows(vesting), goneVestings),
        rowsOf(
          vestingWhitelist,
          vesting.flatMap(({ whitelist }) => whitelist),
          goneVestings,
        ),
      ],
    }
  },
}
