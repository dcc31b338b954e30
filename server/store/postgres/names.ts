import type { ClientBase } from 'pg'
import { innerOf } from './wire.ts'

/** Names of the statements that are prepared on a connection: of the `most` that were used last. The server lets go of the others. */
export const createNames = (client: ClientBase, most: number): ((text: string) => string) => {
  /** By text; the one that was used last stands last. */
  const names = new Map<string, string>()
  let count = 0
  const forget = (text: string): void => {
    const name = names.get(text)!
    names.delete(text)
    // Refused in a transaction that has failed: such a one stays with the connection.
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
