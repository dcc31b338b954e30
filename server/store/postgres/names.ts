import type { ClientBase } from 'pg'
import { innerOf } from './wire.ts'

/** Names of the prepared statements of a connection. Only the `most` recently used ones are kept; the server drops the others. */
export const createNames = (client: ClientBase, most: number): ((text: string) => string) => {
  /** Names by text, the most recently used last. */
  const names = new Map<string, string>()
  let count = 0
  const forget = (text: string): void => {
    const name = names.get(text)!
    names.delete(text)
    // The server refuses this in a failed transaction. The statement then stays prepared on the connection.
    client.query(`deallocate ${name}`).catch(() => {})
    delete innerOf(client).connection.parsedStatements[name]
  }
  return (text) => {
    const name = names.get(text) ?? `s${++count}`
    names.delete(text)
    if (names.size === most) forget(names.keys().next().value!)
    names.set(text, name)
    return name
  }
}
