import { type Connection, connect } from '../../server/store/postgres/connection.ts'

export type Stumble = 'before' | 'after' | 'cut' | 'drop'

/**
 * Connections whose `at`-th statement (of all of them together) fails once: before it reaches the server, after it has, with the connection
 * cut before the server takes it, or cut after.
 */
export const stumblingConnect = (mode: Stumble, at: number): { readonly open: typeof connect; readonly count: () => number } => {
  let count = 0
  const open: typeof connect = async (config, name, options) => {
    const connection: Connection = await connect(config, name, options)
    const run = async <T>(statement: () => Promise<T>): Promise<T> => {
      count += 1
      if (count !== at) return statement()
      if (mode === 'before') throw new Error('planted: refused')
      if (mode === 'cut') {
        // The statement is what finds the connection gone.
        await connection.close()
        return statement()
      }
      const answer = await statement()
      if (mode === 'drop') await connection.close()
      throw new Error(`planted: ${mode}, its answer (${String(answer).slice(0, 20)}) is lost`)
    }
    return {
      ...connection,
      query: <R>(text: string, values?: readonly unknown[]) => run(() => connection.query<R>(text, values)),
      script(text, rows) {
        return run(() => connection.script(text, rows))
      },
    }
  }
  return { open, count: () => count }
}
