import { Client } from 'pg'
import { CITUS_URL, citusDatabase, citusNodes, createCitusDatabase, dropCitusDatabases } from '../kit/index/citus.ts'
import { startReplicated } from '../kit/index/replicated.ts'

/* Where a service of a line has its index. */

export interface Base {
  readonly env: Readonly<Record<'DATABASE_URL', string> & Partial<Record<'DATABASE_READ_URL', string>>>
  /** Whether it has no snapshot of all its rows. */
  readonly isCluster: boolean
  close(): Promise<void>
}

const plain = async (): Promise<Base> => {
  const servers = await startReplicated(0)
  return { env: { DATABASE_URL: servers.primary.url }, isCluster: false, close: () => servers.close() }
}

const replica = async (): Promise<Base> => {
  const servers = await startReplicated(1)
  return {
    env: { DATABASE_URL: servers.primary.url, DATABASE_READ_URL: servers.standbys[0]!.url },
    isCluster: false,
    close: () => servers.close(),
  }
}

let cluster = 0
const citus = async (): Promise<Base> => {
  const url = CITUS_URL!
  const nodes = await citusNodes(url)
  const name = `tonway_torture_${process.pid}_${++cluster}`
  await createCitusDatabase(url, nodes, name)
  return {
    env: { DATABASE_URL: citusDatabase(url, name).connectionString! },
    isCluster: true,
    close: () => dropCitusDatabases(url, nodes, [name]),
  }
}

interface Kind {
  readonly what: string
  /** Why there is none here. */
  readonly missing?: string | undefined
  start(): Promise<Base>
}

export const BASES: Readonly<Record<'plain' | 'replica' | 'citus', Kind>> = {
  plain: { what: 'a plain PostgreSQL', start: plain },
  replica: { what: 'a replica', start: replica },
  citus: { what: 'a Citus cluster', start: citus, missing: CITUS_URL === undefined ? 'no TONWAY_TEST_CITUS_URL' : undefined },
}

/** The rows of one question to the database of a base. */
export const rowsOf = async <R>({ env }: Base, text: string): Promise<R[]> => {
  const client = new Client({ connectionString: env.DATABASE_URL })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end()
  }
}
