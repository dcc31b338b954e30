import { type ClientBase, Query, type QueryResult } from 'pg'
import { Lru } from '../../base/memory/lru.ts'

/*
 * A prepared statement whose columns are described once for a connection. The driver asks for them with every run, and a row of transactions has seventy:
 * to read their names and types takes longer than to read ten rows.
 */

/** What the driver makes of a description of columns. */
interface Columns {
  readonly fields: unknown
  readonly _parsers: unknown
  readonly _prebuiltEmptyResultObject: unknown
}

/** The members of the driver's query that its types do not declare. */
interface Inner {
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
}

const innerOf = (query: object): Inner => query as Inner
const parent = innerOf(Query.prototype)

/** The described statements of a connection by name, and the connection without its request for descriptions. */
interface Described {
  readonly columns: Lru<string, Columns>
  quiet: object | undefined
}

const noDescribe = { describe: { value: (): void => {} } }

class ReadQuery extends Query {
  private readonly described: Described
  private readonly statement: string

  constructor(described: Described, statement: string, text: string, values: unknown[]) {
    super({ name: statement, text, values })
    this.described = described
    this.statement = statement
  }

  /** Called by the driver when the statement is sent. */
  prepare(connection: object): void {
    const columns = this.described.columns.get(this.statement)
    if (columns === undefined) {
      parent.prepare.call(this, connection)
      return
    }
    const inner = innerOf(this)
    Object.assign(inner._result, columns)
    inner._accumulateRows = true
    this.described.quiet ??= Object.create(connection, noDescribe) as object
    parent.prepare.call(this, this.described.quiet)
  }

  /** Called by the driver with the answer to the first run. */
  handleRowDescription(message: unknown): void {
    parent.handleRowDescription.call(this, message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = innerOf(this)._result
    this.described.columns.set(this.statement, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Runs named statements of one connection. `most`: how many of them are remembered. */
export const createReadQueries = (
  client: ClientBase,
  most: number,
): ((name: string, text: string, values: unknown[]) => Promise<QueryResult>) => {
  const described: Described = { columns: new Lru({ max: most }), quiet: undefined }
  return (name, text, values) =>
    new Promise((resolve, reject) => {
      const query = new ReadQuery(described, name, text, values)
      Object.assign(query, {
        callback: (error: Error | null, result: QueryResult) => {
          if (error) reject(error)
          else resolve(result)
        },
      })
      client.query(query)
    })
}
