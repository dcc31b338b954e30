import { setMaxListeners } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { silentLog } from '../../base/log.ts'
import { hasTables } from '../../store/migrate.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { CHAIN_TABLES, TABLES } from '../../store/schema/tables.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { inSchema } from '../backfill/range-schema.ts'
import { type Checkpoint, compareVersions, derivationVersionsOf, readCheckpoint, readDerivation } from '../follow/checkpoint.ts'
import { GROUP } from '../follow/groups.ts'
import { type IndexSettings, openSession } from '../follow/session.ts'
import { createSource, type MasterIds, openMasterIds, type Source } from '../follow/source.ts'
import { EVERYTHING, type Selection } from '../service/account-selection.ts'
import type { IndexerDeps } from '../service/indexer.ts'
import { createStatusBoard } from '../service/status.ts'
import { alignLateTraces } from '../topics/actions/rederive.ts'
import { actionsTopic } from '../topics/actions/topic.ts'
import { TOPICS } from '../topics/registry.ts'
import type { Topic } from '../topics/topic.ts'
import { type Comparison, createComparison } from './compare.ts'
import { DERIVED, withDerivedTables } from './schemas.ts'
import { alignFirstLts, seedRows } from './seed.ts'

/* Indexes all blocks again, into tables of its own, which are compared with the tables of the index at the end. */

/** `selection`: the selection that the index was made with; everything by default. */
export interface VerifyDeps extends Pick<IndexerDeps, 'source' | 'connection' | 'tvm' | 'reverts' | 'topics' | 'selection'> {
  readonly network?: string
  readonly progress?: (seqno: number, last: number) => void
}

/** Number of blocks that are read in parallel. */
const LANES = 8

/** Reads the checkpoint of the index. Throws if the database has no index of this release, this selection, and the chain with this zerostate. */
const readIndex = async (
  connection: Connection,
  zeroHash: Uint8Array,
  topics: readonly Topic[],
  selection: Selection,
): Promise<Checkpoint> => {
  const at = (await hasTables(connection.query)) ? await readCheckpoint(connection) : undefined
  if (at === undefined) throw new Error('the database holds no index')
  if (!at.zeroHash.equals(zeroHash)) throw new Error('the database holds the index of another chain')
  if (compareVersions(await readDerivation(connection), derivationVersionsOf(topics, selection)) !== 'same')
    throw new Error('the index was made with other settings (TONWAY_INDEX_ACCOUNTS), or by another release: the next start makes it again')
  return at
}

/**
 * Returns the last block to verify: that of the checkpoint, or the last one with rows if neither the chain nor the index has the checkpoint's block.
 * Undefined if no block is indexed. Throws if the chain lacks an indexed block.
 */
const lastBlock = async ({ seqno, firstSeqno }: Checkpoint, { query }: Connection, idOf: MasterIds): Promise<BlockId | undefined> => {
  if (seqno < firstSeqno) return undefined
  const found = await idOf(seqno)
  if (found !== undefined) return found
  const [row] = await query<{ last: number | null }>('select max(seqno) as last from blocks where workchain = -1')
  const last = row?.last ?? firstSeqno - 1
  if (last < firstSeqno) return undefined
  const id = last < seqno ? await idOf(last) : undefined
  if (id === undefined) throw new Error(`the chain has no masterchain block ${last}, which is indexed`)
  return id
}

/**
 * Compares the stored position with the last derived block. The published block may be one group of blocks earlier: a process can be killed between the
 * commit of a group and its publication, and the next start publishes the group.
 */
const comparePosition = async ({ row }: Comparison, connection: Connection, stored: string): Promise<void> => {
  const read = async (text: string) => (await connection.query<Record<string, string>>(text))[0]
  const checkpoint = (schema: string) =>
    read(`select mc_seqno::text, root_hash::text, file_hash::text, network from ${schema}.index_checkpoint`)
  const published = (schema: string) => read(`select mc_seqno::text, utime::text from ${schema}.published_head`)
  row('index_checkpoint', '1', await checkpoint(stored), (await checkpoint(DERIVED))!)
  const earlier = await read(
    `select b.seqno::text as mc_seqno, b.gen_utime::text as utime from ${DERIVED}.blocks b, ${DERIVED}.published_head last, ${stored}.published_head h
     where b.workchain = -1 and b.seqno = h.mc_seqno and b.seqno >= last.mc_seqno - ${GROUP.masters}`,
  )
  row('published_head', '1', await published(stored), earlier ?? (await published(DERIVED))!)
}

/**
 * Verifies the index from the first block whose history is stored. Rejects if the chain or the database cannot be read, if the index moves on meanwhile, and
 * after an abort with the signal's reason.
 */
export const verifyIndex = async (deps: VerifyDeps, signal: AbortSignal) => {
  const { source: server, connection: config, tvm, reverts = true, topics = TOPICS, selection = EVERYTHING, progress } = deps
  setMaxListeners(0, signal)
  /** Number of account states that the source no longer had. Rows that depend on these states may be reported as different. */
  let forgotten = 0
  const remote = createSource(server, { wants: selection.wants, forgets: true, lanes: LANES })
  const source: Source = {
    ...remote,
    async account(...args) {
      const found = await remote.account(...args)
      if (found === undefined) forgotten += 1
      return found
    },
  }
  const owned = topics.flatMap(({ tables }) => tables)
  const tables = [...CHAIN_TABLES, ...owned.filter(({ kind }) => kind !== 'outside')]
  await using connection = await connect(config, 'tonway-verify', { signal, patience: 0 })

  /** Indexes the blocks into the derived tables, which unqualified names mean on this connection. `stored`: schema of the tables to verify. */
  const derive = async (at: Checkpoint, last: BlockId | undefined, stored: string): Promise<void> => {
    const { oldestSeqno: first, firstSeqno } = at
    const board = createStatusBoard(signal, (seqno) => last && seqno >= first && progress?.(seqno, last.seqno))
    const settings: IndexSettings = {
      ...{ network: deps.network ?? at.network, from: first, fromStart: firstSeqno === 1, selection },
      ...{ lanes: LANES, reverts, isTransient: false, pause: undefined },
    }
    const open = () => openSession({ ...settings, connection, source, topics, tvm, board, log: silentLog }, signal)
    let session = await open()
    if (first > firstSeqno) {
      await seedRows(connection, stored, tables, first)
      session = await open()
    }
    if (last !== undefined) {
      await session.catchUp(last)
      await session.written()
      const { seqno } = board.status()
      if (seqno < last.seqno) throw new Error(`the chain has no masterchain block ${seqno + 1}, which is indexed`)
    }
    if (topics.includes(actionsTopic)) await alignLateTraces(connection, stored)
    if (first > firstSeqno) await alignFirstLts(connection, stored, tables, first)
  }

  try {
    const at = await readIndex(connection, (await source.zeroState(signal)).rootHash, topics, selection)
    const last = await lastBlock(at, connection, await openMasterIds(source, reverts, signal))
    return await withDerivedTables(
      config,
      new Set([...TABLES, ...owned]),
      async (stored) => {
        try {
          await inSchema(connection, DERIVED, () => derive(at, last, stored))
          await connection.script('begin isolation level repeatable read')
          if (!isDeepStrictEqual(await readCheckpoint(connection), at))
            throw new Error('the index has moved on meanwhile: stop the service that indexes, and verify again')
          const comparison = createComparison()
          for (const table of tables) await comparison.tables(connection, table, stored, DERIVED)
          await comparePosition(comparison, connection, stored)
          return { first: at.oldestSeqno, last: last?.seqno ?? at.oldestSeqno - 1, forgotten, ...comparison.report() }
        } finally {
          // Otherwise the open transaction would lock the derived tables, which are removed next.
          await connection.close().catch(() => {})
        }
      },
      signal,
    )
  } catch (error) {
    // Throws the signal's reason: after an abort the error is only a consequence.
    signal.throwIfAborted()
    throw error
  }
}
