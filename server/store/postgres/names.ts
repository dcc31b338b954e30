import type { ClientBase } from 'pg'
import { Lru } from '../../base/memory/lru.ts'
import { innerOf } from './driver-extras.ts'

/** Names of the prepared statements of a connection. Only the `most` recently used ones are kept; the server drops the others. */
export const createNames = (client: ClientBase, most: number): ((text: string) => string) => {
  const forget = (name: string): void => {
    // The server refuses this in a failed transaction. The statement then stays prepared on the connection.
    client.query(`deallocate ${name}`).catch(() => {})
    delete innerOf(client).connection.parsedStatements[name]
  }
  /** Names by text. */
  const names = new Lru<string, string>({ max: most, dispose: forget })
  let count = 0
  return (text) => {
    let name = names.get(text)
    if (name === undefined) {
      name = `s${++count}`
      names.set(text, name)
    }
    return name
  }
}
