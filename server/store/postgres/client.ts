import { Socket } from 'node:net'
import { Client, type ClientConfig, types } from 'pg'

/* A client of the driver over a socket of our own (its option `stream`), which can be corked and destroyed. */

/** Statements that are prepared on a connection. Further ones are planned each time. */
const MAX_NAMES = 400
/** Milliseconds after a statement's time in the server in which its answer has to come. */
const SLACK = 2_000
/** The driver makes floating-point numbers of a list of decimal numbers; here they are texts. */
const [NUMERIC_LIST, TEXT_LIST] = [1231, 1009]

/** With these settings the server ends a session whose client is gone, and what runs there. Its locks, such as the leader's, are free then. */
const LOOK_AFTER = `select set_config(name, case name when 'tcp_keepalives_idle' then '10' when 'tcp_keepalives_interval' then '5'
  when 'tcp_keepalives_count' then '3' when 'client_connection_check_interval' then '100' else '30000' end, false) from pg_settings
  where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout', 'client_connection_check_interval')`

export class DatabaseClient extends Client {
  readonly socket: Socket
  /** Names of prepared statements by their text. */
  readonly #names = new Map<string, string>()

  /** `statement_timeout`: milliseconds after which the server cancels a statement. A connection that then still gives no answer is closed. */
  constructor(config: ClientConfig = {}) {
    const socket = new Socket()
    // A pool hides the password from those who list its settings.
    const { password, statement_timeout: time } = config
    super({
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(time && { query_timeout: time + SLACK }),
      ...config,
      password,
      stream: () => socket,
    })
    this.socket = socket
    this.setTypeParser(NUMERIC_LIST, types.getTypeParser(TEXT_LIST))
    // A connection that is lost rejects its statements. The event needs a listener, or it would end the process.
    this.on('error', () => {})
  }

  /** Asks the server to look after this connection. A server whose system cannot is left as it is. */
  async lookAfter(): Promise<void> {
    await this.query(LOOK_AFTER).catch(() => {})
  }

  /** Name of the prepared statement of a text; undefined if there are too many. */
  nameOf(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing !== undefined || this.#names.size === MAX_NAMES) return existing
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  /** Closes the socket: waiting statements reject, and the server ends what runs. */
  cut(): void {
    this.socket.destroy()
  }
}
