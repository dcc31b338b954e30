import type { Connection } from '../../store/postgres/connection.ts'
import type { Sink } from '../topics/run-topics.ts'

/** Number of collected characters from which the scripts are sent. */
const MAX_CHARACTERS = 1 << 19

export interface CollectingSink extends Sink {
  /** Sends the collected scripts. */
  send(): Promise<void>
  /** Returns the collected scripts, which the caller has to send. */
  take(): string
}

/** Collects scripts and sends them together: before a read, and when they exceed MAX_CHARACTERS. The caller has opened the SQL transaction. */
export const createSink = (connection: Connection): CollectingSink => {
  let collected = ''
  const take = (): string => {
    const script = collected
    collected = ''
    return script
  }
  const send = async (): Promise<void> => {
    if (collected !== '') await connection.script(take())
  }
  return {
    async put(script) {
      collected += `\n${script}`
      if (collected.length > MAX_CHARACTERS) await send()
    },
    async read(text, values) {
      await send()
      return connection.query(text, values)
    },
    send,
    take,
  }
}
