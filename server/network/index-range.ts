import { setTimeout as sleep } from 'node:timers/promises'
import { awaitedLater } from '../base/promises/awaited-later.ts'
import { UserError } from '../base/user-error.ts'
import type { LiteServer } from '../chain/liteserver.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { type Checkpoint, readCheckpoint } from '../index/follow/checkpoint.ts'
import { chainUpTo } from '../index/follow/end-chain-at.ts'
import { createSource, headOf } from '../index/follow/source.ts'
import type { IndexPart } from '../index/service/indexer.ts'
import { createIndexer } from '../index/service/indexer.ts'
import { formatProgress } from '../index/service/progress-line.ts'
import type { IndexStatus } from '../metrics/figures.ts'
import { connect } from '../store/postgres/connection.ts'
import type { DatabaseOptions } from '../store/postgres/database-server.ts'
import type { Store } from '../store/store.ts'
import { drawProgress } from './draw-progress.ts'
import { indexPart } from './index-options.ts'
import { type IndexCommand, withIndexStore } from './with-index-store.ts'

const LOOK_MS = 250
/**
 * Milliseconds after which the command gives up: `waiting` while another process has locked the index, `failing` while the index makes no progress because
 * of errors.
 */
const PATIENCE_MS = { waiting: 10_000, failing: 120_000 } as const

/** Reads the checkpoint of the index. Undefined if there is no index, or if the index belongs to another chain, which the indexer refuses or replaces. */
const readBegun = async (server: LiteServer, { connection: config }: Store, signal: AbortSignal): Promise<Checkpoint | undefined> => {
  await using connection = await connect(config)
  const at = await readCheckpoint(connection)
  const { rootHash } = await createSource(server).zeroState(signal)
  return at?.zeroHash.equals(rootHash) ? at : undefined
}

/** Returns why blocks up to `to` cannot be indexed, for people; undefined if they can. */
const refusal = async (
  server: LiteServer,
  begun: Checkpoint | undefined,
  from: IndexPart['from'],
  to: number,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (begun !== undefined) {
    if (begun.oldestSeqno > to) return `the index begins with block ${begun.oldestSeqno}, after --to ${to}`
    // Needed only if block `to` is indexed already, because then the indexer does not run. Otherwise the indexer itself refuses a first block before that
    // of the index.
    const isMissing = typeof from === 'number' && from < begun.oldestSeqno && begun.seqno >= to
    return isMissing ? `the index begins with block ${begun.oldestSeqno}: to begin with ${from} give another DATABASE_URL` : undefined
  }
  if (from === 'head')
    return 'there is no index yet, and by the settings it would begin with the current head: give its first block with --from'
  if (from > to) return `the index would begin with block ${from}, after --to ${to}: give its first block with --from`
  const { seqno } = await headOf(createSource(server), signal)
  return from > seqno ? `the chain is at block ${seqno}: there is no block ${from} yet to begin with` : undefined
}

/** Resolves with the reason when indexing was refused or made no progress for too long. */
const watch = async (status: () => IndexStatus, signal: AbortSignal): Promise<string> => {
  let [since, seqno] = [performance.now(), -1]
  for (; ; await sleep(LOOK_MS, undefined, { signal })) {
    const now = status()
    if (now.phase === 'refused') return now.error
    const obstacle = now.phase === 'waiting' ? 'waiting' : now.error !== '' && now.phase !== 'following' ? 'failing' : undefined
    if (obstacle === undefined || now.seqno !== seqno) [since, seqno] = [performance.now(), now.seqno]
    else if (performance.now() - since > PATIENCE_MS[obstacle])
      return obstacle === 'waiting' ? 'another process keeps the index of this database: stop it first' : now.error
  }
}

/**
 * Runs `tonway index --to`: indexes a network up to a masterchain block, starting after the last indexed block. Returns the exit code 0 when that block is
 * published. Rejects with an Error whose message is for the user.
 */
export const runRange = async (config: NetworkConfig, options: DatabaseOptions, to: number, command: IndexCommand): Promise<number> => {
  const { print, draw, log, signal } = command
  const part = indexPart(config)
  return await withIndexStore(config, options, command, async ({ tvm, openChain, openIndex }) => {
    const { source: server, reverts, isTransient } = await openChain()
    const store = await openIndex()
    const begun = await readBegun(server, store, signal)
    // Unless the setting names a first block, an existing index keeps its first block.
    const from = config.indexFrom === 'auto' && begun !== undefined ? begun.oldestSeqno : part.from
    const refused = await refusal(server, begun, from, to, signal)
    if (refused !== undefined) throw new Error(refused)
    if (begun !== undefined && begun.seqno >= to) {
      print(`blocks ${begun.oldestSeqno} to ${to} are indexed already: the index goes to block ${begun.seqno}`)
      return 0
    }
    const source = chainUpTo(server, to, reverts)
    const { connection } = store
    const { name: network } = config
    const indexer = createIndexer({ source, connection, network, tvm, log, ...part, from, isTransient, reverts })
    const watching = new AbortController()
    try {
      void drawProgress(() => formatProgress(indexer.status()), draw, watching.signal)
      const stuck = awaitedLater(watch(indexer.status, watching.signal))
      const reason = await Promise.race([indexer.reached(to, signal).then(() => undefined), store.lost, stuck])
      if (reason !== undefined) throw new Error(reason)
      draw?.('')
      print(`blocks ${indexer.status().first} to ${to} are indexed`)
      return 0
    } catch (error) {
      const { seqno } = indexer.status()
      const at = seqno < 0 ? '' : ` (it is at block ${seqno}, and goes on from there at the next start)`
      throw new UserError(`not indexed up to block ${to}: ${(error as Error).message}${at}`, 1)
    } finally {
      watching.abort()
      await indexer.close()
    }
  })
}
