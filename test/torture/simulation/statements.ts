/* PostgreSQL's protocol as far as the simulation reads it: where messages end, which of them the server answers with ReadyForQuery, and what they say. */

const letter = (text: string): number => text.charCodeAt(0)
const [QUERY, SYNC, TERMINATE, PARSE, COPY_DATA, COPY_DONE] = ['Q', 'S', 'X', 'P', 'd', 'c'].map(letter)
export const READY = letter('Z')
export const NOTIFICATION = letter('A')
export const BACKEND_KEY = letter('K')

/** A message with its type and length. */
export interface Message {
  readonly type: number
  readonly bytes: Buffer
}

/** Splits bytes into whole messages, and what is left. */
export const splitMessages = (bytes: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer } => {
  const messages: Message[] = []
  let at = 0
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push({ type: bytes[at]!, bytes: bytes.subarray(at, end) })
    at = end
  }
  return { messages, rest: bytes.subarray(at) }
}

export const isEnd = ({ type }: Message): boolean => type === TERMINATE
/** Whether the server answers a message of a client with ReadyForQuery. */
export const isAnswered = ({ type }: Message): boolean => type === QUERY || type === SYNC

const textAt = (bytes: Buffer, from: number): string => bytes.toString('utf8', from, bytes.indexOf(0, from))

/** The texts of the statements in messages of a client. */
export const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ type, bytes }) => {
    if (type === QUERY) return [textAt(bytes, 5)]
    // The name of the prepared statement comes before its text.
    if (type === PARSE) return [textAt(bytes, bytes.indexOf(0, 5) + 1)]
    return []
  })

const simpleQuery = (text: string): Buffer => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5)
  head[0] = QUERY!
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A statement that does nothing. */
export const NOTHING = simpleQuery('')
/** A statement that fails as one that an operator cancels. */
const FAILING = simpleQuery(`do $$ begin raise exception 'the simulation cancels this' using errcode = '57014'; end $$`)

/** Messages whose first statement is replaced by one that fails; the others follow as they are. */
export const withFailure = (messages: readonly Message[]): Buffer => {
  const first = messages.findIndex(isAnswered)
  // The rows of a COPY have no statement any more that takes them.
  const later = messages.slice(first + 1).filter(({ type }) => type !== COPY_DATA && type !== COPY_DONE)
  return Buffer.concat([FAILING, ...later.map(({ bytes }) => bytes)])
}

/** The name that a client gives in its first message. */
export const applicationName = (startup: Buffer): string => {
  const fields = startup.toString('utf8', 8).split('\0')
  const at = fields.indexOf('application_name')
  return at < 0 ? 'migration' : fields[at + 1]!
}
