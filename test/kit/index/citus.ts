import { Client, type ClientConfig } from 'pg'
import { sleep } from '../wait.ts'

/** URL of a database on the coordinator of a Citus cluster that the tests use in place of plain PostgreSQL; undefined without a cluster. */
export const CITUS_URL = process.env['TONWAY_TEST_CITUS_URL']

/* Databases on a running Citus cluster. CREATE DATABASE reaches one node only, so each node is asked, and the extension is made on each. */

const on = (url: string, change: (url: URL) => void): string => {
  const changed = new URL(url)
  change(changed)
  return changed.href
}

const run = async (connectionString: string, texts: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

export interface CitusNode {
  readonly host: string
  readonly port: number
  readonly isCoordinator: boolean
}

/** The nodes of the cluster that the coordinator at a URL knows. Throws if the database there has no Citus. */
export const citusNodes = async (url: string): Promise<readonly CitusNode[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<CitusNode>(
      'select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid',
    )
    return rows
  } finally {
    await client.end()
  }
}

const urlAt = (url: string, { host, port }: CitusNode, database: string): string =>
  on(url, (each) => {
    each.hostname = host
    each.port = String(port)
    each.pathname = `/${database}`
  })

const ownOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

/** Settings of a database on the coordinator. */
export const citusDatabase = (url: string, name: string): ClientConfig & { readonly database: string } => ({
  connectionString: on(url, (each) => {
    each.pathname = `/${name}`
  }),
  database: name,
})

/** Makes a database with Citus on every node. `portOf`: where the coordinator finds a worker, if not at its own port. */
export const createCitusDatabase = async (
  url: string,
  nodes: readonly CitusNode[],
  name: string,
  portOf: (node: CitusNode) => number = ({ port }) => port,
): Promise<void> => {
  await Promise.all(
    nodes.map(async (node) => {
      await run(urlAt(url, node, ownOf(url)), [`create database ${name}`])
      await run(urlAt(url, node, name), ['create extension citus'])
    }),
  )
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator)!
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator)
  await run(citusDatabase(url, name).connectionString!, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map((node) => `select citus_add_node('${node.host}', ${portOf(node)})`),
  ])
}

/** SQLSTATE of a database in use, and of one that does not exist. */
const IN_USE = '55006'
const UNKNOWN = '3D000'
/** The text of PostgreSQL when another session has just changed the same row of a catalog. */
const CHANGED = 'tuple concurrently updated'
/** How often a change is tried again, and milliseconds in between: on a busy machine a session that is ended can take longer than PostgreSQL waits for it. */
const TRIES = 10
const BETWEEN_TRIES = 250

/** Changes a database that others may use or change at the same moment. */
const patiently = async (url: string, texts: readonly string[]): Promise<void> => {
  for (let left = TRIES; ; left--) {
    try {
      return await run(url, texts)
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown }
      if ((code !== IN_USE && message !== CHANGED) || left === 0) throw error
      await sleep(BETWEEN_TRIES)
    }
  }
}

/**
 * Copies a database to another name on every node: what Citus knows of its nodes and shards is in its own tables, and shards are looked for in the database of the
 * same name. The source is locked first and its sessions are ended, because Citus keeps some of its own there.
 */
export const copyCitusDatabase = async (url: string, nodes: readonly CitusNode[], template: string, name: string): Promise<void> => {
  const own = ownOf(url)
  const closed = [
    `alter database ${template} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
  ]
  for (const node of nodes) await patiently(urlAt(url, node, own), closed)
  await Promise.all(nodes.map((node) => run(urlAt(url, node, own), [`create database ${name} template ${template}`])))
}

/** Lets a database that was copied be used again. */
export const reopenCitusDatabase = async (url: string, nodes: readonly CitusNode[], name: string): Promise<void> => {
  for (const node of nodes) await run(urlAt(url, node, ownOf(url)), [`alter database ${name} allow_connections true`])
}

/** Drops one database. It is closed first: Citus keeps sessions of its own, and opens them again. */
const dropOne = async (url: string, name: string): Promise<void> => {
  try {
    await patiently(url, [`alter database ${name} allow_connections false`, `drop database ${name} with (force)`])
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== UNKNOWN) throw error
  }
}

const dropAt = async (url: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await dropOne(url, name)
}

/**
 * Removes databases from every node: from the coordinator first, because as long as it has them it connects to those of the workers, then from all workers
 * at the same time, because a checkpoint is made for each database.
 */
export const dropCitusDatabases = async (url: string, nodes: readonly CitusNode[], names: readonly string[]): Promise<void> => {
  const own = ownOf(url)
  for (const of of [true, false])
    await Promise.all(nodes.filter(({ isCoordinator }) => isCoordinator === of).map((node) => dropAt(urlAt(url, node, own), names)))
}
