import { settledWithin } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import type { Chain } from '../chain/chain-port.ts'
import { COMMON } from '../chain/lite/choose-servers.ts'
import type { LiteServer } from '../chain/liteserver.ts'
import { createSignedBlocks, type SignedChange } from '../chain/signed/signed-blocks.ts'
import type { Hub } from '../live/hub.ts'
import { createDemand } from '../live/pending/demand.ts'
import { createPublishedBoard } from '../live/pending/events.ts'
import { createFollower, type FollowerDeps } from '../live/pending/follower.ts'
import type { createRelay } from '../live/pending/redis-relay.ts'
import { createSignedTransactions } from '../live/pending/signed-transactions.ts'
import type { PendingFigures } from '../metrics/figures.ts'
import { toHex } from '../tlb/bytes.ts'
import { createFormatTrace, type FormatTraceDeps } from '../v3/live/published-trace.ts'

export interface PendingDeps extends FormatTraceDeps, Pick<FollowerDeps, 'emulator' | 'reached' | 'onHead'> {
  readonly source: LiteServer
  readonly confirmedServers: number
  /** Names of the lite-servers that are read through another process, by the name of the port that this process queries for them. */
  readonly relayed: ReadonlyMap<string, readonly string[]> | undefined
  readonly chain: Chain
  readonly groups: ReadonlyMap<string, Chain>
  readonly clock: Clock
  readonly live: Hub
  /**
   * Redis, through which several `serve` processes of one network exchange sent messages, with the key of the chain. If undefined, the pending traces
   * contain only messages that this process sent.
   */
  readonly redis: { readonly url: string; readonly chain: string; readonly createRelay: typeof createRelay } | undefined
}

/** The chain's key in Redis, so that messages of other chains are ignored. Rejects if the chain cannot be read. */
export const chainKey = async (chain: Chain): Promise<string> => {
  const { init } = await chain.masterchainInfo(AbortSignal.timeout(10_000))
  return toHex(init.rootHash)
}

/** Maximum milliseconds that a request for pending traces waits: first for a poll of the servers, then for publication of the traces found. */
const POLL_PATIENCE = 250
const PUBLISH_PATIENCE = 500
const SIGNED_NOTE = 'that a block is signed is the word of the lite-servers that list it: no proof comes with it'

export type Pending = ReturnType<typeof createPending>

/**
 * The pending traces of a network. A message that is sent through this object is emulated, and its trace is updated until all of its transactions are in
 * blocks.
 */
export const createPending = (deps: PendingDeps) => {
  const { source, chain, groups, emulator, recognizer, clock, reader, reached, onHead, isTestnet, live, redis, log } = deps
  const board = createPublishedBoard(live)
  const demand = createDemand(live)
  /** Settles when the newest change of the signed blocks is published. */
  let taking: Promise<unknown> = Promise.resolve()
  const onChange = (change: SignedChange): void => {
    const taken = signed.take(change).then(follower.signedChanged)
    taking = taken.catch((error: unknown) => log.warn('signed.not_shown', { text: (error as Error).message }))
  }
  const { ticks, now } = clock
  const needs = deps.confirmedServers
  const blocks = createSignedBlocks({ source, chain, needs, hasDemand: demand.isAny, onChange, ticks, log })
  const signed = createSignedTransactions(blocks.account)
  const format = createFormatTrace({ reader, recognizer, isTestnet, log })
  const follower = createFollower({ chain, emulator, now, format, reached, onHead, board, signed, hasDemand: demand.has, log })
  const relay = redis?.createRelay({ url: redis.url, chain: redis.chain, onMessage: follower.follow, log })
  const sharing = (): PendingFigures['of'] =>
    relay === undefined ? 'this service' : relay.isWell() ? 'all with this Redis' : 'Redis is away'
  /** The process that relays lite-servers asks all of them, so what holds of its port is shown with each of their names. */
  const confirmed = (): PendingFigures['confirmed'] => {
    const figures = blocks.figures()
    const servers = figures.servers.flatMap((each) =>
      (deps.relayed?.get(each.server) ?? [each.server]).map((server) => ({ ...each, server })),
    )
    return { note: SIGNED_NOTE, ...figures, servers }
  }
  /** Sends a message with the given `send`, and adds its trace to the pending traces. Rejects as `send` does. */
  const sendBy = async (boc: Uint8Array, signal: AbortSignal, send: Chain['sendMessage']): Promise<void> => {
    await follower.send(boc, signal, send)
    relay?.sent(boc)
  }
  return {
    board,
    sendBy,
    /** Sends a message over the lite-servers of a group, and adds its trace to the pending traces. Rejects as `sendMessage` of the chain does. */
    send(boc: Uint8Array, group: string, signal: AbortSignal): Promise<void> {
      const by = group === COMMON ? chain : groups.get(group)
      return sendBy(boc, signal, (by ?? chain).sendMessage)
    },
    /**
     * Registers interest in traces of these accounts (raw addresses) or messages (base64). Resolves when traces in signed blocks are published, at the
     * latest after 750 ms.
     */
    async ask(accounts: readonly string[], hashes: readonly string[]): Promise<void> {
      // Traces that were requested earlier are updated whenever the signed blocks change, so they need no poll.
      const isNew = demand.ask(accounts, hashes)
      if (isNew) await settledWithin(blocks.poll(), POLL_PATIENCE)
      const taken = isNew ? taking.then(() => follower.signedChanged(signed.all())) : taking
      await settledWithin(taken, PUBLISH_PATIENCE)
    },
    /** The newest signed shard blocks that no masterchain block references. Throws LiteServerError if no server answers this query. */
    newestSigned() {
      demand.ask([], [])
      return blocks.newest()
    },
    figures: (): PendingFigures => ({
      traces: board.size(),
      bytes: board.bytes(),
      of: sharing(),
      confirmed: confirmed(),
    }),
    close(): void {
      blocks.close()
      relay?.close()
      follower.close()
    },
  }
}
