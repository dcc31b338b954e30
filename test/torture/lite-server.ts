import { type Cipher, createCipheriv, createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { createRandom, seed } from '../kit/random.ts'

/* A lite-server of the tests' own, and a client of one: ADNL over TCP, and as much of TL as a liar needs. Nothing of it is the service's. */

const random = createRandom(seed)
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const ctr = (key: Uint8Array, counter: Uint8Array): Cipher => createCipheriv('aes-256-ctr', key, counter)

/** Number of a line of a TL schema, which is written without parentheses. */
export const idOf = (line: string): Buffer => {
  const id = Buffer.alloc(4)
  id.writeUInt32LE(crc32(line))
  return id
}
const QUERY = idOf('adnl.message.query query_id:int256 query:bytes = adnl.Message')
const ANSWER = idOf('adnl.message.answer query_id:int256 answer:bytes = adnl.Message')
const PING = idOf('tcp.ping random_id:long = tcp.Pong')
const PONG = idOf('tcp.pong random_id:long = tcp.Pong')
const LITE_QUERY = idOf('liteServer.query data:bytes = Object')
const WAIT = idOf('liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object')
const KEY = idOf('pub.ed25519 key:int256 = PublicKey')

/** Bytes of TL: their length, the bytes, and zeros up to a multiple of four. */
export const tlBytes = (bytes: Uint8Array): Buffer => {
  const head =
    bytes.length < 254 ? Buffer.of(bytes.length) : Buffer.of(254, bytes.length & 255, (bytes.length >> 8) & 255, bytes.length >> 16)
  return Buffer.concat([head, bytes, Buffer.alloc(-(head.length + bytes.length) & 3)])
}

export const tlInt = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value | 0)
  return bytes
}

/** Where bytes of TL begin and end, and what follows them. */
export const spanAt = (data: Buffer, at: number): { readonly from: number; readonly to: number; readonly next: number } => {
  const isLong = data[at] === 254
  const from = at + (isLong ? 4 : 1)
  const to = from + (isLong ? data.readUIntLE(at + 1, 3) : data[at]!)
  return { from, to, next: to + (-(to - at) & 3) }
}

/** Functions that the tests lie about. */
const FUNCTIONS = {
  sendMessage: idOf('liteServer.sendMessage body:bytes = liteServer.SendMsgStatus'),
  getMasterchainInfo: idOf('liteServer.getMasterchainInfo = liteServer.MasterchainInfo'),
  getAccountState: idOf('liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState'),
  getBlockHeader: idOf('liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader'),
  getBlockProof: idOf(
    'liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof',
  ),
  lookupBlockWithProof: idOf(
    'liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult',
  ),
  getAllShardsInfo: idOf('liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo'),
} as const
export type FunctionName = keyof typeof FUNCTIONS
const NAMES = Object.keys(FUNCTIONS) as readonly FunctionName[]

/** A query to a lite-server. */
interface LiteQuery {
  /** The function that it asks for; undefined: none of those above. */
  readonly name: FunctionName | undefined
  /** The same query without the wish to wait for a block. */
  readonly plain: Buffer
  /** Seqno of the block that it is to wait for. */
  readonly after: number | undefined
}

const readQuery = (query: Buffer): LiteQuery => {
  const { from, to } = spanAt(query, 4)
  const inner = query.subarray(from, to)
  const waits = inner.subarray(0, 4).equals(WAIT)
  const call = waits ? inner.subarray(12) : inner
  return {
    name: NAMES.find((each) => FUNCTIONS[each].equals(call.subarray(0, 4))),
    plain: Buffer.concat([LITE_QUERY, tlBytes(call)]),
    after: waits ? inner.readInt32LE(4) : undefined,
  }
}

/** An error of a lite-server. */
export const tlError = (code: number, message: string): Buffer =>
  Buffer.concat([idOf('liteServer.error code:int message:string = liteServer.Error'), tlInt(code), tlBytes(Buffer.from(message))])

interface Packets {
  send(payload: Uint8Array): void
}

/** The packets of a connection after its handshake: length, 32 random bytes, payload, hash. */
const packetsOf = (
  socket: Socket,
  ciphers: { readonly receive: Cipher; readonly send: Cipher },
  onPacket: (payload: Buffer) => void,
): Packets => {
  let held: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, ciphers.receive.update(chunk)])
    while (held.length >= 4 && held.length >= 4 + held.readUInt32LE(0)) {
      const end = 4 + held.readUInt32LE(0)
      const payload = held.subarray(36, end - 32)
      held = held.subarray(end)
      onPacket(payload)
    }
  })
  return {
    send(payload) {
      const body = Buffer.concat([random.bytes(32), payload])
      const packet = Buffer.concat([tlInt(body.length + 32), body, sha256(body)])
      if (!socket.destroyed) socket.write(ciphers.send.update(packet))
    },
  }
}

const PARAMETERS = 160
const HANDSHAKE = 96 + PARAMETERS

/** The two streams that the parameters of a handshake name: of the server's packets, and of the client's. */
const streamsOf = (parameters: Buffer): { readonly server: Cipher; readonly client: Cipher } => ({
  server: ctr(parameters.subarray(0, 32), parameters.subarray(64, 80)),
  client: ctr(parameters.subarray(32, 64), parameters.subarray(80, 96)),
})

/** What hides the parameters, of the secret that the keys of both sides have in common. */
const parameterCipher = (own: Uint8Array, other: Uint8Array, hash: Buffer): Cipher => {
  const secret = Buffer.from(x25519.getSharedSecret(ed25519.utils.toMontgomerySecret(own), ed25519.utils.toMontgomery(other)))
  return ctr(Buffer.concat([secret.subarray(0, 16), hash.subarray(16, 32)]), Buffer.concat([hash.subarray(0, 4), secret.subarray(20, 32)]))
}

export interface LiteServer {
  readonly port: number
  /** Its public key in base64. */
  readonly key: string
  close(): Promise<void>
}

/** Answers a query; undefined: not at all. `hangUp` closes the connection that it came by. */
type Answer = (query: LiteQuery, hangUp: () => void) => Promise<Buffer | undefined> | Buffer | undefined

/** Serves over ADNL on a free port of loopback. */
export const serveLite = async (answer: Answer): Promise<LiteServer> => {
  const own = random.bytes(32)
  const key = ed25519.getPublicKey(own)
  const sockets = new Set<Socket>()
  const serve = (socket: Socket, handshake: Buffer): void => {
    const hash = handshake.subarray(64, 96)
    const parameters = parameterCipher(own, handshake.subarray(32, 64), hash).update(handshake.subarray(96))
    if (!sha256(parameters).equals(hash)) return void socket.destroy()
    const { server, client } = streamsOf(parameters)
    const packets = packetsOf(socket, { receive: client, send: server }, (payload) => {
      const kind = payload.subarray(0, 4)
      if (kind.equals(PING)) packets.send(Buffer.concat([PONG, payload.subarray(4)]))
      if (!kind.equals(QUERY)) return
      const { from, to } = spanAt(payload, 36)
      const told = Promise.resolve(answer(readQuery(payload.subarray(from, to)), () => void socket.destroy()))
      void told.then((data) => {
        if (data !== undefined) packets.send(Buffer.concat([ANSWER, payload.subarray(4, 36), tlBytes(data)]))
      })
    })
    packets.send(Buffer.alloc(0))
  }
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    let begun: Buffer = Buffer.alloc(0)
    const greet = (chunk: Buffer): void => {
      begun = Buffer.concat([begun, chunk])
      if (begun.length < HANDSHAKE) return
      socket.off('data', greet)
      serve(socket, begun.subarray(0, HANDSHAKE))
      if (begun.length > HANDSHAKE) socket.unshift(begun.subarray(HANDSHAKE))
    }
    socket.on('data', greet)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    key: Buffer.from(key).toString('base64'),
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

export interface LiteClient {
  /** The answer to a query, as bytes. */
  ask(query: Buffer): Promise<Buffer>
  close(): void
}

/** Connects to a lite-server. */
export const dialLite = async (port: number, key: string): Promise<LiteClient> => {
  const other = Buffer.from(key, 'base64')
  const own = random.bytes(32)
  const parameters = Buffer.from(random.bytes(PARAMETERS))
  const hash = sha256(parameters)
  const sealed = parameterCipher(own, other, hash).update(parameters)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  const waiting = new Map<string, (answer: Buffer) => void>()
  const { server, client } = streamsOf(parameters)
  const packets = packetsOf(socket, { receive: server, send: client }, (payload) => {
    if (!payload.subarray(0, 4).equals(ANSWER)) return
    const id = payload.toString('hex', 4, 36)
    const { from, to } = spanAt(payload, 36)
    waiting.get(id)?.(payload.subarray(from, to))
    waiting.delete(id)
  })
  socket.write(Buffer.concat([sha256(KEY, other), ed25519.getPublicKey(own), hash, sealed]))
  return {
    ask: (query) =>
      new Promise((resolve) => {
        const id = Buffer.from(random.bytes(32))
        waiting.set(id.toString('hex'), resolve)
        packets.send(Buffer.concat([QUERY, id, tlBytes(query)]))
      }),
    close: () => void socket.destroy(),
  }
}
