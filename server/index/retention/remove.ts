import { portionsOf } from '../../base/memory/portions.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'
import { firstTraces } from '../derive/traces-within-limit.ts'
import { CheckpointMovedError, changeAlone } from '../follow/checkpoint.ts'
import type { Topic } from '../topics/topic.ts'
import {
  DELETE_CELLS,
  DELETE_TRANSACTIONS,
  deletionsOf,
  type Left,
  type Named,
  NEWEST_BODIES,
  STILL_NAMED,
  tracesToRemove,
} from './statements.ts'

/*
 * Removes old history in steps. A step is one SQL transaction, during which the writer waits: a cell may only be deleted while no new row can refer to it.
 * So steps are small, and a pause follows each of them.
 */

/** Maximum number of traces, of their transactions, and of blocks in a step. A larger trace is removed in a step of its own. */
const STEP = { traces: 200, transactions: 1_000, blocks: 500 } as const
/** Maximum number of transactions whose keys are in one statement. A trace can have hundreds of thousands. */
const AT_ONCE = 2_000
/** Maximum number of the newest messages whose bodies are cached, and number of steps after which these are read again. */
const NEWEST = { messages: 50_000, steps: 500 } as const

export interface RemovalDeps {
  readonly connection: Pick<Connection, 'query'>
  readonly topics: readonly Topic[]
  /** True if only some accounts are indexed. */
  readonly isPartial: boolean
}

export const createRemoval = ({ connection: { query }, topics, isPartial }: RemovalDeps) => {
  const deletions = deletionsOf(topics)
  const leaving = tracesToRemove(isPartial)
  /** Body hashes of the newest messages, each with the block of its message. Most bodies that are still needed are among these, so the cache saves queries. */
  let newest = new Map<string, number>()
  let steps = 0

  /**
   * Runs a step that removes history below `cut`. `work` must return undefined if it removed nothing. Throws CheckpointMovedError if the index was rebuilt
   * meanwhile: the new index stores blocks below `cut`.
   */
  const stepBelow = <T>(cut: number, work: () => Promise<T>): Promise<T> =>
    changeAlone({ query }, async (at) => {
      if (at === undefined || at.oldestSeqno < cut) throw new CheckpointMovedError()
      return await work()
    })

  const cells = async (named: readonly Named[], cut: number): Promise<void> => {
    const found = new Map<string, Buffer>()
    for (const { body_hash, init_hash } of named) {
      if ((newest.get(nameOf(body_hash)) ?? 0) < cut) found.set(nameOf(body_hash), body_hash)
      if (init_hash !== null) found.set(nameOf(init_hash), init_hash)
    }
    for (const statement of STILL_NAMED) {
      if (found.size === 0) return
      for (const { hash } of await query<{ hash: Buffer }>(statement, [[...found.values()]])) found.delete(nameOf(hash))
    }
    await query(DELETE_CELLS, [[...found.values()]])
  }

  /** Removes all that belongs to removed transactions. */
  const rowsOf = async (left: readonly Left[], cut: number): Promise<void> => {
    for (const { text, valuesOf } of deletions.byTransaction) await query(text, valuesOf(left))
    await cells(await query<Named>(deletions.messages.text, deletions.messages.valuesOf(left)), cut)
  }

  return {
    tables: deletions.tables,
    /**
     * Removes traces that ended in a block from `from` up to, but not including, `cut`. The oldest come first. Undefined if there is none. `reached`: seqno of
     * the block in which the last removed trace ended.
     */
    async traces(from: number, cut: number) {
      if (steps++ % NEWEST.steps === 0) {
        const rows = await query<{ body_hash: Buffer; mc_seqno: number }>(NEWEST_BODIES, [cut, NEWEST.messages])
        newest = new Map(rows.map(({ body_hash, mc_seqno }) => [nameOf(body_hash), mc_seqno]))
      }
      return await stepBelow(cut, async () => {
        const found = firstTraces(await query(leaving, [from, cut, STEP.traces]), STEP.transactions)
        const last = found.at(-1)
        if (last === undefined) return undefined
        const ids = found.map(({ trace_id }) => trace_id)
        const left = await query<Left>(DELETE_TRANSACTIONS, [ids])
        for (const some of portionsOf(left, AT_ONCE)) await rowsOf(some, cut)
        for (const text of deletions.byTrace) await query(text, [ids])
        return { traces: found.length, transactions: left.length, reached: last.mc_seqno_end }
      })
    },
    /** Removes the rows of masterchain blocks from `from` up to, but not including, `cut`: at most `STEP.blocks`. Returns the first block that is left. */
    async blocks(from: number, cut: number): Promise<number> {
      const to = Math.min(cut, from + STEP.blocks)
      await stepBelow(cut, async () => {
        for (const text of deletions.byBlock) await query(text, [from, to])
        return to
      })
      return to
    },
  }
}
