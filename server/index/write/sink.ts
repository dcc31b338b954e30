import type { Connection } from '../../store/postgres/connection.ts'
import type { Sink } from '../topics/run-topics.ts'

/** Number of collected characters from which the scripts are sent. */
const MAX_CHARACTERS = 1 << 19

/** Collects scripts and sends them together: before a read, and when they exceed MAX_CHARACTERS. The caller has opened the SQL transaction. */
export const createSink = (connection: Pick<Connection, 'query' | 'script'>) => {
  let collected = ''
  /** Returns the collected scripts, which the caller has to send. */
  const take = (): string => {
    const script = collected
    collected = ''
    return script
  }
  const send = async (): Promise<void> => {
    if (collected !== '') await connection.script(take())
  }
  const sink: Sink = {
    async put(script) {
      collected += `\n${script}`
      if (collected.length > MAX_CHARACTERS) await send()
    },
    async read(text, values) {
      await send()
      return connection.query(text, values)
    },
  }
  return { ...sink, send, take }
}
