import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { turn, untilQuiet } from './quiet.ts'
import {
  applicationName,
  BACKEND_KEY,
  isAnswered,
  isEnd,
  type Message,
  NOTHING,
  NOTIFICATION,
  READY,
  splitMessages,
  textsOf,
  withFailure,
} from './statements.ts'
import { real } from './virtual-time.ts'

/*
 * A gate before a real PostgreSQL. Each process of a simulation connects through its own socket. What it sends waits here until the simulation lets it through: one statement, or what one
 * connection sent at once, at a time. The simulation can let it fail, cut the connection before or after it, and hold notifications back.
 */

export type Way = 'through' | 'refused' | 'cut before' | 'cut after'

/** Something of a connection that waits for the simulation. */
export interface Waiting {
  readonly connection: number
  /** `connect`, the statements, or `notification`. */
  readonly what: string
  readonly isNotification: boolean
  /** Lets it through. Resolves when it is over: answered, blocked by the lock of another connection, or cut. */
  pass(way: Way): Promise<void>
}

/** The gate of one process. */
export interface ProcessGate {
  readonly config: ClientConfig
  /** Closes all connections as the system does when a process is killed, and refuses new ones. */
  kill(): Promise<void>
}

export interface Gate {
  open(name: string): Promise<ProcessGate>
  /** What waits, in the order of the connections. */
  waiting(): readonly Waiting[]
  /** Whether statements of a kind that can change the database were let through since the last call. */
  takeChanged(): boolean
  /** Resolves when no process has anything to do without the simulation. */
  settled(): Promise<void>
  /** Reads the database beside the gate. */
  read<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  close(): Promise<void>
}

/** Real milliseconds after which a statement may be waiting for a lock. */
const LOCK_MS = 15

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => real.setTimeout(resolve, milliseconds))

interface Link {
  readonly id: number
  readonly process: string
  name: string
  readonly client: Socket
  server: Socket | undefined
  pid: number
  state: 'new' | 'opening' | 'ready' | 'blocked' | 'gone'
  /** Bytes of the client that the server has not got. */
  unsent: Buffer
  /** Bytes of the server that are not split into messages yet. */
  unread: Buffer
  /** Messages of the server for the client. */
  answer: Buffer[]
  /** ReadyForQuery messages that are still to come. */
  due: number
  notifications: Buffer[]
  /** The next bytes of the client open the session: its password. */
  listens: boolean
}

const READERS = /^tonway$/

export const createGate = async (database: ClientConfig & { readonly database: string }, parent: string): Promise<Gate> => {
  // A process of an earlier simulation must not find a socket of this one.
  const folder = mkdtempSync(join(parent, 'gate-'))
  const control = new Client(database)
  await control.connect()
  const target = join(database.host!, `.s.PGSQL.${database.port ?? 5432}`)
  const links: Link[] = []
  const servers = new Map<string, Server>()
  /** Sessions of the server whose clients are gone. */
  const leaving = new Set<number>()
  let events = 0
  let count = 0
  let isChanged = true

  const read = async <R>(text: string, values?: readonly unknown[]): Promise<R[]> =>
    (await control.query(text, values as unknown[])).rows as R[]

  const leave = (link: Link): void => {
    if (link.state === 'gone') return
    link.state = 'gone'
    if (link.pid > 0) leaving.add(link.pid)
    link.server?.destroy()
    link.client.destroy()
    links.splice(links.indexOf(link), 1)
  }

  /** Resolves when the server has ended the sessions of the clients that are gone, so their locks are released. */
  const untilLeft = async (): Promise<void> => {
    while (leaving.size > 0) {
      const rows = await read<{ pid: number }>('select pid from pg_stat_activity where pid = any($1)', [[...leaving]])
      const left = new Set(rows.map(({ pid }) => pid))
      for (const pid of leaving) if (!left.has(pid)) leaving.delete(pid)
      if (leaving.size > 0) await pause(1)
    }
  }

  const receive = (link: Link, bytes: Buffer): void => {
    const { messages, rest } = splitMessages(Buffer.concat([link.unread, bytes]))
    link.unread = rest
    for (const { type, bytes: message } of messages) {
      if (type === NOTIFICATION) {
        link.notifications.push(message)
        continue
      }
      if (type === BACKEND_KEY) link.pid = message.readUInt32BE(5)
      if (type === READY) link.due--
      link.answer.push(message)
    }
    if (link.state !== 'opening') return
    // The client has to answer before the session is open. Its first statement may come as soon as it is.
    if (link.due === 0) link.state = 'ready'
    deliver(link)
  }
  const deliver = (link: Link): void => {
    const bytes = Buffer.concat(link.answer)
    link.answer = []
    events++
    if (bytes.length > 0) link.client.write(bytes)
  }

  /** Whether the session waits for a lock. Undefined if it has answered meanwhile. */
  const isBlocked = async (link: Link): Promise<boolean | undefined> => {
    const [row] = await read<{ type: string | null }>('select wait_event_type as type from pg_stat_activity where pid = $1', [link.pid])
    if (link.due <= 0) return undefined
    return row?.type === 'Lock'
  }
  /** Resolves when the server has answered, or waits for a lock. */
  const untilAnswered = async (link: Link): Promise<void> => {
    const since = real.now()
    while (link.due > 0 && link.state !== 'gone') {
      await turn()
      if (link.due <= 0 || real.now() - since < LOCK_MS) continue
      if (link.state !== 'opening' && (await isBlocked(link))) {
        link.state = 'blocked'
        return
      }
      await pause(1)
    }
    if (link.state === 'blocked') link.state = 'ready'
  }
  /** Goes on with the statements that waited for a lock. */
  const unblock = async (): Promise<void> => {
    for (const link of links.filter(({ state }) => state === 'blocked')) {
      await untilAnswered(link)
      if (link.state === 'ready') deliver(link)
    }
  }
  /** Notifications come to sessions at rest. An empty statement makes sure that all of them have come. */
  const collectNotifications = async (): Promise<void> => {
    for (const link of links.filter(({ listens, state, due }) => listens && state === 'ready' && due === 0)) {
      link.due = 1
      link.server!.write(NOTHING)
      await untilAnswered(link)
      link.answer = []
    }
  }

  const begin = async (link: Link): Promise<void> => {
    link.state = 'opening'
    link.due = 1
    const server = createConnection(target)
    link.server = server
    server.on('data', (bytes) => receive(link, bytes))
    server.on('error', () => {})
    server.on('close', () => leave(link))
    server.write(link.unsent)
    link.unsent = Buffer.alloc(0)
    await untilAnswered(link)
  }

  const send = async (link: Link, way: Way): Promise<void> => {
    if (way === 'cut before') return leave(link)
    if (link.state === 'new') return begin(link)
    const { messages, rest } = splitMessages(link.unsent)
    link.unsent = rest
    if (messages.some(isEnd)) return leave(link)
    const texts = textsOf(messages)
    if (texts.some((text) => /^listen /i.test(text))) link.listens = true
    if (!READERS.test(link.name)) isChanged = true
    link.due = messages.filter(isAnswered).length
    link.server!.write(way === 'refused' ? withFailure(messages) : Buffer.concat(messages.map(({ bytes }) => bytes)))
    await untilAnswered(link)
    if (way === 'cut after') return leave(link)
    if (link.state === 'ready') deliver(link)
  }

  const pass = async (link: Link, way: Way): Promise<void> => {
    await send(link, way)
    await untilLeft()
    await unblock()
    if (isChanged) await collectNotifications()
  }

  const messagesOf = (link: Link): readonly Message[] => splitMessages(link.unsent).messages
  const waitingOf = (link: Link): Waiting[] => {
    const { id, process, name } = link
    const waits: Waiting[] = []
    const what = (text: string): string => `${process}/${name} ${text}`
    if (link.state === 'new' && link.unsent.length > 0)
      waits.push({ connection: id, what: what('connect'), isNotification: false, pass: (way) => pass(link, way) })
    const messages = link.state === 'ready' ? messagesOf(link) : []
    if (messages.some((message) => isAnswered(message) || isEnd(message))) {
      const text = textsOf(messages).join('; ').replace(/\s+/g, ' ') || 'prepared'
      waits.push({ connection: id, what: what(text), isNotification: false, pass: (way) => pass(link, way) })
    }
    if (link.notifications.length > 0 && link.state === 'ready')
      waits.push({
        connection: id,
        what: what('notification'),
        isNotification: true,
        async pass(way) {
          if (way.startsWith('cut')) return leave(link)
          events++
          link.client.write(link.notifications.shift()!)
        },
      })
    return waits
  }

  const accept = (process: string, client: Socket): void => {
    const link: Link = {
      id: count++,
      process,
      name: '',
      client,
      server: undefined,
      pid: 0,
      state: 'new',
      unsent: Buffer.alloc(0),
      unread: Buffer.alloc(0),
      answer: [],
      due: 0,
      notifications: [],
      listens: false,
    }
    events++
    links.push(link)
    client.on('data', (bytes) => {
      events++
      if (link.state === 'opening') return void link.server!.write(bytes)
      link.unsent = Buffer.concat([link.unsent, bytes])
      if (link.name === '') link.name = applicationName(link.unsent)
    })
    client.on('error', () => {})
    client.on('close', () => {
      events++
      leave(link)
    })
  }

  return {
    async open(name) {
      const host = join(folder, name)
      mkdirSync(host, { recursive: true })
      const server = createServer((client) => accept(name, client))
      await new Promise<void>((resolve) => server.listen(join(host, '.s.PGSQL.5432'), resolve))
      servers.set(name, server)
      return {
        config: { ...database, host, port: 5432 },
        async kill() {
          for (const link of links.filter(({ process }) => process === name)) leave(link)
          servers.delete(name)
          await new Promise((resolve) => server.close(resolve))
          rmSync(host, { recursive: true, force: true })
          await untilLeft()
          await unblock()
        },
      }
    },
    waiting: () => links.flatMap(waitingOf).sort((a, b) => a.connection - b.connection),
    takeChanged() {
      const changed = isChanged
      isChanged = false
      return changed
    },
    async settled() {
      await untilQuiet(() => events)
      await untilLeft()
    },
    read,
    async close() {
      for (const link of [...links]) leave(link)
      for (const server of servers.values()) server.close()
      await control.end()
    },
  }
}
