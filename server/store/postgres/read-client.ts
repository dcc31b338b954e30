import type { ClientConfig } from 'pg'
import { DatabaseClient } from './client.ts'

/* A connection for reads. Statements are pipelined: each is sent without waiting for earlier answers, and those of one tick are sent in one write. */

/**
 * PostgreSQL plans a prepared statement once per connection, possibly while a table is still small. A plan with a sequential scan would stay in use after the
 * table has grown. Our reads always use indexes, so sequential scans are disabled. JIT is disabled because no statement runs long enough to be worth it.
 */
const PLANNING = 'set enable_seqscan = off; set random_page_cost = 1.1; set jit = off'
const IS_CITUS = `select from pg_extension where extname = 'citus'`

export class ReadClient extends DatabaseClient {
  /** Time at which the connection was opened (performance.now()). */
  readonly since = performance.now()
  /** True if the connection may use generic plans. Citus cannot: it needs the parameters to find the shards. */
  mayKeepPlans = false
  /** The error with which the server ended the connection. Later statements fail only with a general error. */
  ended?: unknown
  /** The reason why no other caller may use the connection. */
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

  /** Runs a statement. All statements of one tick are sent in one write. `isNamed`: the statement is prepared once per connection. */
  async send<R>(text: string, values: readonly unknown[], isNamed: boolean): Promise<R[]> {
    this.#sendAfter(process.nextTick)
    const name = isNamed ? this.nameOf(text) : undefined
    const { rows } = await this.query({ text, values: [...values], ...(name !== undefined && { name }) })
    return rows as R[]
  }

  /**
   * Runs a statement without values or rows, such as `begin`. `isLast`: nobody waits for it, so it is sent after what else this event-loop turn does. The
   * write wakes the server, which would delay an answer that is ready.
   */
  async command(text: string, isLast = false): Promise<void> {
    this.#sendAfter(isLast ? setImmediate : process.nextTick)
    await this.query(text)
  }

  /** Collects what is written until `later` calls back. */
  #sendAfter(later: (callback: () => void) => void): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.socket.cork()
    later(() => {
      this.#isCorked = false
      this.socket.uncork()
    })
  }
}
