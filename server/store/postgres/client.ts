import { Socket } from 'node:net'
import { Client, type ClientConfig, types } from 'pg'

/* A client of the pg driver with its own socket (option `stream`), so that the socket can be corked and destroyed. */

/** Maximum number of prepared statements on a connection. Further statements are planned at each run. */
const MAX_NAMES = 400
/** Milliseconds by which an answer may exceed the statement timeout. */
const SLACK = 2_000
/** The driver would parse numeric[] (1231) into floating-point numbers. Parsed as text[] (1009), the numbers keep all digits. */
const [NUMERIC_LIST, TEXT_LIST] = [1231, 1009]

/** Makes the server end the session of a client that has disconnected, together with the running statement. The session's locks are then released. */
const LOOK_AFTER = `select set_config(name, case name when 'tcp_keepalives_idle' then '10' when 'tcp_keepalives_interval' then '5'
  when 'tcp_keepalives_count' then '3' when 'client_connection_check_interval' then '100' else '30000' end, false) from pg_settings
  where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout', 'client_connection_check_interval')`

export class DatabaseClient extends Client {
  readonly socket: Socket
  readonly #names = new Map<string, string>()

  /** `statement_timeout`: milliseconds until the server cancels a statement. If no answer comes within SLACK after that, the connection is closed. */
  constructor(config: ClientConfig = {}) {
    const socket = new Socket()
    // pg's Pool makes the password property non-enumerable, so a copy of the settings must name it.
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
    // A lost connection rejects its statements, so the event is ignored. Without a listener it would end the process.
    this.on('error', () => {})
  }

  /** Applies LOOK_AFTER, which a server refuses if its operating system lacks one of the settings. */
  async lookAfter(): Promise<void> {
    await this.query(LOOK_AFTER).catch(() => {})
  }

  /** Name of the prepared statement for an SQL text; undefined if the connection already has MAX_NAMES. */
  nameOf(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing !== undefined || this.#names.size === MAX_NAMES) return existing
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  /** Destroys the socket. Pending statements reject, and the server cancels the running one. */
  cut(): void {
    this.socket.destroy()
  }
}
