import { Connection as Wire } from 'pg'

/* The statements that code of the service sends to PostgreSQL from this process, recorded where the driver writes them: nothing has to be listed for it. */

/** What the driver calls for a message of a session. Its types do not name them all. */
interface Sending {
  startup(settings: { readonly application_name?: string }): void
  query(text: string): void
  parse(statement: { readonly text: string }): void
}

/** Sessions whose statements are not recorded: `verify` reads plain tables, on a cluster a copy of its own (server/index/verify/local-copy.ts). */
const PASSED_OVER: ReadonlySet<string> = new Set(['tonway-verify'])

const TEXT = String.raw`e?'(?:[^'\\]|\\.|'')*'`
const VALUE = `(?:${TEXT}|null|-?\\d+)`
const ROW = `\\(${VALUE}(?:,\\s*${VALUE})*\\)`
const FURTHER = new RegExp(`(${ROW})(?:,\\s*${ROW})+`, 'gi')
const LIST = new RegExp(`\\((${VALUE})(?:,\\s*${VALUE})+\\)`, 'gi')
const LITERAL = new RegExp(TEXT, 'gi')

/** A text without the values in it: scripts of the writer differ in nothing else. One row of VALUES and one value of a list are left. */
export const withoutValues = (text: string): string =>
  text
    .replace(FURTHER, '$1')
    .replace(LIST, '($1)')
    .replace(LITERAL, "''")
    .replace(/(?<!\$)\b\d+\b/g, '0')

const sent = new Set<string>()

/** Takes the statements that were recorded until now, each form once. */
export const takeSent = (): readonly string[] => {
  const taken = [...sent]
  sent.clear()
  return taken
}

/** Begins to record. Sessions that are open already are not seen. */
export const recordSent = (): void => {
  const wire = Wire.prototype as unknown as Sending
  const { startup, query, parse } = wire
  const recorded = new WeakSet<object>()
  wire.startup = function (settings) {
    const { application_name: name = '' } = settings
    if (/^tonway/.test(name) && !PASSED_OVER.has(name)) recorded.add(this)
    startup.call(this, settings)
  }
  wire.query = function (text) {
    if (recorded.has(this)) sent.add(withoutValues(text))
    query.call(this, text)
  }
  wire.parse = function (statement) {
    if (recorded.has(this)) sent.add(withoutValues(statement.text))
    parse.call(this, statement)
  }
}
