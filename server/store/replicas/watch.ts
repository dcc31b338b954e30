import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { DatabaseClient } from '../postgres/client.ts'
import { HEAD_CHANNEL } from '../schema/head.ts'
import type { HeadPlace } from './floor.ts'

/* Watches one server over a connection of its own: whether it answers, what it is, and how far it has got. */

/** The state of a server at one moment. */
export interface Sight {
  /** The cluster and the database: a replica has those of its primary. */
  readonly identity: string
  /** When the server was started: tells two servers with the same identity apart. */
  readonly started: string
  /** Whether it replays the WAL of another server. */
  readonly isStandby: boolean
  /** Position in the WAL, bytes: replayed by a standby, written by a primary. */
  readonly wal: bigint
  /** The published head; undefined if there is no index. */
  readonly head: HeadPlace | undefined
}

export interface WatchOptions {
  readonly config: () => Promise<ClientConfig | undefined>
  /** Milliseconds between looks. */
  readonly every: number
  /** Whether the database has an index whose head is read. */
  readonly heads: boolean
  /** Called for each answer. */
  readonly saw: (sight: Sight) => void
  /** Called when the server does not answer, refuses, or is lost. */
  readonly lost: (error: unknown) => void
  /** Called when the server, if it is a primary, says that the head has changed. */
  readonly noticed?: (() => void) | undefined
}

export interface Watch {
  /** Checks as often as possible for a moment, because the primary has written something. */
  hurry(): void
  close(): Promise<void>
}

/** Milliseconds that a look may take. */
const PATIENCE = 1_000
/** Milliseconds before a server that failed is tried again. */
const RETRY = 500
/** How long `hurry` lasts, and the pause between its checks, milliseconds. */
const HURRY = { lasts: 50, pause: 1 }

const IDENTITY = `select (select oid from pg_database where datname = current_database())::text as database,
  extract(epoch from pg_postmaster_start_time())::text as started`
const SYSTEM = 'select system_identifier::text as system from pg_control_system()'
const WAL = `pg_is_in_recovery() as is_standby,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn)::text as wal`
const LOOK = `select ${WAL}`
const LOOK_AT_HEAD = `select ${WAL}, h.mc_seqno as seqno, h.epoch::text as epoch from (select 1) one left join published_head h on h.id = 1`

interface Row {
  readonly is_standby: boolean
  readonly wal: string | null
  readonly seqno?: number | null
  readonly epoch?: string | null
}

/** SQLSTATEs of a missing table, and of what a user may not do. */
const NO_TABLE = '42P01'
const NOT_ALLOWED = '42501'
const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

const identify = async (client: DatabaseClient): Promise<Pick<Sight, 'identity' | 'started'>> => {
  const [row] = (await client.query<{ database: string; started: string }>(IDENTITY)).rows
  // Managed servers may not show the system identifier. The database's oid alone must then do.
  const [system] = await client.query<{ system: string }>(SYSTEM).then(
    ({ rows }) => rows,
    (error: unknown) => {
      if (codeOf(error) === NOT_ALLOWED) return []
      throw error
    },
  )
  return { identity: `${system?.system ?? ''}/${row!.database}`, started: row!.started }
}

const look = async (client: DatabaseClient, heads: boolean): Promise<Row> => {
  try {
    return (await client.query<Row>({ name: 'look', text: heads ? LOOK_AT_HEAD : LOOK })).rows[0]!
  } catch (error) {
    if (codeOf(error) !== NO_TABLE) throw error
    return (await client.query<Row>(LOOK)).rows[0]!
  }
}

export const startWatch = ({ config, every, heads, saw, lost, noticed }: WatchOptions): Watch => {
  const closing = new AbortController()
  const { signal } = closing
  let hurriedUntil = 0
  let wake = (): void => {}

  const pause = async (): Promise<void> => {
    const milliseconds = performance.now() < hurriedUntil ? HURRY.pause : every
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Looks until the connection is lost, and then rejects. */
  const follow = async (at: ClientConfig): Promise<void> => {
    const client = new DatabaseClient({
      ...at,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
      application_name: 'tonway-watch',
    })
    let failure: unknown
    client.on('error', (error) => {
      failure = error
    })
    if (noticed) client.on('notification', noticed)
    const leave = (): void => client.cut()
    signal.addEventListener('abort', leave, { once: true })
    try {
      await client.connect()
      const identity = await identify(client)
      let isListening = false
      while (!signal.aborted) {
        const { is_standby, wal, seqno, epoch } = await look(client, heads)
        const head = seqno == null || epoch == null ? undefined : { seqno, epoch: Number(epoch) }
        saw({ ...identity, isStandby: is_standby, wal: BigInt(wal ?? 0), head })
        // A standby refuses to listen.
        if (noticed && !isListening && !is_standby) {
          await client.query(`listen ${HEAD_CHANNEL}`)
          isListening = true
        }
        await pause()
        if (failure !== undefined) throw failure
      }
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const at = await config()
        if (at !== undefined) await follow(at)
      } catch (error) {
        if (!signal.aborted) lost(error)
      }
      await sleep(RETRY, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()

  return {
    hurry() {
      hurriedUntil = performance.now() + HURRY.lasts
      wake()
    },
    async close() {
      closing.abort()
      wake()
      await running
    },
  }
}
