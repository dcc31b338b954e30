import { createAbortController, untilAborted } from '../../base/abort.ts'
import type { Lent } from './connection-pool.ts'
import type { Query } from './reader.ts'

/*
 * Sends statements of several callers in one write on one connection. Waking the server takes longer than finding a few rows by key, so the statements of
 * one event-loop turn share it. Each is a transaction of its own, which begins after it was requested: it sees everything that was published before.
 */

type Send = <R>(client: Lent, query: Query<R>) => Promise<R[]>
type WithClient = <T>(signal: AbortSignal, caller: string, work: (client: Lent) => Promise<T>) => Promise<T>

interface Member {
  readonly query: Query<unknown>
  readonly signal: AbortSignal
  readonly caller: string
  readonly resolve: (rows: unknown[] | Promise<unknown[]>) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of callers per connection, because each waits for the statements of the others. */
const MAX_MEMBERS = 16

/**
 * `alone` runs a statement with retries: that of a single caller, and each that failed beside others. So a caller gets the error of its own statement, and a
 * connection that one of them loses costs nobody an answer.
 */
export const createSharedConnections = (
  withClient: WithClient,
  send: Send,
  alone: <R>(query: Query<R>, signal: AbortSignal, caller: string) => Promise<R[]>,
) => {
  let waiting: Member[] = []

  const readTogether = async (members: readonly Member[]): Promise<void> => {
    const stop = createAbortController()
    const onAbort = (): void => {
      if (members.every(({ signal }) => signal.aborted)) stop.abort()
    }
    for (const { signal } of members) signal.addEventListener('abort', onAbort, { once: true })
    // What is read for several clients counts for none: one of them may have all the connections that it may have, and the others would wait with it.
    const { caller } = members[0]!
    const payer = members.every((member) => member.caller === caller) ? caller : ''
    await withClient(stop.signal, payer, async (client) => {
      // Some may have left while all waited for the connection.
      const present = members.filter(({ signal }) => !signal.aborted)
      const sent = present.map(({ query }) => send(client, query))
      for (const [i, { query, signal, caller, resolve }] of present.entries()) resolve(sent[i]!.catch(() => alone(query, signal, caller)))
      // The connection is in use until all have ended. Then the first failure decides whether it is lost.
      await Promise.allSettled(sent)
      await Promise.all(sent)
    }).catch((error: unknown) => {
      for (const { reject } of members) reject(error)
    })
    for (const { signal } of members) signal.removeEventListener('abort', onAbort)
  }

  const depart = (): void => {
    const members = waiting.filter(({ signal }) => !signal.aborted)
    waiting = []
    if (members.length > 1) void readTogether(members)
    else for (const { query, signal, caller, resolve } of members) resolve(alone(query, signal, caller))
  }

  return <R>(query: Query<R>, signal: AbortSignal, caller: string): Promise<R[]> => {
    const answer = new Promise<R[]>((resolve, reject) => {
      const member = { query, signal, caller, resolve: resolve as Member['resolve'], reject }
      if (waiting.push(member) === 1) setImmediate(depart)
      else if (waiting.length === MAX_MEMBERS) depart()
    })
    return untilAborted(answer, signal)
  }
}
