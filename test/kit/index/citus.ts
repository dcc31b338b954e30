import { Client, type ClientConfig } from 'pg'

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

interface CitusNode {
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

/** Makes a database with Citus on every node. */
export const createCitusDatabase = async (url: string, nodes: readonly CitusNode[], name: string): Promise<ClientConfig> => {
  const own = decodeURIComponent(new URL(url).pathname.slice(1))
  for (const node of nodes) await run(urlAt(url, node, own), [`create database ${name}`])
  for (const node of nodes) await run(urlAt(url, node, name), ['create extension citus'])
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator)!
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator)
  const connectionString = on(url, (each) => {
    each.pathname = `/${name}`
  })
  await run(connectionString, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
  return { connectionString }
}

/** Removes a database from every node. */
export const dropCitusDatabase = async (url: string, nodes: readonly CitusNode[], name: string): Promise<void> => {
  const own = decodeURIComponent(new URL(url).pathname.slice(1))
  for (const node of nodes) await run(urlAt(url, node, own), [`drop database if exists ${name} with (force)`])
}
