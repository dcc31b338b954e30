import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { multisigMembers, multisigOrders, multisigs, vestings, vestingWhitelist } from '../../../store/schema/wallets.ts'
import { contractsOf, evaluateEach, hasMethods, idsOf } from '../contracts/detect.ts'
import type { Topic } from '../topic.ts'
import { evaluateMultisig, evaluateOrder } from './multisigs.ts'
import { evaluateVesting } from './vestings.ts'

const MULTISIG = idsOf('get_multisig_data', 'get_order_address')
const ORDER = idsOf('get_order_data')
const VESTING = idsOf('get_vesting_data')

export const walletsTopic: Topic = {
  name: 'wallets',
  version: 2,
  tables: [multisigs, multisigMembers, multisigOrders, vestings, vestingWhitelist],
  concerns: (_, methods) => [MULTISIG, ORDER, VESTING].some((ids) => hasMethods(methods, ids)),
  async derive(block, context) {
    const { having, stored } = await contractsOf(block, context)
    const signing = await evaluateEach(having(MULTISIG), context, evaluateMultisig)
    const orders = await evaluateEach(having(ORDER), context, evaluateOrder)
    const vesting = await evaluateEach(having(VESTING), context, evaluateVesting)
    const goneMultisigs = stored(multisigs)
    const goneOrders = stored(multisigOrders)
    const goneVestings = stored(vestings)
    const rows = <T>(found: readonly { readonly row: T }[]): readonly T[] => found.map(({ row }) => row)
    return [
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
    ]
  },
}
