import { Client, type ClientConfig } from 'pg'
import { ACCESS_MIGRATIONS } from '../access/migrations.ts'
import { UserError } from '../base/user-error.ts'
import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import { type Checkpoint, readCheckpoint } from '../index/follow/checkpoint.ts'
import { migrate } from '../store/migrate.ts'
import { INDEX_LOCK, tryLock } from '../store/postgres/advisory-lock.ts'
import { copyTable } from '../store/postgres/copy-between-databases.ts'
import { createDatabase, type Database } from '../store/postgres/database-server.ts'
import { isClaimed } from '../store/postgres/embedded/claim.ts'
import { nameSetting } from '../store/postgres/faults.ts'
import { columnList } from '../store/schema/table.ts'
import { TABLES } from '../store/schema/tables.ts'
import type { IndexCommand } from './with-index-store.ts'

/*
 * Runs `tonway move`: copies the index of each network, the API keys and the plans from the embedded database of a data directory to the operator's
 * PostgreSQL. Each database is copied in one SQL transaction, so that an interrupted move changes nothing and can be repeated.
 */

/** The rows and keys that were copied to one database; `before` if an earlier move had already copied them. */
type Moved = { readonly at: Checkpoint | undefined; readonly rows: number; readonly keys: number } | 'before'

type Say = Pick<IndexCommand, 'print' | 'draw' | 'signal'>

/** Connects for a long transaction. `lost` is aborted when the connection ends. */
const open = async (config: ClientConfig): Promise<{ readonly client: Client; readonly lost: AbortSignal }> => {
  const client = new Client({ ...config, connectionTimeoutMillis: 5_000, application_name: 'tonway-move' })
  const ended = new AbortController()
  client.on('error', () => {})
  client.once('end', () => ended.abort(new Error('the connection to the database was lost')))
  await client.connect().catch((error: unknown) => {
    throw nameSetting(error, config)
  })
  return { client, lost: ended.signal }
}

const query =
  (client: Client) =>
  async <R>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await client.query(text, [...values])).rows as R[]

type Contents = Awaited<ReturnType<typeof contentsOf>>

/**
 * Data by which an earlier move of a database is recognized: the checkpoint, and the hashes of the keys, as texts. Uses only columns that exist in every
 * release, because the tables may not be migrated yet.
 */
const contentsOf = async (client: Client) => {
  const rows = async (table: string, columns: string): Promise<string[]> => {
    const [found] = await query(client)<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
    if (!found?.there) return []
    return (await query(client)<{ text: string }>(`select (${columns})::text as text from ${table}`)).map(({ text }) => text)
  }
  const [checkpoint] = await rows('index_checkpoint', `network, first_mc_seqno, mc_seqno, encode(root_hash, 'hex')`)
  return { checkpoint, keys: (await rows('api_keys', `encode(hash, 'hex')`)).sort().join() }
}

/** Reads the names of a table's columns from the database, because the tables of keys are not declared in code. */
const columnsOf = async (client: Client, table: string): Promise<string> => {
  const columns = await query(client)<{ name: string }>(
    'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1 order by ordinal_position',
    [table],
  )
  return columns.map(({ name }) => name).join(', ')
}

const refuse = (what: string, why: string): Error => new Error(`the database on ${what} ${why}: give one that tonway has not used yet`)

/** Returns whether an earlier move copied the source. Throws if the target contains anything else. */
const isMoved = (source: Contents, target: Contents, what: string): boolean => {
  if (target.checkpoint !== undefined) {
    if (target.checkpoint === source.checkpoint) return true
    throw refuse(what, 'has an index already')
  }
  if (target.keys === '') return false
  if (source.checkpoint === undefined && source.keys === target.keys) return true
  throw refuse(what, 'has keys already')
}

const migrateAll = async (connection: ClientConfig, signal: AbortSignal): Promise<void> => {
  await migrate(connection, undefined, signal)
  await migrate(connection, ACCESS_MIGRATIONS, signal)
}

/** Copies one database. Throws if the target contains another index or other keys, or if a running process writes an index to the target. */
const moveOne = async (source: ClientConfig, to: { connection: ClientConfig; what: string }, say: Say, label: string): Promise<Moved> => {
  const [from, into] = [await open(source), await open(to.connection)]
  const signal = AbortSignal.any([say.signal, from.lost, into.lost])
  const abandon = (): void => {
    for (const { client } of [from, into]) client.end().catch(() => {})
  }
  say.signal.addEventListener('abort', abandon, { once: true })
  const copy = async (name: string, columns: string): Promise<number> => {
    say.draw?.(`${label}: ${name}`)
    return await copyTable(from.client, into.client, { name, columns }, signal)
  }
  const work = async (): Promise<Moved> => {
    if (!(await tryLock({ query: query(into.client) }, INDEX_LOCK))) throw refuse(to.what, 'is used by a running process that indexes')
    // Checked before the migration, which would change a database that was named by mistake or that an older release uses.
    if (isMoved(await contentsOf(from.client), await contentsOf(into.client), to.what)) return 'before'
    for (const connection of [source, to.connection]) await migrateAll(connection, say.signal)
    await from.client.query('begin isolation level repeatable read read only')
    await into.client.query('begin')
    const at = await readCheckpoint({ query: query(from.client) })
    // The migration inserted these plans.
    await into.client.query('delete from api_plans')
    let rows = 0
    for (const table of TABLES) rows += await copy(table.name, columnList(table))
    const keys = await copy('api_keys', await columnsOf(from.client, 'api_keys'))
    await copy('api_plans', await columnsOf(from.client, 'api_plans'))
    await into.client.query('update api_changes set count = count + 1')
    await into.client.query('commit')
    say.draw?.(`${label}: statistics`)
    await into.client.query('analyze')
    return { at, rows, keys }
  }
  try {
    return await work()
  } catch (error) {
    throw say.signal.aborted ? say.signal.reason : error
  } finally {
    say.signal.removeEventListener('abort', abandon)
    say.draw?.('')
    await Promise.allSettled([from.client.end(), into.client.end()])
  }
}

const formatMoved = (moved: Moved): string => {
  if (moved === 'before') return 'was moved before'
  const { at, rows, keys } = moved
  const index = at === undefined ? 'no index' : `blocks ${at.oldestSeqno} to ${at.seqno} (${rows} rows)`
  return `moved ${index}, ${keys} ${keys === 1 ? 'key' : 'keys'}`
}

const moveAll = async (source: Database, target: Database, config: Config, say: Say): Promise<number> => {
  let found = 0
  // A network with its own database has no data in the data directory.
  for (const { name, database: suffix, databaseUrl } of networkConfigs(config)) {
    if (databaseUrl !== config.databaseUrl) continue
    const from = await source.find(suffix, say.signal)
    if (from === undefined) continue
    found += 1
    const to = await target.open(suffix, say.signal)
    say.print(`${name}: ${formatMoved(await moveOne(from.connection, to, say, name))}`)
  }
  return found
}

export interface Move {
  readonly dataDir: string
  readonly databaseUrl: string
}

/** Returns the exit code 0 when everything is copied. Rejects with an Error whose message is for the user. */
export const runMove = async (config: Config, { dataDir, databaseUrl }: Move, say: Say): Promise<number> => {
  if (isClaimed(dataDir)) throw new Error(`the embedded PostgreSQL in ${dataDir} is in use by another process: stop it first`)
  const source = createDatabase({ databaseUrl: undefined, dataDir })
  const target = createDatabase({ databaseUrl, dataDir: undefined })
  try {
    if ((await moveAll(source, target, config, say)) === 0) throw new UserError(`there is no embedded database in ${dataDir}`)
    say.print(
      `the service uses it when it is started with this DATABASE_URL; ${dataDir}/postgres keeps everything, in the tables of this release, and can be removed`,
    )
    return 0
  } finally {
    await Promise.allSettled([source.close(), target.close()])
  }
}
