import { sql } from 'kysely'
import type { jettonBurns, jettonTransfers } from '../schema/jettons.ts'
import type { nftTransfers } from '../schema/nfts.ts'
import type { ReadRow } from '../schema/table.ts'
import { withBounds } from './bounds.ts'
import { type Ids, isAccount, isTimed, upToHead, type WindowParams, within } from './conditions.ts'
import { type Condition, limited, orderBy, orderOf, type Page, type PageParams, pageOfKeys, pageRows, toPage } from './order.ts'
import type { View } from './view.ts'

type TransferTable = typeof jettonTransfers | typeof jettonBurns | typeof nftTransfers

/** The columns with the owners of both sides of a transfer. `from` can be null. */
interface Sides {
  readonly from: string
  readonly to: string
}

interface TransferParams extends WindowParams {
  readonly owner_address?: Ids
  /** The old name of `owner_address`. */
  readonly address?: Ids
  readonly direction?: 'in' | 'out' | undefined
}

/**
 * Creates a list of transfers. Without a direction, the transfers that owners sent and those that they received are each read by their own index. A transfer
 * from an owner to the same owner is listed once.
 */
export const transferList = <T extends TransferTable>(table: T, { from, to }: Sides) => {
  type Row = ReadRow<T>
  const byLt = orderOf(table, 'l', ['tx_lt', 'account'])
  const byTime = orderOf(table, 'n', ['tx_now', 'tx_lt', 'account'])
  return async (view: View, given: TransferParams, conditions: readonly Condition[]): Promise<Page<Row>> => {
    const order = isTimed(given) ? byTime : byLt
    const params = await withBounds(view, given)
    const select = (page: PageParams, ...more: readonly Condition[]) => {
      const where = [upToHead(view, params), ...within(params, 'tx_now', 'tx_lt'), ...conditions, ...more]
      // No index has the rows of one account by time.
      return order === byTime ? pageRows(order, page, where) : pageOfKeys(view, order, page, where)
    }
    const { address, owner_address: owners = address, direction } = params
    if (owners === undefined || direction || from === to)
      return toPage(order, params, await view.rows(select(params, isAccount(direction === 'in' ? to : from, owners))))
    const each = { ...params, limit: params.limit + params.offset, offset: 0 }
    const sent = select(each, isAccount(from, owners))
    const received = select(each, isAccount(to, owners), sql<boolean>`(${isAccount(from, owners)}) is not true`)
    const both = sql<Row>`select * from ((${sent}) union all (${received})) as ${sql.table(table.name)}
      order by ${orderBy(order, params.sort)} ${limited(params)}`
    return toPage(order, params, await view.rows(both))
  }
}
