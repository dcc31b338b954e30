import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, Transform } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** The address of a cluster's node, at which what the coordinator says can be held back, or lost, at a given word. */
export interface NodeAddress {
  readonly port: number
  /** Holds back the next message that has this word, and what follows it on its connection. One at a time. */
  trap(word: string): Trap
  /** Ends its connections, and takes no more until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export interface Trap {
  /** Resolves when the message has come. */
  readonly caught: Promise<void>
  /** Lets it go on. */
  release(): void
}

const OPENSSL = 'openssl'

/** Citus speaks to its nodes in TLS, whose certificates it does not look at. */
const makeKey = (): { readonly key: Buffer; readonly cert: Buffer } => {
  const dir = mkdtempSync(join(tmpdir(), 'tonway-node-'))
  try {
    const [key, cert] = [join(dir, 'key'), join(dir, 'cert')]
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=node']
    execFileSync(OPENSSL, [...how, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** The message by which a client asks for TLS. */
const SSL_REQUEST = 80877103
const isSslRequest = (first: Buffer): boolean => first.length === 8 && first.readUInt32BE(4) === SSL_REQUEST

/** Starts one before the node at a port of this machine. */
export const startNodeAddress = async (node: number): Promise<NodeAddress> => {
  const secret = makeKey()
  const sockets = new Set<Socket>()
  let isCut = false
  let trapped: { readonly word: string; readonly caught: () => void; readonly released: Promise<void> } | undefined
  const watching = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        const trap = trapped
        if (trap === undefined || !chunk.includes(trap.word)) return done(null, chunk)
        trapped = undefined
        trap.caught()
        void trap.released.then(() => done(null, chunk))
      },
    })
  const meet = async (client: Socket): Promise<void> => {
    const upstream = createConnection({ host: '127.0.0.1', port: node })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    const [first] = (await once(client, 'data')) as [Buffer]
    client.pause()
    let plain: Duplex = client
    if (isSslRequest(first)) {
      client.write('S')
      plain = new TLSSocket(client, { isServer: true, ...secret })
      plain.on('error', () => {})
    } else client.unshift(first)
    plain.pipe(watching()).pipe(upstream)
    upstream.pipe(plain)
  }
  const server = createServer((client) => {
    if (isCut) client.destroy()
    else void meet(client).catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    trap(word) {
      const on = { caught: (): void => {}, released: (): void => {} }
      const caught = new Promise<void>((resolve) => {
        on.caught = resolve
      })
      const released = new Promise<void>((resolve) => {
        on.released = resolve
      })
      trapped = { word, caught: on.caught, released }
      return { caught, release: on.released }
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
