import type { CompiledQuery } from 'kysely'
import { createAbortController } from '../../base/abort.ts'
import type { RememberedHead, RunQuery } from './reader.ts'

/*
 * Short reads of several callers in one snapshot. To begin and to end a snapshot, to read the head and to wake the server take longer than to find a few rows by
 * their key. So short reads that come in one turn of the event loop share a snapshot: all of that is done once, and their statements leave in one write.
 * The snapshot begins after the last of them has come, so each sees all that was published before it came.
 */

/** The reads of one caller. */
type Run<T> = (rows: RunQuery, lastHead?: RememberedHead) => Promise<T>

/** Runs reads in a snapshot. */
type Snapshot = <T>(run: Run<T>, signal: AbortSignal) => Promise<T>

/** A caller that waits for the snapshot, or reads in it. */
interface Member {
  readonly signal: AbortSignal
  /** Whether it has its answer, or has left. */
  isSettled(): boolean
  /** Runs its reads, and settles its promise. Returns the error of a statement that failed. */
  read(rows: RunQuery, lastHead: RememberedHead | undefined): Promise<{ readonly broken: unknown } | undefined>
  /** Lets it read in a snapshot of its own. */
  leave(): void
  fail(error: unknown): void
}

/** Callers of one snapshot at most, because their statements wait for each other. */
const MAX_MEMBERS = 16

/** Statements without values, such as the one that reads the head, are run once: in one snapshot their rows are always the same. */
const withoutRepeats = (ask: RunQuery): RunQuery => {
  const answers = new Map<object, Promise<unknown[]>>()
  return <R>(query: Parameters<RunQuery>[0], planned?: 'once' | 'each') => {
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
      async read(rows, lastHead) {
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
          const found = await run(own, lastHead)
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
 * Makes the short reads of one turn of the event loop in one snapshot. `once` makes a snapshot; `alone` makes one for a caller of its own. A statement that fails ends
 * the snapshot for all. Whoever has no answer then reads alone, and learns what is wrong with its own statements.
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
      await once(async (ask, lastHead) => {
        const rows = withoutRepeats(ask)
        const ended = await Promise.all(members.map((member) => member.read(rows, lastHead)))
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
