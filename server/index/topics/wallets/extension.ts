import type { TableDef } from '../../../store/schema/columns.ts'
import { detect, hasMethods, idsOf, rowsOfAccounts } from '../contracts/detect.ts'
import { inParallel } from '../contracts/in-parallel.ts'
import type { AccountView, Extension } from '../topic.ts'
import { evaluateMultisig, evaluateOrder } from './multisigs.ts'
import { evaluateVesting } from './vestings.ts'

const owned = (name: string, columns: string, ...key: readonly string[]): TableDef => ({
  name,
  columns,
  key,
  kind: 'state',
  owner: 'account',
})

/** Tables of 0007-wallets.ts. */
const TABLES: readonly TableDef[] = [
  owned('multisigs', 'account mc_seqno next_order_seqno threshold', 'account'),
  owned('multisig_members', 'account role place mc_seqno member', 'account', 'role', 'place'),
  owned(
    'multisig_orders',
    'account mc_seqno multisig order_seqno threshold sent approvals_mask approvals_num expiration_date order_boc',
    'account',
  ),
  owned('vestings', 'account mc_seqno start_time total_duration unlock_period cliff_duration total_amount sender owner', 'account'),
  owned('vesting_whitelist', 'account wallet mc_seqno place', 'account', 'wallet'),
]

const MULTISIG = idsOf('get_multisig_data', 'get_order_address')
const ORDER = idsOf('get_order_data')
const VESTING = idsOf('get_vesting_data')

const present = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value): value is T => value !== undefined)

/** Multisig wallets with their orders, and vesting wallets. */
export const walletsExtension: Extension = {
  name: 'wallets',
  version: 1,
  tables: TABLES,
  async derive(block, context) {
    const { accounts } = block
    const { methodsOf } = await detect(block, context)
    const having = (ids: readonly number[]): AccountView[] => accounts.filter((account) => hasMethods(methodsOf(account), ids))
    const multisigs = present(await inParallel(having(MULTISIG), (account) => evaluateMultisig(account, context)))
    const orders = present(await inParallel(having(ORDER), (account) => evaluateOrder(account, context)))
    const vestings = present(await inParallel(having(VESTING), (account) => evaluateVesting(account, context)))
    const stored = await rowsOfAccounts(block, context)
    const gone = {
      multisigs: stored['multisigs'] ?? [],
      multisig_orders: stored['multisig_orders'] ?? [],
      vestings: stored['vestings'] ?? [],
    }
    const members = [...gone.multisigs, ...gone.multisig_orders]
    return {
      rows: {
        multisigs: multisigs.map(({ row }) => row),
        multisig_members: [...multisigs, ...orders].flatMap((found) => found.members),
        multisig_orders: orders.map(({ row }) => row),
        vestings: vestings.map(({ row }) => row),
        vesting_whitelist: vestings.flatMap(({ whitelist }) => whitelist),
      },
      replaced: { ...gone, multisig_members: members, vesting_whitelist: gone.vestings },
    }
  },
}
