import { setTimeout as sleep } from 'node:timers/promises'
import { type JoinedAbort, joinAbort } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { migrate } from '../store/migrate.ts'
import type { Database, OpenDatabase } from '../store/postgres/database.ts'
import { replicaAddress } from '../store/replicas/replica-address.ts'
import { type Standby, type Standbys, watchStandbys } from '../store/replicas/standbys.ts'
import type { OpenedDatabase } from './key-database.ts'
import { ACCESS_MIGRATIONS } from './migrations.ts'

/* Reads keys and plans from a replica, so that the primary only gets writes, and so that keys are still checked while it is away. */

/** Milliseconds to wait for a replica that can be read. */
const PATIENCE = 2_000
/** Milliseconds between checks of the replica that is read. */
const EVERY = 200

export interface KeyReplicas {
  /** Opens a replica that can be read, or the primary if there is none. `lost` resolves when it cannot be read any more. */
  open(signal: AbortSignal): Promise<OpenedDatabase>
  close(): Promise<void>
}

export interface KeyReplicasDeps {
  /** The primary. */
  readonly database: Database
  /** URLs of the replicas. */
  readonly urls: readonly string[]
  readonly log: Log
  /** Milliseconds that a replica may be behind; for tests. */
  readonly mostLag?: number
}

/** Begins to check the replicas when keys are read for the first time. */
export const createKeyReplicas = ({ database, urls, log, mostLag }: KeyReplicasDeps): KeyReplicas => {
  let primary: OpenDatabase | undefined
  let standbys: Standbys | undefined
  /** Ends the checks of the replica that was opened last. */
  let watching: JoinedAbort | undefined
  const unwatch = (): void => {
    watching?.abort()
    watching?.leave()
    watching = undefined
  }
  const watched = (): Standbys => {
    standbys ??= watchStandbys({
      addresses: urls.map((url) => replicaAddress(url, undefined)),
      primary: () => primary?.connection,
      heads: false,
      log,
      mostLag,
    })
    return standbys
  }

  /** A replica that can be read; undefined if there is none after PATIENCE. */
  const chosen = async (signal: AbortSignal): Promise<Standby | undefined> => {
    for (let left = PATIENCE; left > 0; left -= EVERY) {
      const { all } = watched()
      const found = all.find((standby) => standby.state() === 'in use')
      if (found) return found
      if (all.every((standby) => standby.state() !== 'starting')) return undefined
      await sleep(EVERY, undefined, { signal })
    }
    return undefined
  }

  const untilLost = async (standby: Standby, signal: AbortSignal): Promise<string> => {
    while (standby.state() === 'in use' && !signal.aborted) await sleep(EVERY, undefined, { signal, ref: false }).catch(() => {})
    return `the replica ${standby.name} cannot be read any more: ${standby.state()}`
  }

  return {
    async open(signal) {
      unwatch()
      const opened = await database.open(undefined, signal)
      primary = opened
      // Replicas get their tables from the primary. If it is away, they have those of an earlier start.
      const failure = await migrate(opened.connection, ACCESS_MIGRATIONS, signal).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const standby = await chosen(signal)
      if (standby) {
        watching = joinAbort(signal)
        return { connection: standby.config()!, lost: untilLost(standby, watching.signal) }
      }
      if (failure) throw failure.error
      return opened
    },
    async close() {
      unwatch()
      await standbys?.close()
    },
  }
}
