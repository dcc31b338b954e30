import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parseBoc, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import { acceptAdnl } from '../../../server/chain/adnl/accept.ts'
import type { Channel } from '../../../server/chain/adnl/channel.ts'
import { createHandshakeReader } from '../../../server/chain/adnl/handshake.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { decodeMessage, encodeMessage } from '../../../server/chain/adnl/messages.ts'
import { type LiteFunction, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import { createLiteTl, type LiteQuery } from '../../../server/chain/tl/lite-queries.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { createRandom, seed } from '../../kit/random.ts'

const random = createRandom(seed)
const noise = (length: number): Buffer => Buffer.from(random.bytes(length))

/*
 * Lite-servers that lie: what they answer of the chain, and how they send it. Each is honest until it is told to begin, so that it is known and trusted
 * by then; about heads it stays honest, unless that is what it lies about (pool.slow.test.ts).
 */

const { signal } = new AbortController()
const tl = createLiteTl()

/** The answer as a record of any function. */
type Answer = Record<string, unknown>
interface Asked {
  readonly query: LiteQuery
  readonly honest: (args: object) => Promise<Answer>
  /** A masterchain block before the one asked about. */
  readonly older: BlockId
}
/** What is said in place of the honest answer; undefined: that itself. */
type Lie = (answer: Answer, asked: Asked) => Promise<Answer | undefined> | Answer | undefined

interface Sent {
  readonly channel: Channel
  readonly socket: Socket
  readonly id: Uint8Array
  readonly answer: Buffer
  /** Of all its answers since it began. */
  readonly count: number
}
type Breach = (sent: Sent) => void

const mapBytes = (value: unknown, change: (bytes: Uint8Array) => Uint8Array): unknown => {
  // Hashes and ids have 32 bytes; what is longer is a proof or data.
  if (value instanceof Uint8Array) return value.length > 32 ? change(value) : value
  if (Array.isArray(value)) return value.map((each) => mapBytes(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapBytes(member, change)]))
}
const inBytes =
  (change: (bytes: Uint8Array) => Uint8Array): Lie =>
  (answer) =>
    mapBytes(answer, change) as Answer
const inRoots = (change: (roots: readonly Cell[]) => readonly Cell[] | undefined): Lie =>
  inBytes((bytes) => {
    try {
      const changed = change(parseBoc(bytes))
      return changed === undefined ? bytes : serializeBoc(changed, { crc32c: false })
    } catch {
      return bytes
    }
  })
const flip = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  copy[at] = copy[at]! ^ 1
  return copy
}
const inIds = (change: (id: BlockId) => BlockId): Lie => {
  const walk = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (Array.isArray(value)) return value.map(walk)
    if ('rootHash' in value && 'seqno' in value) return change(value as BlockId)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return (answer) => walk(answer) as Answer
}
const inLists = (change: (rows: readonly unknown[]) => readonly unknown[]): Lie => {
  const rowsOf = (bytes: unknown): unknown => {
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) return bytes
    const rows = change(parseBoc(bytes)) as Cell[]
    return rows.length === 0 ? new Uint8Array(0) : serializeBoc(rows, { crc32c: false })
  }
  return (answer) => ({
    ...answer,
    ...(Array.isArray(answer['ids']) && { ids: change(answer['ids']) }),
    ...(Array.isArray(answer['result']) && { result: change(answer['result']) }),
    ...('transactions' in answer && { transactions: rowsOf(answer['transactions']) }),
  })
}
const elsewhere =
  (change: (args: Answer, asked: Asked) => object | undefined, rename = false): Lie =>
  async (answer, asked) => {
    const args = change(asked.query.args as Answer, asked)
    if (args === undefined) return undefined
    const other = await asked.honest({ ...asked.query.args, ...args })
    return rename
      ? { ...other, ...('id' in answer && { id: answer['id'] }), ...('shardBlock' in answer && { shardBlock: answer['shardBlock'] }) }
      : other
  }
/** One block earlier: in `id`, or in `mcBlockId` of a lookup. */
const earlier = (args: Answer, { older }: Asked): object | undefined => {
  const of = (id: unknown): boolean => typeof id === 'object' && id !== null && 'rootHash' in id && (id as BlockId).workchain === -1
  if (of(args['id'])) return { id: older }
  return of(args['mcBlockId']) ? { mcBlockId: older } : undefined
}
const refusal =
  (code: number, text: string): Lie =>
  () => {
    throw new LiteServerError(code, text)
  }
/** A pruned branch of a cell: pruned_branch#01 level hash depth. */
const prune = (cell: Cell): Cell => beginCell().storeUint(0x0101, 16).storeBytes(cell.hash(0)).storeUint(cell.depth(0), 16).endExotic()
const proofOf = (child: Cell, depth: number): Cell =>
  beginCell().storeUint(3, 8).storeBytes(child.hash(0)).storeUint(depth, 16).storeRef(child).endExotic()

export const LIES: Readonly<Record<string, Lie>> = {
  'names another seqno': inIds((id) => ({ ...id, seqno: id.seqno + 1 })),
  'names another root hash': inIds((id) => ({ ...id, rootHash: flip(id.rootHash, 7) })),
  'names another file hash': inIds((id) => ({ ...id, fileHash: flip(id.fileHash, 31) })),
  'names another shard': inIds((id) => ({ ...id, shard: id.shard >> 1n })),
  'names another workchain': inIds((id) => ({ ...id, workchain: id.workchain + 1 })),
  'answers for an older block': elsewhere(earlier),
  'answers for an older block under the name of the one asked for': elsewhere(earlier, true),
  'answers for another account': elsewhere(({ account }) => {
    if (account === undefined) return undefined
    const { workchain, hash } = account as { workchain: number; hash: Uint8Array }
    return { account: { workchain, hash: flip(hash, 31) } }
  }),
  'answers for the same account in the masterchain': elsewhere(({ account }) =>
    account ? { account: { ...account, workchain: -1 } } : undefined,
  ),
  'answers for another seqno': elsewhere(({ id }) =>
    id !== null && typeof id === 'object' && !('rootHash' in id) ? { id: { ...id, seqno: (id as BlockId).seqno + 1 } } : undefined,
  ),
  'flips a bit in the middle of what it sends': inBytes((bytes) => flip(bytes, bytes.length >> 1)),
  'flips the last bit of what it sends': inBytes((bytes) => flip(bytes, bytes.length - 1)),
  'flips a bit of the magic': inBytes((bytes) => flip(bytes, 0)),
  'sends half': inBytes((bytes) => bytes.subarray(0, bytes.length >> 1)),
  'sends nothing': inBytes(() => new Uint8Array(0)),
  'sends zeros': inBytes((bytes) => new Uint8Array(bytes.length)),
  'sends noise': inBytes((bytes) => noise(bytes.length)),
  'sends a tail': inBytes((bytes) => Buffer.concat([bytes, Buffer.alloc(8)])),
  'prunes all': inRoots((roots) => roots.map(prune)),
  'prunes what is proven': inRoots((roots) =>
    roots.map((root) => (root.type === 'merkle-proof' ? proofOf(prune(root.ref(0)), root.ref(0).depth(0)) : root)),
  ),
  'takes away the proof around the tree': inRoots((roots) => roots.map((root) => (root.type === 'merkle-proof' ? openProof(root) : root))),
  'puts a proof around the proof': inRoots((roots) => roots.map((root) => proofOf(root, root.depth(0)))),
  'sends every root twice': inRoots((roots) => [...roots, ...roots]),
  'leaves out the last root': inRoots((roots) => (roots.length > 1 ? roots.slice(0, -1) : undefined)),
  'leaves out the first root': inRoots((roots) => (roots.length > 1 ? roots.slice(1) : undefined)),
  'turns the roots round': inRoots((roots) => (roots.length > 1 ? [...roots].reverse() : undefined)),
  'denies what is there': (answer) => ('state' in answer ? { ...answer, state: new Uint8Array(0) } : undefined),
  'denies it with the proof': (answer) =>
    'state' in answer ? { ...answer, state: new Uint8Array(0), proof: new Uint8Array(0) } : undefined,
  'tells of no shard': (answer) => ('data' in answer ? { ...answer, data: serializeBoc(beginCell().storeBit(0).end()) } : undefined),
  'omits a row': inLists((rows) => rows.filter((_, i) => i !== rows.length >> 1)),
  'omits the first row': inLists((rows) => rows.slice(1)),
  'omits all rows': inLists(() => []),
  'turns the rows round': inLists((rows) => [...rows].reverse()),
  'repeats a row': inLists((rows) => (rows.length > 0 ? [rows[0], ...rows] : rows)),
  'repeats all rows': inLists((rows) => [...rows, ...rows]),
  'says the opposite of complete': (answer) =>
    'incomplete' in answer
      ? { ...answer, incomplete: !answer['incomplete'] }
      : 'complete' in answer
        ? { ...answer, complete: !answer['complete'] }
        : undefined,
  'does not have it': refusal(651, 'block is not in db'),
  'has too much to do': refusal(652, 'timeout'),
}

const reply = (id: Uint8Array, data: Uint8Array): Buffer => encodeMessage({ type: 'answer', id, data })
const sealing = (socket: Socket, send: (write: Socket['write'], data: Buffer) => void): void => {
  const { write } = socket
  socket.write = ((data: Buffer) => {
    send(write.bind(socket) as Socket['write'], data)
    return true
  }) as typeof write
}

export const BREACHES: Readonly<Record<string, Breach>> = {
  'hangs up': ({ socket }) => socket.destroy(),
  'ends the connection': ({ socket }) => socket.end(),
  'hangs up on every third answer': ({ socket, channel, id, answer, count }) =>
    count % 3 === 0 ? socket.destroy() : channel.send(reply(id, answer)),
  'answers another query': ({ channel, answer }) => channel.send(reply(noise(32), answer)),
  'answers twice': ({ channel, id, answer }) => {
    channel.send(reply(id, answer))
    channel.send(reply(id, answer))
  },
  'sends bytes that are no packet': ({ socket }) => socket.write(noise(1_000)),
  'promises a packet of two gigabytes': ({ socket }) => socket.write(Buffer.from('ffffff7f', 'hex')),
  'sends a packet with a wrong checksum': ({ socket, channel, id, answer }) => {
    sealing(socket, (write, data) => write(flip(data, data.length - 1)))
    channel.send(reply(id, answer))
  },
  'sends a packet twice': ({ socket, channel, id, answer }) => {
    sealing(socket, (write, data) => {
      write(data)
      write(data)
    })
    channel.send(reply(id, answer))
  },
  'sends an empty answer': ({ channel, id }) => channel.send(reply(id, Buffer.alloc(0))),
  'sends a cut answer': ({ channel, id, answer }) => channel.send(reply(id, answer.subarray(0, answer.length - 4))),
  'sends an answer with a tail': ({ channel, id, answer }) => channel.send(reply(id, Buffer.concat([answer, Buffer.alloc(4)]))),
  'sends the answer to another function': ({ channel, id }) =>
    channel.send(reply(id, tl.decodeQuery(tl.encodeQuery('getTime', {})).encodeAnswer({ now: 1 }))),
  'sends bytes that reach past the end': ({ channel, id, answer }) => {
    const long = Buffer.from(answer)
    // Wherever it falls: a length, a hash, a proof.
    long.fill(0xfe, Math.max(4, long.length - 8))
    channel.send(reply(id, long))
  },
  'sends ten thousand empty packets first': ({ channel, id, answer }) => {
    for (let i = 0; i < 10_000; i += 1) channel.send(Buffer.alloc(0))
    channel.send(reply(id, answer))
  },
  'sends a message that is no answer': ({ channel }) => channel.send(Buffer.from('garbage of another kind')),
  'asks instead of answering': ({ channel, id, answer }) => channel.send(encodeMessage({ type: 'query', id, data: answer })),
  'sends an error that is none': ({ channel, id }) => channel.send(reply(id, Buffer.from('48e1a9bb8b020000', 'hex'))),
}

/** Those that cost: the time of an attempt, or work. */
export const SILENCES: Readonly<Record<string, Breach>> = {
  'says nothing': () => undefined,
  'sends sixteen megabytes': ({ channel, id }) => channel.send(reply(id, Buffer.alloc(0xfffff0))),
  'answers too late': ({ channel, id, answer }) => void setTimeout(() => channel.send(reply(id, answer)), 5_000).unref(),
  'begins a packet and waits': ({ socket, channel, id, answer }) => {
    sealing(socket, (write, data) => write(data.subarray(0, data.length >> 1)))
    channel.send(reply(id, answer))
  },
  'sends one byte after another': ({ socket, channel, id, answer }) => {
    sealing(socket, (write, data) => {
      let at = 0
      const timer = setInterval(() => {
        if (socket.destroyed || at === data.length) clearInterval(timer)
        else write(data.subarray(at, ++at))
      }, 20)
    })
    channel.send(reply(id, answer))
  },
}

export interface Liar {
  readonly port: number
  readonly publicKey: Uint8Array
  begin(): void
  close(): void
}

const ABOUT_HEADS: readonly LiteFunction[] = ['getMasterchainInfo', 'lookupBlock']

/** A lite-server over a chain that breaks its word, by a lie or by a breach of the transport, from `begin` on. */
export const openLiar = async (source: LiteServer, older: BlockId, { lie, breach }: { lie?: Lie; breach?: Breach }): Promise<Liar> => {
  const key = createKey()
  const door = createHandshakeReader(key)
  const sockets = new Set<Socket>()
  let begun = false
  let count = 0
  const tell = async (query: LiteQuery): Promise<Buffer> => {
    const honest = (args: object) => source.query(query.fn, args as never, signal) as unknown as Promise<Answer>
    try {
      const answer = await honest(query.args)
      if (!begun || lie === undefined || ABOUT_HEADS.includes(query.fn)) return query.encodeAnswer(answer as never)
      return query.encodeAnswer(((await lie(answer, { query, honest, older })) ?? answer) as never)
    } catch (error) {
      return tl.encodeError(error instanceof LiteServerError ? error : new LiteServerError(0, String(error)))
    }
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    let channel: Channel
    acceptAdnl(socket, door, {
      maxPacket: 1 << 20,
      packetMs: 10_000,
      connectMs: 10_000,
      onClose: () => sockets.delete(socket),
      onReady(ready) {
        channel = ready
      },
      onPacket(payload) {
        const message = decodeMessage(payload)
        if (message?.type === 'ping') channel.send(encodeMessage({ type: 'pong', random: message.random }))
        if (message?.type !== 'query') return
        const query = tl.decodeQuery(message.data)
        const answer = async (): Promise<void> => {
          // No block comes: whoever waits for one is told so, after a while.
          if (query.wait) await new Promise((resolve) => setTimeout(resolve, 300).unref())
          const bytes = await tell(query)
          if (!begun || breach === undefined || ABOUT_HEADS.includes(query.fn)) channel.send(reply(message.id, bytes))
          else breach({ channel, socket, id: message.id, answer: bytes, count: ++count })
        }
        void answer()
      },
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    publicKey: key.publicKey,
    begin() {
      begun = true
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
