import pg, { type ClientBase, Query, type QueryResultRow } from 'pg'
import { Lru } from '../../../base/memory/lru.ts'
import { type ReadValue, valueReader } from '../binary-values.ts'
import { STALE_PLAN } from '../faults.ts'

/*
 * Statements that are sent together: in one write, with one `sync` at their end, so that the server sends its answers together too. By the driver each
 * statement has a `sync` of its own, for which both sides call the system. The driver's queue and its errors are used as they are.
 */

/** How a row of a statement is read. */
interface Columns {
  readonly read: readonly ReadValue[]
  /** Makes a row of the values. */
  readonly toRow: (values: readonly unknown[]) => QueryResultRow
}

/** What is known about the statements of one connection. */
interface ReadStatements {
  /** Names of prepared statements by their text. */
  readonly names: Lru<string, string>
  /** Names of statements that the server has prepared, or will have when it gets what is sent. */
  readonly prepared: Set<string>
  /** By the text of a statement. */
  readonly columns: Lru<string, Columns>
  /** Prepared statements that the server may forget. */
  forgotten: string[]
  count: number
  /** Made with the first batch. */
  gathering: Gathering | undefined
}

/** `most`: how many statements stay prepared. */
const createReadStatements = (most: number): ReadStatements => {
  const statements: ReadStatements = {
    names: new Lru<string, string>({ max: most, dispose: (name) => void statements.forgotten.push(name) }),
    prepared: new Set(),
    columns: new Lru<string, Columns>({ max: most }),
    forgotten: [],
    count: 0,
    gathering: undefined,
  }
  return statements
}

/** A statement of a batch. */
interface ReadStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether it is prepared once for a connection. */
  readonly isNamed: boolean
  readonly resolve: (rows: QueryResultRow[]) => void
  readonly reject: (error: unknown) => void
}

interface Named extends ReadStatement {
  /** Empty for one that is not prepared. */
  readonly name: string
}

/** A statement that is sent. */
interface Sent extends Named {
  /** Whether its `parse` is sent with it. */
  readonly isParsed: boolean
  readonly rows: QueryResultRow[]
  columns: Columns | undefined
}

/** The driver's connection, as a query of its own uses it. */
interface Wire {
  /** Writes a message to the socket. The others write by it. */
  _send(message: Buffer): void
  parse(of: { readonly name: string; readonly text: string }): void
  bind(of: { readonly statement: string; readonly values: readonly unknown[]; readonly binary: boolean }): void
  describe(of: { readonly type: 'P'; readonly name: string }): void
  execute(of: object): void
  close(of: { readonly type: 'S'; readonly name: string }): void
  sync(): void
}

/** Gathers messages, which are written at once: each write is a call of the system, which wakes the server. */
interface Gathering {
  /** The same connection, whose messages are gathered. */
  readonly wire: Wire
  messages: Buffer[]
}

const gathering = (connection: Wire): Gathering => {
  const gathered: Gathering = {
    wire: Object.create(connection, { _send: { value: (message: Buffer) => void gathered.messages.push(message) } }) as Wire,
    messages: [],
  }
  return gathered
}

/** A function of the driver that its types do not declare: writes a value. Throws for one that has no text, as an object that refers to itself. */
const { prepareValue } = (pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } }).utils

/** A description of columns, as the driver reads it. */
interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** A function that makes objects of one shape. Made from text: filling in seventy columns one by one takes three times as long. */
const rowMaker = (names: readonly string[]): Columns['toRow'] =>
  new Function('values', `return {${names.map((name, i) => `${JSON.stringify(name)}: values[${i}]`).join(', ')}}`) as Columns['toRow']

const columnsOf = ({ fields }: Description): Columns => ({
  read: fields.map(({ name, dataTypeID }) => valueReader(dataTypeID, name)),
  toRow: rowMaker(fields.map(({ name }) => name)),
})

/** The name of a prepared statement, a new one if it has none. */
const nameOf = (statements: ReadStatements, text: string): string => {
  let name = statements.names.get(text)
  if (name === undefined) {
    name = `s${++statements.count}`
    statements.names.set(text, name)
  }
  return name
}

/** `milliseconds`: time after which the answer is given up. */
interface BatchOptions {
  readonly statements: ReadStatements
  readonly milliseconds: number
}

/** Queries of the driver's own class are the only ones that it takes on a connection that does not wait for answers. */
export class ReadBatch extends Query {
  readonly #given: readonly ReadStatement[]
  readonly #options: BatchOptions
  #sent: readonly Sent[] = []
  /** The place of the statement that is answered next, and of the one whose `parse` is. */
  #at = 0
  #parsing = 0
  /** Why the rows of the present statement cannot be read. */
  #unread: unknown
  /** Read by the driver, which gives the answer up after so many milliseconds. */
  readonly query_timeout: number
  /** Called at the end. The driver puts in its own, which ends its timer. */
  callback: (error?: unknown) => void = () => {}

  constructor(given: readonly ReadStatement[], options: BatchOptions) {
    // A text: the driver would copy an object.
    super('')
    this.#given = given
    this.#options = options
    this.query_timeout = options.milliseconds
  }

  /** Called by the driver when it is this query's turn to be sent. The driver calls handleError with an error that it returns: then nothing is sent. */
  override submit = (connection: unknown): unknown => {
    try {
      this.#write(connection as Wire)
      return undefined
    } catch (error) {
      return error
    }
  }

  #write(connection: Wire): void {
    const { statements } = this.#options
    // Values that cannot be written are met here, before anything of the batch is gathered.
    const named = this.#given.map((statement) => ({
      ...statement,
      values: statement.values.map(prepareValue),
      name: statement.isNamed ? nameOf(statements, statement.text) : '',
    }))
    statements.gathering ??= gathering(connection)
    const { wire } = statements.gathering
    for (const name of statements.forgotten) if (statements.prepared.delete(name)) wire.close({ type: 'S', name })
    statements.forgotten = []
    this.#sent = named.map((statement) => this.#send(wire, statement))
    wire.sync()
    const { messages } = statements.gathering
    statements.gathering.messages = []
    connection._send(Buffer.concat(messages))
  }

  #send(wire: Wire, statement: Named): Sent {
    const { statements } = this.#options
    const { text, values, isNamed, name } = statement
    const columns = statements.columns.get(text)
    const isParsed = !statements.prepared.has(name)
    if (isParsed) {
      if (isNamed) statements.prepared.add(name)
      wire.parse({ name, text })
    }
    wire.bind({ statement: name, values, binary: true })
    if (columns === undefined) wire.describe({ type: 'P', name: '' })
    wire.execute({})
    return { ...statement, isParsed, columns, rows: [] }
  }

  /** Takes a row, whose columns begin at `at`. */
  takeRow(bytes: Buffer, at: number): void {
    const { columns, rows, text } = this.#sent[this.#at]!
    if (this.#unread !== undefined) return
    try {
      const { read, toRow } = columns!
      // A pooler may have prepared the statement again, after a migration that added columns to its table.
      if (bytes.readUInt16BE(at) !== read.length) {
        this.#options.statements.columns.delete(text)
        throw Object.assign(new Error('the columns of a statement have changed'), STALE_PLAN)
      }
      const values: unknown[] = new Array(read.length)
      let next = at + 2
      for (let i = 0; i < read.length; i++) {
        const length = bytes.readInt32BE(next)
        next += 4
        if (length < 0) values[i] = null
        else {
          values[i] = read[i]!(bytes, next, length)
          next += length
        }
      }
      rows.push(toRow(values))
    } catch (error) {
      this.#unread = error
    }
  }

  /** A statement is prepared. */
  takeParsed(): void {
    while (!this.#sent[this.#parsing]!.isParsed) this.#parsing++
    this.#parsing++
  }

  /** Called by the driver, or in its place, with the columns of a statement that is run for the first time. */
  handleRowDescription(description: Description): void {
    const statement = this.#sent[this.#at]!
    try {
      statement.columns = columnsOf(description)
      this.#options.statements.columns.set(statement.text, statement.columns)
    } catch (error) {
      this.#unread = error
    }
  }

  /** Called by the driver when a statement has run. */
  handleCommandComplete(): void {
    const { resolve, reject, rows } = this.#sent[this.#at++]!
    if (this.#unread === undefined) resolve(rows)
    else reject(this.#unread)
    this.#unread = undefined
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  /**
   * Called by the driver when a statement failed, or when the connection is lost. The server passes over the statements after one that failed. They get the same
   * error: if `begin` fails, of which no caller sees the answer, the statement after it tells the reason.
   */
  handleError(error: unknown): void {
    const { statements } = this.#options
    for (const { isParsed, name } of this.#sent.slice(Math.max(this.#parsing, this.#at))) if (isParsed) statements.prepared.delete(name)
    const open = this.#sent.length > 0 ? this.#sent.slice(this.#at) : this.#given
    this.#at = this.#sent.length
    for (const { reject } of open) reject(error)
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback()
  }
}

/** Runs a statement. It leaves together with all that are given before the event loop goes on. */
export type SendRead = <R>(text: string, values: readonly unknown[], isNamed: boolean) => Promise<R[]>

/**
 * Sends the statements of a connection in batches. `milliseconds`: time of one statement. A statement waits for those before it, so a batch has the time of all
 * that are not answered yet.
 */
export const createReadSender = (client: ClientBase, most: number, milliseconds: number): SendRead => {
  const statements = createReadStatements(most)
  let waiting: ReadStatement[] = []
  let unanswered = 0
  const send = (): void => {
    const batch = new ReadBatch(waiting, { statements, milliseconds: milliseconds * unanswered })
    waiting = []
    client.query(batch)
  }
  return <R>(text: string, values: readonly unknown[], isNamed: boolean) =>
    new Promise<R[]>((resolve, reject) => {
      unanswered++
      if (waiting.length === 0) process.nextTick(send)
      waiting.push({
        text,
        values,
        isNamed,
        resolve(rows) {
          unanswered--
          resolve(rows as R[])
        },
        reject(error) {
          unanswered--
          reject(error)
        },
      })
    })
}
