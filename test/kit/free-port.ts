import { once } from 'node:events'
import { createServer } from 'node:net'

/** Listens on a TCP port of loopback, and stops. Resolves with the port; rejects if it is taken. */
const probe = async (port: number): Promise<number> => {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: found } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return found
}

/** A TCP port of loopback that nobody listens on now. */
export const freePort = (): Promise<number> => probe(0)

/** The first of several such ports in a row. */
export const freePorts = async (count: number): Promise<number> => {
  for (;;) {
    const first = await probe(0)
    try {
      for (let i = 1; i < count; i++) await probe(first + i)
      return first
    } catch {
      // One of them is taken.
    }
  }
}
