import { type ClientBase, Query, type QueryResult } from 'pg'
import { Lru } from '../../base/memory/lru.ts'
import { STALE_PLAN } from './faults.ts'

/*
 * A prepared statement whose columns are described once for a connection. The driver asks for them with every run, and a row of transactions has seventy:
 * to read their names and types takes longer than to read ten rows.
 */

/** What the driver makes of a description of columns. */
interface Columns {
  readonly fields: readonly unknown[]
  readonly _parsers: unknown
  readonly _prebuiltEmptyResultObject: unknown
}

interface DataRow {
  readonly fields: readonly unknown[]
}

/** The members of the driver's query that its types do not declare. */
interface Inner {
  _result: Columns
  _accumulateRows: boolean
  _canceledDueToError: unknown
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: DataRow): void
}

const innerOf = (query: object): Inner => query as Inner
const parent = innerOf(Query.prototype)

/** The described statements of a connection by name, and the connection without its request for descriptions. */
interface Described {
  readonly columns: Lru<string, Columns>
  quiet: object | undefined
}

/** A statement and its parameters. `query_timeout`: milliseconds after which its answer is given up. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly query_timeout: number
}

const noDescribe = { describe: { value: (): void => {} } }

class ReadQuery extends Query {
  private readonly described: Described
  private readonly statement: string
  /** Read by the driver when it is asked to run the statement. */
  readonly query_timeout: number

  constructor(described: Described, statement: string, { text, values, query_timeout }: Statement) {
    super({ name: statement, text, values })
    this.described = described
    this.statement = statement
    this.query_timeout = query_timeout
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

  /** Called by the driver with each row. A pooler may have prepared the statement again, after a migration that added columns to its table. */
  handleDataRow(message: DataRow): void {
    const inner = innerOf(this)
    if (message.fields.length === inner._result.fields.length) {
      parent.handleDataRow.call(this, message)
      return
    }
    this.described.columns.delete(this.statement)
    inner._canceledDueToError ||= Object.assign(new Error('the columns of a statement have changed'), STALE_PLAN)
  }
}

/** Runs named statements of one connection. `most`: how many of them are remembered. */
export const createReadQueries = (client: ClientBase, most: number): ((name: string, statement: Statement) => Promise<QueryResult>) => {
  const described: Described = { columns: new Lru({ max: most }), quiet: undefined }
  return (name, statement) =>
    new Promise((resolve, reject) => {
      const query = new ReadQuery(described, name, statement)
      Object.assign(query, {
        callback: (error: Error | null, result: QueryResult) => {
          if (error) reject(error)
          else resolve(result)
        },
      })
      client.query(query)
    })
}
