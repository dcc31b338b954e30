import type { ClientConfig } from 'pg'
import type { DatabaseClient } from '../postgres/client.ts'
import { errorCode } from '../postgres/faults.ts'
import { keepConnected } from '../postgres/keep-connected.ts'
import type { ChainPosition } from './floor.ts'

/* Checks one server periodically on a separate connection: whether it answers, its identity, whether it is a standby, and its published head. */

export interface Sight {
  /** System identifier of the cluster, and oid of the database. Equal for a replica and its primary. */
  readonly identity: string
  /** Start time of the server, which distinguishes servers with the same identity. */
  readonly started: string
  readonly isStandby: boolean
  readonly head: ChainPosition | undefined
}

export interface CheckOptions {
  readonly config: () => ClientConfig | undefined
  /** Milliseconds between two checks. */
  readonly every: number
  readonly saw: (sight: Sight) => void
  /** Called when the server does not answer, refuses the connection, or the connection is lost. */
  readonly lost: (error: unknown) => void
}

/** Timeout of a check, in milliseconds. */
const PATIENCE = 1_000

const IDENTITY = `select (select oid from pg_database where datname = current_database())::text as database,
  extract(epoch from pg_postmaster_start_time())::text as started`
const SYSTEM = 'select system_identifier::text as system from pg_control_system()'
const STANDBY = 'pg_is_in_recovery() as is_standby'
const HEAD = `select ${STANDBY}, h.mc_seqno as seqno, h.epoch::text as epoch from (select 1) one left join published_head h on h.id = 1`

interface Row {
  readonly is_standby: boolean
  readonly seqno?: number | null
  readonly epoch?: string | null
}

const NO_TABLE = '42P01'
const NOT_ALLOWED = '42501'

/** Runs a statement. If it fails with SQLSTATE `code`, runs `other` instead. */
const rowsOr = async <R extends object>(client: DatabaseClient, text: string, code: string, other: () => Promise<R[]>): Promise<R[]> => {
  try {
    return (await client.query<R>(text)).rows
  } catch (error) {
    if (errorCode(error) !== code) throw error
    return other()
  }
}

const identify = async (client: DatabaseClient): Promise<Pick<Sight, 'identity' | 'started'>> => {
  const [row] = (await client.query<{ database: string; started: string }>(IDENTITY)).rows
  // Managed servers may deny access to the system identifier. Then the oid of the database has to be enough.
  const [system] = await rowsOr<{ system: string }>(client, SYSTEM, NOT_ALLOWED, async () => [])
  return { identity: `${system?.system ?? ''}/${row!.database}`, started: row!.started }
}

const look = async (client: DatabaseClient): Promise<Pick<Sight, 'isStandby' | 'head'>> => {
  const [row] = await rowsOr<Row>(client, HEAD, NO_TABLE, async () => (await client.query<Row>(`select ${STANDBY}`)).rows)
  const { is_standby, seqno, epoch } = row!
  return { isStandby: is_standby, head: seqno == null || epoch == null ? undefined : { seqno, epoch: Number(epoch) } }
}

/** Checks a server until the returned function is called. */
export const checkServer = ({ config, every, saw, lost }: CheckOptions): (() => Promise<void>) =>
  keepConnected({
    config,
    settings: { connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE, application_name: 'tonway-watch' },
    async work({ client, signal, pause }) {
      const identity = await identify(client)
      while (!signal.aborted) {
        saw({ ...identity, ...(await look(client)) })
        await pause(every)
      }
    },
    lost,
  })
