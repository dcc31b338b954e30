import type { AddressInfo } from 'node:net'
import { createConnection, createServer, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'

/* A proxy to a PostgreSQL that can go silent: sockets stay open, but no data passes. */

export interface SilentProxy {
  /** The database through the proxy. */
  readonly connection: ClientConfig
  /** Blocks data on all current connections; with `all`, on new ones too. */
  silence(which?: 'all'): void
  /** New connections work again. */
  restore(): void
  close(): Promise<void>
}

const targetOf = ({
  connectionString,
  host = 'localhost',
  port = 5432,
}: ClientConfig): { path: string } | { host: string; port: number } => {
  if (connectionString !== undefined) {
    const url = new URL(connectionString)
    return { host: url.hostname, port: Number(url.port || 5432) }
  }
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

const through = (connection: ClientConfig, port: number): ClientConfig => {
  if (connection.connectionString === undefined) return { ...connection, host: '127.0.0.1', port }
  const url = new URL(connection.connectionString)
  url.host = `127.0.0.1:${port}`
  return { connectionString: url.href }
}

export const startSilentProxy = async (connection: ClientConfig): Promise<SilentProxy> => {
  const sockets = new Set<Socket>()
  const deaf = new Set<Socket>()
  let isSilent = false
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from)
    if (isSilent) deaf.add(from)
    from.on('error', () => {})
    from.on('data', (data) => {
      if (!deaf.has(from)) to.write(data)
    })
    from.on('close', () => {
      // The close of one side of a silent connection is not passed to the other.
      if (!deaf.has(from)) to.destroy()
      sockets.delete(from)
    })
  }
  const server = createServer((client) => {
    const upstream = createConnection(targetOf(connection))
    join(client, upstream)
    join(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    connection: through(connection, (server.address() as AddressInfo).port),
    silence(which) {
      for (const socket of sockets) deaf.add(socket)
      isSilent = which === 'all'
    },
    restore() {
      isSilent = false
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
