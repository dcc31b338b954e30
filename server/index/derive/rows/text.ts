/*
 * Rows as lines of COPY's text format, exactly as PostgreSQL writes them. So `tonway verify` can compare derived lines with stored lines as text.
 */

export const NULL = '\\N'

/** Shared buffer for hashes and account keys: to create a Buffer view for each value is slower. */
const scratch = Buffer.alloc(64)

const hexOf = (bytes: Uint8Array): string => {
  const { length } = bytes
  if (length > scratch.length) return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('hex')
  scratch.set(bytes)
  return scratch.toString('hex', 0, length)
}

/** bytea. */
export const bytes = (value: Uint8Array): string => `\\\\x${hexOf(value)}`
export const maybeBytes = (value: Uint8Array | undefined): string => (value === undefined ? NULL : bytes(value))
/** bytea of a hash given as 32 one-byte characters (Cell.hashKey). */
export const keyBytes = (key: string): string => `\\\\x${scratch.toString('hex', 0, scratch.write(key, 'latin1'))}`

export const bool = (value: boolean): string => (value ? 't' : 'f')
export const maybeBool = (value: boolean | undefined): string => (value === undefined ? NULL : value ? 't' : 'f')
export const maybe = (value: number | bigint | undefined): string => (value === undefined ? NULL : String(value))

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Any text. Zero characters are removed, because PostgreSQL cannot store them. */
export const text = (value: string | undefined): string =>
  value === undefined ? NULL : value.replaceAll('\0', '').replace(/[\\\n\r\t]/g, (char) => ESCAPES[char]!)

/** Joins the columns of a row. */
export const line = (columns: readonly string[]): string => columns.join('\t')
