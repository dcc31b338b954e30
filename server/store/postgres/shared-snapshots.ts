import type { CompiledQuery } from 'kysely'
import { createAbortController } from '../../base/abort.ts'
import type { Planned, RunQuery } from './reader.ts'

/*
 * Runs short reads of several callers in one snapshot. Beginning and ending a snapshot, reading the head and waking the server take longer than finding a
 * few rows by key, so the short reads of one event-loop turn share these steps. The snapshot begins after the last of these reads was requested, so each
 * read sees everything that was published before its request.
 */

type Run<T> = (rows: RunQuery) => Promise<T>

type Snapshot = <T>(run: Run<T>, signal: AbortSignal) => Promise<T>

interface Member {
  readonly signal: AbortSignal
  isSettled(): boolean
  /** Runs the caller's reads and settles its promise. Returns the error of a statement that failed. */
  read(rows: RunQuery): Promise<{ readonly broken: unknown } | undefined>
  /** Runs the caller's reads in a separate snapshot. */
  leave(): void
  fail(error: unknown): void
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

const createMember = <T>(run: Run<T>, signal: AbortSignal, alone: Snapshot): { readonly member: Member; readonly answer: Promise<T> } => {
  let member: Member
  const answer = new Promise<T>((resolve, reject) => {
    let isSettled = false
    const settle = (): void => {
      isSettled = true
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown): void => {
      settle()
      reject(error)
    }
    const leave = (): void => {
      settle()
      resolve(alone(run, signal))
    }
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    member = {
      signal,
      isSettled: () => isSettled,
      fail(error) {
        if (!isSettled) fail(error)
      },
      leave() {
        if (!isSettled) leave()
      },
      async read(rows) {
        if (isSettled) return undefined
        let failed: { readonly broken: unknown } | undefined
        const own: RunQuery = (query, planned) => {
          if (isSettled) return Promise.reject(signal.aborted ? signal.reason : new Error('the snapshot has ended'))
          const answered = rows(query, planned)
          answered.catch((broken: unknown) => {
            failed ??= { broken }
          })
          return answered
        }
        try {
          const found = await run(own)
          if (isSettled) return failed
          settle()
          resolve(found)
        } catch (error) {
          if (isSettled) return failed
          if (failed) leave()
          else fail(error)
        }
        return failed
      },
    }
  })
  return { member: member!, answer }
}

/**
 * `once` runs reads in a snapshot without retries; `alone` runs the reads of a single caller with retries. A failed statement ends the snapshot for all
 * callers. Each caller without a result then reads alone, so only the caller of the wrong statement gets the error.
 */
export const createSharedSnapshots = (once: Snapshot, alone: Snapshot): (<T>(run: Run<T>, signal: AbortSignal) => Promise<T>) => {
  let waiting: Member[] = []

  const readTogether = async (members: readonly Member[]): Promise<void> => {
    const stop = createAbortController()
    const onAbort = (): void => {
      if (members.every((member) => member.isSettled())) stop.abort(members.find(({ signal }) => signal.aborted)?.signal.reason)
    }
    for (const { signal } of members) signal.addEventListener('abort', onAbort, { once: true })
    try {
      await once(async (ask) => {
        const rows = withoutRepeats(ask)
        const ended = await Promise.all(members.map((member) => member.read(rows)))
        const failed = ended.find((each) => each !== undefined)
        if (failed) throw failed.broken
      }, stop.signal)
    } catch (error) {
      for (const member of members) member.fail(error)
    } finally {
      for (const { signal } of members) signal.removeEventListener('abort', onAbort)
    }
  }

  const depart = (): void => {
    const members = waiting
    waiting = []
    if (members.length > 1) void readTogether(members)
    else members[0]?.leave()
  }

  return (run, signal) => {
    if (signal.aborted) return alone(run, signal)
    const { member, answer } = createMember(run, signal, alone)
    if (waiting.push(member) === 1) setImmediate(depart)
    else if (waiting.length === MAX_MEMBERS) depart()
    return answer
  }
}
