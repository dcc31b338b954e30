import type { Connection } from '../../store/postgres/connection.ts'
import type { Sink } from '../topics/run-topics.ts'

/** Number of collected characters from which the scripts are sent. */
const MAX_CHARACTERS = 1 << 19

/**
 * Collects scripts and sends them together: before a read, when they exceed MAX_CHARACTERS, and at the end. `begin` is called before each send and opens
 * the SQL transaction if it is not open yet. Without `begin` the caller has opened it.
 */
export const createSink = (
  connection: Connection,
  first: string,
  begin?: () => Promise<void>,
): Sink & {
  readonly end: (script: string) => Promise<void>
  /** Returns the collected scripts, which the caller has to send. */
  readonly take: () => string
} => {
  let collected = first
  const send = async (): Promise<void> => {
    if (collected === '') return
    await begin?.()
    const script = collected
    collected = ''
    await connection.script(script)
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
    async end(script) {
      collected += `\n${script}`
      await send()
    },
    take() {
      const script = collected
      collected = ''
      return script
    },
  }
}
