import type { Log } from '../base/log.ts'
import type { Chain } from '../chain/chain-port.ts'
import { COMMON } from '../chain/lite/groups.ts'
import type { Emulator } from '../emulate/emulator.ts'
import type { Hub } from '../live/hub.ts'
import { createBoard, type PendingBoard } from '../live/pending/board.ts'
import { publishPending } from '../live/pending/events.ts'
import { createKeeper } from '../live/pending/keeper.ts'
import type { createRelay } from '../live/pending/redis-relay.ts'
import type { PendingFigures } from '../metrics/figures.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { toHex } from '../tlb/bytes.ts'
import type { TraceRecognizer } from '../v3/answer/recognized-trace.ts'
import { createTellTrace } from '../v3/live/told-trace.ts'

/** The pending traces of a network. Messages are sent through here, so that they are followed. */
export interface Pending {
  readonly board: PendingBoard
  /** Sends a message by the lite-servers of a group, and follows it. Rejects as `sendMessage` of the chain does. */
  send(boc: Uint8Array, group: string, signal: AbortSignal): Promise<void>
  /** Sends a message by `send`, and follows it. Rejects as `send` does. */
  sendBy(boc: Uint8Array, signal: AbortSignal, send: (boc: Uint8Array, signal: AbortSignal) => Promise<void>): Promise<void>
  /** For /status. */
  figures(): PendingFigures
  close(): void
}

export interface PendingDeps {
  readonly chain: Chain
  /** A chain for each group of lite-servers besides the common one. */
  readonly groups: ReadonlyMap<string, Chain>
  readonly emulator: Emulator
  readonly recognizer: TraceRecognizer
  /** Unix seconds. */
  readonly now: () => number
  readonly reader: Reader
  /** Resolves when the index has a masterchain block. */
  readonly reached: (seqno: number, signal: AbortSignal) => Promise<void>
  readonly isTestnet: boolean
  readonly live: Hub
  /** The Redis by which several `serve` of one network tell each other what they have sent, and the key of the chain; undefined: each tells only its own. */
  readonly redis: { readonly url: string; readonly chain: string; readonly createRelay: typeof createRelay } | undefined
  readonly log: Log
}

/** A text that names the chain, because messages of another chain make no sense here. Rejects if the chain cannot be read. */
export const chainKey = async (chain: Chain): Promise<string> => {
  const { init } = await chain.masterchainInfo(AbortSignal.timeout(10_000))
  return toHex(init.rootHash)
}

/** Follows messages that this process sends and, with Redis, those that other processes of the same chain send. */
export const createPending = (deps: PendingDeps): Pending => {
  const { chain, groups, emulator, recognizer, now, reader, reached, isTestnet, live, redis, log } = deps
  const board = createBoard()
  const unpublish = publishPending(board, live)
  const keeper = createKeeper({ chain, emulator, now, tell: createTellTrace({ reader, recognizer, isTestnet }), reached, board, log })
  const relay = redis?.createRelay({ url: redis.url, chain: redis.chain, onMessage: keeper.follow, log })
  const sharing = (): PendingFigures['of'] =>
    relay === undefined ? 'this service' : relay.isWell() ? 'all with this Redis' : 'Redis is away'
  const sendBy: Pending['sendBy'] = async (boc, signal, send) => {
    await keeper.send(boc, signal, send)
    relay?.sent(boc)
  }
  return {
    board,
    sendBy,
    send(boc, group, signal) {
      const by = group === COMMON ? chain : groups.get(group)
      return sendBy(boc, signal, (by ?? chain).sendMessage)
    },
    figures: () => ({ traces: board.size(), bytes: board.bytes(), of: sharing() }),
    close() {
      unpublish()
      relay?.close()
      keeper.close()
    },
  }
}
