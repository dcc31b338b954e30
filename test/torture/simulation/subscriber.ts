import type { Listening } from '../../../server/live/begin-listening.ts'
import { type Cursor, parseCursor } from '../../../server/live/cursor.ts'
import type { Filter } from '../../../server/live/filter.ts'
import type { Sink } from '../../../server/live/listener.ts'
import type { Service } from './service.ts'

/* A client that follows the events of blocks, and comes back with its last cursor when its process is gone. */

export interface LiveBlock {
  readonly type: string
  readonly seqno?: number
  readonly masterchain_seqno?: number
  readonly workchain?: number
  readonly root_hash?: string
  readonly tx_count?: number
  readonly from_seqno?: number
  readonly to_seqno?: number
}

export interface Subscriber {
  readonly number: number
  /** All events since the beginning, over all processes that it was subscribed at. */
  readonly received: LiveBlock[]
  /** The process that it is subscribed at; undefined while there is none. */
  at(): Service | undefined
  /** Seqno of the block after which its events begin; undefined until it has begun. */
  begunAfter(): number | undefined
  /** Whether its last event is of this block, and not of one with that seqno that was undone. */
  isUpTo(seqno: number, root: string): boolean
  subscribe(service: Service): void
  /** Leaves as a client whose socket is lost. */
  leave(): void
}

const FILTER: Filter = {
  types: new Set(['blocks']),
  accounts: new Set(),
  hashes: new Set(),
  minFinality: 'finalized',
  book: false,
  metadata: false,
  actionTypes: new Set(),
  supportedTypes: new Set(),
  scope: 'block',
}

const FRAME = { key: 'simulation', wrap: (json: string, cursor: string) => Buffer.from(`${JSON.stringify(cursor)} ${json}\n`) }

export const createSubscriber = (number: number): Subscriber => {
  const received: LiveBlock[] = []
  let service: Service | undefined
  let listening: Listening | undefined
  let begun: number | undefined
  let cursor: Cursor | undefined
  let attempt = 0

  const take = (bytes: Buffer): void => {
    for (const line of bytes.toString().split('\n').slice(0, -1)) {
      const end = line.indexOf('" ') + 1
      received.push(JSON.parse(line.slice(end)))
      const text: string = JSON.parse(line.slice(0, end))
      if (text !== '') cursor = parseCursor(text)
    }
  }
  const leave = (): void => {
    attempt++
    if (service?.isAlive) service.as(() => listening?.close())
    service = undefined
    listening = undefined
  }
  return {
    number,
    received,
    at: () => (service?.isAlive ? service : undefined),
    begunAfter: () => begun,
    isUpTo: (seqno, root) => {
      const last = received.findLast((event) => event.type === 'block' && event.workchain === -1)
      return cursor?.seqno === seqno && listening?.isLive() === true && (last?.seqno !== seqno || last.root_hash === root)
    },
    subscribe(to) {
      leave()
      const own = attempt
      service = to
      const sink: Sink = {
        frame: FRAME,
        client: undefined,
        replays: -1,
        takesResets: true,
        push: ({ pieces }) => {
          if (own === attempt) for (const piece of pieces) take(piece)
        },
        room: () => undefined,
        fail: () => {
          if (own === attempt) leave()
        },
      }
      to.as(() => {
        const listens = to.app()!.network.live!.listen(FILTER, sink, cursor)
        listening = listens
        listens.started.then(
          (started) => {
            if (own !== attempt) return
            cursor ??= parseCursor(started.cursor)
            begun ??= cursor?.seqno
            listens.begin()
          },
          () => {
            if (own === attempt) leave()
          },
        )
      })
    },
    leave,
  }
}
