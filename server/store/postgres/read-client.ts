import type { ClientConfig } from 'pg'
import { DatabaseClient } from './client.ts'

/* A connection for reads. Statements are sent without waiting for the answers of those before them, and leave together. */

/**
 * PostgreSQL plans a prepared statement once for each connection, maybe while a table is still small. A plan that reads the whole table would stay when the
 * table has grown. Our tables are always read by their indexes, and no statement is worth compiling (JIT).
 */
const PLANNING = 'set enable_seqscan = off; set random_page_cost = 1.1; set jit = off'
const IS_CITUS = `select from pg_extension where extname = 'citus'`

export class ReadClient extends DatabaseClient {
  /** When it was made (performance.now()). */
  readonly since = performance.now()
  /** Whether statements may be run by a plan for any values. Citus cannot: it needs the values to find their shards. */
  mayKeepPlans = false
  /** Why the server ended it. A statement that comes later only learns that it has ended. */
  ended?: unknown
  /** Why it cannot serve another caller. */
  unsound?: Error
  #isCorked = false

  constructor(config: ClientConfig = {}) {
    super(config)
    this.on('error', (error) => {
      this.ended ??= error
    })
  }

  async prepare(): Promise<void> {
    const [, { rowCount }] = await Promise.all([this.query(PLANNING), this.query(IS_CITUS), this.lookAfter()])
    this.mayKeepPlans = rowCount === 0
  }

  /** Runs a statement. It leaves together with all that are given before the event loop goes on. A named one is prepared once for the connection. */
  async send<R>(text: string, values: readonly unknown[], isNamed: boolean): Promise<R[]> {
    if (!this.#isCorked) {
      this.#isCorked = true
      this.socket.cork()
      process.nextTick(() => {
        this.#isCorked = false
        this.socket.uncork()
      })
    }
    const name = isNamed ? this.nameOf(text) : undefined
    const { rows } = await this.query({ text, values: [...values], ...(name !== undefined && { name }) })
    return rows as R[]
  }
}
