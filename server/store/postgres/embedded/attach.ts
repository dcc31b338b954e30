import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { clusterProcess } from './postmaster.ts'
import { connectionOf } from './server.ts'

/**
 * Connection to the embedded PostgreSQL that another process (a running service) has in this data directory; undefined if none runs.
 * startEmbedded would end that server.
 */
export const attachEmbedded = (dataDir: string): ClientConfig | undefined => {
  const path = join(resolve(dataDir), 'postgres')
  const cluster = join(path, 'cluster')
  if (clusterProcess(cluster) === undefined) return undefined
  // The fifth line is the socket's directory. It is elsewhere if the data directory's path is long.
  const socket = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4]
  if (!socket) return undefined
  return connectionOf({ socket, password: readFileSync(join(path, 'password'), 'utf8') })
}
