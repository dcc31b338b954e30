import { createConnection, createServer, type Socket } from 'node:net'

/** An address that leads to one server now and to another one after a failover, as operators have it in front of their primary. */
export interface Address {
  readonly port: number
  /** From now on new connections go to this port. */
  lead(to: number): void
  /** Ends its connections, and takes no more until it leads somewhere again. */
  cut(): void
  close(): Promise<void>
}

/** Starts one that leads to a port. */
export const startAddress = async (first: number): Promise<Address> => {
  let target: number | undefined = first
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (target === undefined) return void client.destroy()
    const upstream = createConnection({ host: '127.0.0.1', port: target })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    lead(to: number): void {
      target = to
    },
    cut() {
      target = undefined
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
