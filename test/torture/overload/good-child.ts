import { createLanes } from '../../../server/base/in-parallel.ts'
import { sleep } from '../../kit/wait.ts'
import { type Connection, openConnection } from '../../kit/wire/connection.ts'
import { mixedRequest } from './requests.ts'

/* A process that calls at a steady rate over a few connections. It takes its order and questions by IPC, and answers with how long each call took. */

export interface GoodOrder {
  readonly port: number
  readonly wallet: string
}

/** A call. It begins when it is due, also if it waits for one of the connections. */
export interface Sample {
  /** When it was due (Date.now()). */
  readonly at: number
  /** Milliseconds until its whole answer was there, or how it ended otherwise. */
  readonly took: number | 'refused' | 'late'
}

/** Connections at once. */
const CONNECTIONS = 16
const FROM = '127.0.0.1'
/** Milliseconds between two calls. */
const PERIOD = 20
/** Milliseconds after which a call counts as lost. */
const PATIENCE = 10_000

const samples: Sample[] = []
const idle: Connection[] = []
const underWay = new Set<Promise<void>>()
const overConnections = createLanes(CONNECTIONS)

/** Every second call has a connection of its own. */
const isServed = async (port: number, request: string, isAlone: boolean): Promise<boolean> => {
  let connection = isAlone ? undefined : idle.pop()
  if (connection?.socket.destroyed) connection = undefined
  connection ??= await openConnection(port, FROM)
  try {
    void connection.send(request)
    const { status } = await connection.answer()
    if (isAlone) connection.destroy()
    else idle.push(connection)
    return status === 200
  } catch {
    connection.destroy()
    return false
  }
}

const call = async (port: number, request: string, isAlone: boolean): Promise<void> => {
  const [at, start] = [Date.now(), performance.now()]
  const served = overConnections(() => isServed(port, request, isAlone)).catch(() => false)
  const outcome = await Promise.race([served, sleep(PATIENCE, 'late' as const, { ref: false })])
  samples.push({ at, took: outcome === 'late' ? outcome : outcome ? performance.now() - start : 'refused' })
}

const begin = ({ port, wallet }: GoodOrder): void => {
  let n = 0
  setInterval(() => {
    // Every kind of call is made over both kinds of connections.
    const number = n++
    const called = call(port, mixedRequest(Math.floor(number / 2), wallet), number % 2 === 0)
    underWay.add(called)
    void called.finally(() => underWay.delete(called))
  }, PERIOD)
}

process.on('message', async (order: GoodOrder | 'samples') => {
  if (order !== 'samples') return begin(order)
  // What is under way belongs to them.
  await Promise.all(underWay)
  process.send!(samples.splice(0))
})
process.on('disconnect', () => process.exit(0))
