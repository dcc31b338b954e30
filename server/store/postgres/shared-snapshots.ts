import type { CompiledQuery } from 'kysely'
import { createAbortController, untilAborted } from '../../base/abort.ts'
import type { Planned, RunQuery } from './reader.ts'

/*
 * Runs short reads of several callers in one snapshot. Beginning and ending a snapshot, reading the head and waking the server take longer than finding a
 * few rows by key, so the short reads of one event-loop turn share these steps. The snapshot begins after the last of these reads was requested, so each
 * read sees everything that was published before its request.
 */

type Run<T> = (rows: RunQuery) => Promise<T>

type Snapshot = <T>(run: Run<T>, signal: AbortSignal, client?: string) => Promise<T>

interface Member {
  readonly run: Run<unknown>
  readonly signal: AbortSignal
  readonly client: string | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of callers per snapshot, because each waits for the statements of the others. */
const MAX_MEMBERS = 16

/** Runs each statement without parameters once (for example the query of the head), because within a snapshot its rows are always the same. */
const withoutRepeats = (ask: RunQuery): RunQuery => {
  const answers = new Map<object, Promise<unknown[]>>()
  return <R>(query: Parameters<RunQuery>[0], planned?: Planned) => {
    const compiled = query as CompiledQuery<R>
    if (compiled.parameters?.length !== 0) return ask<R>(compiled, planned)
    let rows = answers.get(query) as Promise<R[]> | undefined
    if (rows === undefined) {
      rows = ask<R>(compiled, planned)
      answers.set(query, rows)
    }
    return rows
  }
}

/**
 * `once` runs reads in a snapshot without retries; `alone` runs the reads of a single caller with retries. A failed statement ends the snapshot for all
 * callers. Each caller without a result then reads alone, so only the caller of the wrong statement gets the error.
 */
export const createSharedSnapshots = (once: Snapshot, alone: Snapshot): Snapshot => {
  let waiting: Member[] = []

  const readAlone = ({ run, signal, client, resolve }: Member): void => resolve(alone(run, signal, client))

  const readTogether = async (members: readonly Member[]): Promise<void> => {
    const open = new Set(members)
    let isBroken = false
    const read = async (member: Member, rows: RunQuery): Promise<void> => {
      const own: RunQuery = (query, planned) => {
        if (member.signal.aborted) return Promise.reject(member.signal.reason)
        const answered = rows(query, planned)
        answered.catch(() => {
          isBroken = true
        })
        return answered
      }
      try {
        member.resolve(await member.run(own))
      } catch (error) {
        if (isBroken) return
        member.reject(error)
      }
      open.delete(member)
    }
    const stop = createAbortController()
    const onAbort = (): void => {
      if ([...open].every(({ signal }) => signal.aborted)) stop.abort(members.find(({ signal }) => signal.aborted)?.signal.reason)
    }
    for (const { signal } of members) signal.addEventListener('abort', onAbort, { once: true })
    try {
      const readAll = async (ask: RunQuery): Promise<void> => {
        const rows = withoutRepeats(ask)
        await Promise.all(members.map((member) => read(member, rows)))
        if (isBroken) throw new Error('a statement of a shared snapshot failed')
      }
      // What is read for several clients counts for none: one of them may have all the connections that it may have, and the others would wait with it.
      const { client } = members[0]!
      await once(readAll, stop.signal, members.every((member) => member.client === client) ? client : undefined)
    } catch (error) {
      for (const member of open) {
        if (isBroken) readAlone(member)
        else member.reject(error)
      }
    } finally {
      for (const { signal } of members) signal.removeEventListener('abort', onAbort)
    }
  }

  const depart = (): void => {
    const members = waiting.filter(({ signal }) => !signal.aborted)
    waiting = []
    if (members.length > 1) void readTogether(members)
    else if (members.length === 1) readAlone(members[0]!)
  }

  return <T>(run: Run<T>, signal: AbortSignal, client?: string) => {
    const answer = new Promise<T>((resolve, reject) => {
      if (waiting.push({ run, signal, client, resolve: resolve as Member['resolve'], reject }) === 1) setImmediate(depart)
      else if (waiting.length === MAX_MEMBERS) depart()
    })
    return untilAborted(answer, signal)
  }
}
