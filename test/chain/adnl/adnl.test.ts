import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { acceptAdnl } from '../../../server/chain/adnl/accept.ts'
import { createAuthentication } from '../../../server/chain/adnl/authenticate.ts'
import { type Channel, createChannel } from '../../../server/chain/adnl/channel.ts'
import { type ConnectOptions, connectAdnl } from '../../../server/chain/adnl/connect.ts'
import { AdnlError } from '../../../server/chain/adnl/error.ts'
import { type Ciphers, createHandshakeReader, greet, HANDSHAKE_LENGTH } from '../../../server/chain/adnl/handshake.ts'
import { type AdnlKey, createKey, keyFromSeed, sharedSecret } from '../../../server/chain/adnl/keys.ts'
import { decodeMessage, encodeMessage } from '../../../server/chain/adnl/messages.ts'
import { createPacketReader, sealPacket } from '../../../server/chain/adnl/packets.ts'
import { nodeIdShort } from '../../../server/tlb/config/validator-hash.ts'
import { createRandom, seed } from '../../kit/random.ts'
import { busy, countPerTurn, timeTurns } from '../../kit/turns.ts'
import { sleep, until } from '../../kit/wait.ts'

const random = createRandom(seed)
const noise = (length: number): Buffer => Buffer.from(random.bytes(length))

/** An Ed25519 signature with the key's seed, which PKCS #8 has behind a constant head. */
const signWith = ({ seed }: AdnlKey, data: Uint8Array): Buffer => {
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return sign(null, data, createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
}

/** Equal in value, whichever kind of array the bytes are in. */
const plain = (message: object | undefined): object =>
  Object.fromEntries(Object.entries(message ?? {}).map(([key, value]) => [key, value instanceof Uint8Array ? hex(value) : value]))
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** A server that hands packets to `answer`; what ended each connection is kept in `ends`. */
const serve = async (
  answer: (payload: Buffer, channel: Channel) => void,
  options: { maxPacket?: number; packetMs?: number; connectMs?: number } = {},
) => {
  const key = createKey()
  const door = createHandshakeReader(key)
  const ends: (Error | undefined)[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let channel: Channel | undefined
    acceptAdnl(socket, door, {
      maxPacket: options.maxPacket ?? 1 << 20,
      packetMs: options.packetMs ?? 10_000,
      connectMs: options.connectMs ?? 10_000,
      onReady: (ready) => {
        channel = ready
      },
      onPacket: (payload) => answer(payload, channel!),
      onClose: (reason) => ends.push(reason),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  const { port } = server.address() as AddressInfo
  return { key, port, ends, peer: { host: '127.0.0.1', port, key: key.publicKey } }
}

const dial = (peer: { host: string; port: number; key: Uint8Array }, options: Partial<ConnectOptions> = {}) => {
  const packets: Buffer[] = []
  const waiting: ((packet: Buffer) => void)[] = []
  let channel!: Channel
  const ready = new Promise<void>((resolve, reject) => {
    channel = connectAdnl(peer, {
      maxPacket: 1 << 24,
      packetMs: 10_000,
      connectMs: 10_000,
      onReady: resolve,
      onPacket: (payload) => {
        const next = waiting.shift()
        if (next) next(payload)
        else packets.push(payload)
      },
      onClose: (reason) => reject(reason ?? new Error('closed')),
      ...options,
    })
  })
  ready.catch(() => undefined)
  open.push(channel)
  const next = (): Promise<Buffer> => {
    const packet = packets.shift()
    return packet ? Promise.resolve(packet) : new Promise((resolve) => waiting.push(resolve))
  }
  return { channel, ready, next }
}

describe('keys', () => {
  it('handshakes that arrive in one turn of the event loop have turns of their own', async () => {
    const ends: unknown[] = []
    const readHandshake = (): never => {
      for (const began = performance.now(); performance.now() < began + 15; );
      throw new AdnlError('slow')
    }
    const sockets = Array.from({ length: 8 }, () => new PassThrough())
    for (const socket of sockets) {
      const options = { maxPacket: 1, packetMs: 1_000, connectMs: 10_000, onReady: () => {}, onPacket: () => {} }
      acceptAdnl(socket as unknown as Socket, readHandshake, { ...options, onClose: (reason) => ends.push(reason) })
    }
    for (const socket of sockets) socket.emit('data', Buffer.alloc(HANDSHAKE_LENGTH))
    // After all promises that are resolved, and before timers and connections.
    await new Promise((resolve) => process.nextTick(() => queueMicrotask(() => process.nextTick(resolve))))
    // The second one is taken before the first one has run.
    expect(ends.length).toBeLessThan(3)
    await until(() => ends.length === sockets.length)
  })

  it('the handshake of one client does not wait for those of another', async () => {
    const seen: number[] = []
    const sockets = Array.from({ length: 200 }, () => new PassThrough())
    for (const [i, socket] of sockets.entries()) {
      const readHandshake = (): never => {
        seen.push(i)
        throw new AdnlError('refused')
      }
      const client = i < sockets.length - 1 ? 'greedy' : 'other'
      const options = { maxPacket: 1, packetMs: 1_000, connectMs: 10_000, client, onReady: () => {}, onPacket: () => {}, onClose: () => {} }
      acceptAdnl(socket as unknown as Socket, readHandshake, options)
    }
    for (const socket of sockets) socket.emit('data', Buffer.alloc(HANDSHAKE_LENGTH))
    await until(() => seen.length === sockets.length)
    expect(seen.indexOf(sockets.length - 1)).toBeLessThan(10)
  })

  it('ADNL keys have the same ids as in the node', () => {
    // RFC 8032 keys; the id is sha256 over pub.ed25519 (c6b41348 on the wire) and the key.
    const key = keyFromSeed(Buffer.alloc(32, 7))
    expect(hex(key.publicKey)).toBe('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c')
    expect(hex(nodeIdShort(key.publicKey))).toBe('f75a574297c1721ec31e8e21e874c658b6b590a20cb24a2e94a098133a3020ff')
  })

  it('both sides of a key exchange get one secret', () => {
    const [a, b] = [createKey(), createKey()]
    expect(hex(sharedSecret(a, b.publicKey))).toBe(hex(sharedSecret(b, a.publicKey)))
  })

  it('keys of low order are refused', () => {
    const one = Buffer.alloc(32)
    one[0] = 1
    expect(() => sharedSecret(createKey(), one)).toThrow(AdnlError)
    expect(() => sharedSecret(createKey(), Buffer.alloc(32, 255))).not.toThrow(TypeError)
  })
})

describe('authentication', () => {
  const nonce = (length: number) => ({ type: 'authenticate', nonce: noise(length) }) as const
  const begin = () => {
    const authenticate = createAuthentication()
    const first = nonce(32)
    const answer = decodeMessage(authenticate(first) as Buffer)
    if (answer?.type !== 'nonce') throw new Error('no nonce')
    return { authenticate, signed: Buffer.concat([first.nonce, answer.nonce]) }
  }
  it('authentication accepts a signature over both nonces, once', async () => {
    const { authenticate, signed } = begin()
    const key = createKey()
    const complete = { type: 'complete', key: { key: key.publicKey }, signature: signWith(key, signed) } as const
    const read = decodeMessage(encodeMessage(complete))
    expect(read).toMatchObject({ type: 'complete' })
    expect(plain((read as typeof complete).key)).toEqual(plain(complete.key))
    await authenticate(complete)
    expect(() => authenticate(complete)).toThrow(AdnlError)
    expect(() => authenticate(nonce(32))).toThrow(/twice/)
  })
  it('authentication refuses other signatures and empty nonces', async () => {
    const { authenticate, signed } = begin()
    const key = createKey()
    const complete = { type: 'complete', key: { key: key.publicKey }, signature: signWith(createKey(), signed) } as const
    await expect(authenticate(complete)).rejects.toThrow(/does not hold/)
    for (const length of [0, 513]) expect(() => createAuthentication()(nonce(length))).toThrow(/a nonce has/)
  })
  it('signatures that come at once are checked in turns of their own', async () => {
    const key = createKey()
    const peers = Array.from({ length: 256 }, () => {
      const { authenticate, signed } = begin()
      return { authenticate, complete: { type: 'complete', key: { key: key.publicKey }, signature: signWith(key, signed) } as const }
    })
    const { longest, all } = await timeTurns(() => Promise.all(peers.map(({ authenticate, complete }) => authenticate(complete))))
    expect(longest).toBeLessThan(all / 2)
  })
})

describe('messages', () => {
  it('messages survive a round trip, padding included', () => {
    for (const length of [0, 1, 252, 253, 254, 255, 1_000]) {
      const message = { type: 'query', id: noise(32), data: noise(length) } as const
      expect(plain(decodeMessage(encodeMessage(message)))).toEqual(plain(message))
    }
    const ping = { type: 'ping', random: 2n ** 64n - 1n } as const
    expect(hex(encodeMessage(ping))).toBe('9a2b084dffffffffffffffff')
    expect(decodeMessage(encodeMessage({ ...ping, type: 'pong' }))).toEqual({ ...ping, type: 'pong' })
  })
})

describe('packets', () => {
  it('packets can be assembled from any pieces', () => {
    const payloads = [0, 1, 100, 5_000].map((length) => noise(length))
    const bytes = Buffer.concat(payloads.map((payload) => sealPacket(payload, noise(32))))
    for (const size of [1, 3, 68, 1_000, bytes.length]) {
      const got: string[] = []
      const reader = createPacketReader(10_000, (payload) => got.push(hex(payload)))
      for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size))
      expect(got).toEqual(payloads.map(hex))
      expect(reader.partial()).toBe(false)
    }
  })

  it('the last piece of a large packet takes no longer than others', () => {
    const bytes = sealPacket(Buffer.alloc(16 << 20, 7), noise(32))
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) => bytes.subarray(i * 65_536, (i + 1) * 65_536))
    /** The part of the time that the last piece takes. */
    const lastPart = (): number => {
      let got = 0
      const reader = createPacketReader(16 << 20, (payload) => {
        got = payload.length
      })
      const began = performance.now()
      for (const piece of pieces.slice(0, -1)) reader.feed(piece)
      const last = performance.now()
      reader.feed(pieces.at(-1)!)
      const end = performance.now()
      expect(got).toBe(16 << 20)
      return (end - last) / (end - began)
    }
    // The machine may be busy in one of them.
    expect(Math.min(...Array.from({ length: 5 }, lastPart))).toBeLessThan(1 / 4)
  })

  it('packets with a wrong hash, too short or too long are refused before they are whole', () => {
    const refuse = (bytes: Buffer, why: RegExp): void =>
      expect(() => createPacketReader(1_000, () => expect.unreachable()).feed(bytes)).toThrow(why)
    for (const at of [4, 36, 50, 80]) {
      const bytes = sealPacket(Buffer.alloc(32), Buffer.alloc(32))
      bytes[at] = bytes[at]! ^ 1
      refuse(bytes, /hash is wrong/)
    }
    for (const length of [0, 63, 1_065, 0x7fffffff, 0xffffffff]) {
      const head = Buffer.alloc(4)
      head.writeUInt32LE(length)
      refuse(head, /a packet of/)
    }
  })
})

describe('connections', () => {
  it('connections carry packets of all sizes both ways', async () => {
    const { peer } = await serve((payload, channel) => channel.send(payload))
    const { channel, ready, next } = dial(peer)
    await ready
    for (const length of [1, 64, 65_536, 1 << 20]) {
      const payload = noise(length)
      channel.send(payload)
      expect((await next()).equals(payload)).toBe(true)
    }
    const many = Array.from({ length: 500 }, (_, i) => Buffer.from(`packet ${i}`))
    for (const each of many) channel.send(each)
    for (const each of many) expect((await next()).equals(each)).toBe(true)
  })

  it('a connection to a server with another key fails', async () => {
    const { peer, ends } = await serve(() => expect.unreachable())
    await expect(dial({ ...peer, key: createKey().publicKey }).ready).rejects.toThrow(/handshake|ECONNRESET/)
    expect(ends[0]?.message).toMatch(/another key/)
  })

  it('a connection to a server that sends nothing, or garbage, ends', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    const noisy = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(noise(4_096))
    }).listen(0, '127.0.0.1')
    await Promise.all([once(silent, 'listening'), once(noisy, 'listening')])
    open.push(silent, noisy)
    const peer = (server: Server) => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, key: createKey().publicKey })
    await expect(dial(peer(silent), { connectMs: 50 }).ready).rejects.toThrow(/no answer to the handshake/)
    // The noise is decrypted by a new key, so its first four bytes can be any length, also one that is allowed.
    await expect(dial(peer(noisy), { maxPacket: 1_000, packetMs: 50 }).ready).rejects.toThrow(
      /a packet of|hash is wrong|was not complete within/,
    )
  })

  it('connections with half a handshake, a changed or a replayed one are ended by the server', async () => {
    const { peer, ends, key } = await serve(() => expect.unreachable(), { connectMs: 100 })
    const raw = async (bytes: Uint8Array): Promise<void> => {
      const socket = connect(peer.port, peer.host)
      socket.on('error', () => undefined)
      socket.write(bytes)
      socket.resume()
      await once(socket, 'close')
    }
    await raw(greet(key.publicKey).packet.subarray(0, HANDSHAKE_LENGTH - 1))
    expect(ends.at(-1)?.message).toMatch(/no handshake/)
    for (const [at, why] of [
      [0, /another key/],
      [40, /hash is wrong|low order/],
      [70, /hash is wrong/],
      [200, /hash is wrong/],
    ] as const) {
      const { packet } = greet(key.publicKey)
      packet[at] = packet[at]! ^ 1
      await raw(packet)
      expect(ends.at(-1)?.message).toMatch(why)
    }
    const { packet } = greet(key.publicKey)
    const first = connect(peer.port, peer.host)
    first.write(packet)
    await once(first, 'data')
    await raw(packet)
    expect(ends.at(-1)?.message).toMatch(/used before/)
    first.destroy()
  })

  it('connections with a packet too long, sent twice or never ending are ended by the server', async () => {
    const { peer, ends } = await serve((payload, channel) => channel.send(payload), { maxPacket: 1_000, packetMs: 50 })
    const { channel, ready } = dial(peer)
    await ready
    channel.send(Buffer.alloc(1_001))
    await until(() => ends.length === 1)
    expect(ends[0]?.message).toMatch(/a packet of/)

    const raw = async (make: (seal: (payload: Buffer) => Buffer) => Buffer[]): Promise<void> => {
      const { packet, ciphers } = greet(peer.key)
      const socket = connect(peer.port, peer.host)
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(packet)
      for (const bytes of make((payload) => ciphers.send.update(sealPacket(payload, noise(32))))) socket.write(bytes)
      await once(socket, 'close')
    }
    await raw((seal) => {
      const bytes = seal(Buffer.from('once'))
      return [bytes, bytes]
    })
    expect(ends[1]?.message).toMatch(/a packet of|hash is wrong/)
    await raw((seal) => [seal(Buffer.alloc(500)).subarray(0, 300)])
    expect(ends[2]?.message).toMatch(/was not complete within/)
  })

  /** Connections without a channel: what is sent over one arrives in one piece. `sealed` encrypts packets of these lengths. */
  const greeted = (count: number, peer: { readonly port: number; readonly key: Uint8Array }) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { packet, ciphers } = greet(peer.key)
        const socket = connect(peer.port, '127.0.0.1')
        open.push({ close: () => void socket.destroy() })
        socket.write(packet)
        await once(socket, 'data')
        const sealed = (...lengths: number[]): Buffer =>
          ciphers.send.update(Buffer.concat(lengths.map((length) => sealPacket(noise(length), noise(32)))))
        return { socket, sealed }
      }),
    )

  it('packets that arrive at once on many connections are read in several turns', async () => {
    const perTurn = countPerTurn()
    const PACKETS = 300
    const { peer } = await serve((payload) => {
      if (payload.length === 8) perTurn.see()
    })
    const peers = await greeted(40, peer)
    for (const { socket, sealed } of peers) socket.write(sealed(...new Array<number>(PACKETS).fill(8)))
    await until(() => perTurn.all() === peers.length * PACKETS)
    // What one connection sent at once may exceed the bytes of a turn.
    expect(perTurn.most()).toBeLessThan(4 * PACKETS)
  })

  it('a connection that uses up each turn does not keep others from being read', async () => {
    const CHUNKS = 100
    const flood = Buffer.concat(Array.from({ length: 600 }, () => sealPacket(noise(8), noise(32))))
    let [chunks, others, chunksBefore] = [0, 0, 0]
    const plainCiphers = { receive: { update: (bytes: Buffer) => bytes } } as unknown as Ciphers
    const listen = (read: (this: Readable) => void, onPacket = (): void => {}): void => {
      const options = { maxPacket: 8, packetMs: 10_000, onPacket, onClose: () => {} }
      open.push(createChannel(new Readable({ read }) as unknown as Socket, plainCiphers, options))
    }
    listen(function () {
      this.push(++chunks < CHUNKS ? flood : null)
    })
    for (let i = 0; i < 20; i++)
      listen(
        function () {
          this.push(sealPacket(noise(8), noise(32)))
          this.push(null)
        },
        () => {
          if (++others === 20) chunksBefore = chunks
        },
      )
    await until(() => others === 20 && chunks === CHUNKS)
    expect(chunksBefore).toBeLessThan(CHUNKS / 10)
  })

  it('the packets of one client do not delay those of others, nor those of the service itself', async () => {
    const FLOODS = 50
    const flood = Buffer.concat(Array.from({ length: 600 }, () => sealPacket(noise(8), noise(32))))
    const plainCiphers = { receive: { update: (bytes: Buffer) => bytes } } as unknown as Ciphers
    const listen = (client: string, bytes: Buffer, onPacket: () => void): void => {
      const socket = new PassThrough()
      socket.end(bytes)
      open.push(
        createChannel(socket as unknown as Socket, plainCiphers, { client, maxPacket: 8, packetMs: 10_000, onPacket, onClose: () => {} }),
      )
    }
    let flooded = 0
    for (let i = 0; i < FLOODS; i++) listen('many', flood, () => flooded++)
    const before = ['other', ''].map(
      (client) => new Promise<number>((resolve) => listen(client, sealPacket(noise(8), noise(32)), () => resolve(flooded / 600))),
    )
    await until(() => flooded === FLOODS * 600)
    const [other, own] = await Promise.all(before)
    expect(other).toBeLessThan(5)
    expect(own).toBeLessThan(2)
  })

  it('the time for which the data of a packet waits for a turn does not count for the timeout of the packet', async () => {
    const lengths: number[] = []
    const { peer, ends } = await serve(
      (payload) => {
        if (payload.length === 9) busy(250)
        if (payload.length > 8) lengths.push(payload.length)
      },
      { packetMs: 600 },
    )
    const [slow, ...greedy] = await greeted(6, peer)
    const packet = slow!.sealed(500)
    slow!.socket.write(packet.subarray(0, 300))
    await sleep(50)
    for (const { socket, sealed } of greedy) socket.write(sealed(9, ...new Array<number>(600).fill(8)))
    slow!.socket.write(packet.subarray(300))
    await until(() => lengths.length === 6 || ends.length > 0)
    expect([ends, lengths.length]).toEqual([[], 6])
  })

  it('the time in which nothing is read does not count for the timeout of a packet', async () => {
    const packets: Buffer[] = []
    let accepted: Channel | undefined
    const answer = (payload: Buffer, channel: Channel): void => {
      packets.push(payload)
      accepted = channel
      channel.pause()
    }
    const { peer, ends } = await serve(answer, { packetMs: 100 })
    const { packet, ciphers } = greet(peer.key)
    const socket = connect(peer.port, peer.host)
    socket.on('error', () => undefined).resume()
    const seal = (length: number): Buffer => ciphers.send.update(sealPacket(noise(length), noise(32)))
    const [first, second] = [seal(10), seal(500)]
    socket.write(Buffer.concat([packet, first, second.subarray(0, 300)]))
    await until(() => packets.length === 1)
    await sleep(200)
    socket.write(second.subarray(300))
    await sleep(20)
    expect([packets.length, ends]).toEqual([1, []])
    accepted!.resume()
    await until(() => packets.length === 2)
    accepted!.resume()
    socket.write(seal(500).subarray(0, 300))
    await until(() => ends.length === 1)
    expect(ends[0]?.message).toMatch(/was not complete within/)
    socket.destroy()
  })
})
