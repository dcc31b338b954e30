import { sql } from 'kysely'
import { nameOf } from '../row-keys.ts'
import type { jettonMasters } from '../schema/jettons.ts'
import type { nftCollections, nftItems } from '../schema/nfts.ts'
import { columnNames } from '../schema/table.ts'
import { isAny } from './conditions.ts'
import { SMALL_CONTENT, smallOf } from './large-values.ts'
import { lookUp } from './look-up.ts'
import { type Condition, findPage, type Order, type Page, type PageParams, withState } from './order.ts'
import type { View } from './view.ts'

/* Reads rows of tokens. A large content is read only after the size check of the answer. */

interface Token {
  readonly account: Buffer
  readonly content: string
}

/** A row whose content is null if it is large. */
type Sized<Row> = Omit<Row, 'content'> & { readonly account: Buffer; readonly content: string | null; readonly content_bytes: number }

/** `state`: columns of the account's latest state that each row gets. */
export const tokenTable = <Row extends Token>(
  of: typeof jettonMasters | typeof nftItems | typeof nftCollections,
  state: readonly string[],
) => {
  const { name: table } = of
  const own = columnNames(of).map((name) =>
    name === 'content' ? smallOf(`${table}.content`, SMALL_CONTENT, 'content', 'content_bytes') : `${table}.${name}`,
  )
  const columns = sql.raw(own.join(', '))
  const contents = lookUp({ from: table, by: 'account', columns: ['account', 'content'] })

  const withContents = async (view: View, rows: readonly Sized<Row>[]): Promise<Row[]> => {
    const large = rows.filter(({ content }) => content === null)
    view.expectBytes(large.reduce((sum, row) => sum + row.content_bytes, 0))
    const keys = large.map(({ account }) => account)
    const found = new Map((await contents(view, keys)).map(({ account, content }) => [nameOf(account), content]))
    return rows.map((row) => ({ ...row, content: row.content ?? found.get(nameOf(row.account)) }) as unknown as Row)
  }

  return {
    async page<O>(view: View, order: Order<O>, page: PageParams, where: readonly Condition[]): Promise<Page<Row>> {
      const { rows, next } = await findPage<O, O & Sized<Row>>(view, order, page, where, { state, columns })
      return { rows: await withContents(view, rows), next }
    },
    /** Reads rows by account key. */
    async byKey(view: View, keys: readonly Buffer[]): Promise<Row[]> {
      if (keys.length === 0) return []
      const found = sql`select * from ${sql.table(table)} where ${isAny('account', keys)}`
      return await withContents(view, await view.rows(withState<Sized<Row>>(found, table, state, columns)))
    },
  }
}
