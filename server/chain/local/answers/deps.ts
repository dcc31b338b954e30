import type { Clock } from '../../../base/clock.ts'
import type { Cell } from '../../../cell/cell.ts'
import { blockFullText, blockText, sameBlock } from '../../../tlb/block-id.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../tlb/ids.ts'
import type { Tvm } from '../../../tvm/tvm.ts'
import { type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../../liteserver.ts'
import type { BlockStore, StoredBlock } from '../model.ts'

/* What the answers are made from, and the refusals of ton's lite-server (validator/impl/liteserver.cpp, manager.cpp): same codes, same texts. */

export interface AnswersDeps {
  readonly store: BlockStore
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  /** Checks and queues an external message; rejects with a LiteServerError that carries TON's text. */
  readonly sendMessage: (boc: Uint8Array, signal: AbortSignal) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
}

export type Answer<F extends LiteFunction> = (args: LiteArgs<F>, signal: AbortSignal) => Promise<LiteAnswer<F>>
export type Answers<F extends LiteFunction = LiteFunction> = { readonly [K in F]: Answer<K> }

/** ErrorCode::notready of ton-blockchain/ton: a block or state that is not there (yet, or any more). */
const NOT_READY = 651

/** What ton's lite-server says of a query that it cannot answer for a reason of its own (LiteQuery::fatal_error). */
const FATAL = -400
export const refuse = (text: string): LiteServerError => new LiteServerError(FATAL, text)

/** A block that the store does not have. */
export const notInDb = (store: BlockStore, id: BlockId, prefix = ''): LiteServerError => {
  const last = store.head().id.seqno
  const ahead = id.workchain === MASTERCHAIN && id.seqno > last ? ` (last known masterchain block: ${last})` : ''
  return new LiteServerError(NOT_READY, `${prefix}block ${blockText(id)} is not in db${ahead}`)
}

/** A lookup that finds nothing; `type` and `value` say by what it was asked. */
export const notFound = (
  store: BlockStore,
  prefix: { readonly workchain: number; readonly shard: bigint },
  type: 'lt' | 'utime' | 'seqno',
  value: bigint | number,
): LiteServerError => {
  const at = `(${prefix.workchain},${prefix.shard.toString(16).padStart(16, '0')})`
  const last = prefix.workchain === MASTERCHAIN ? ` (last known masterchain block: ${store.head().id.seqno})` : ''
  return new LiteServerError(NOT_READY, `cannot find block ${at} ${type}=${value}: ${type} not in db${last}`)
}

/** Whether an id can be that of a block at all (is_valid_full). */
export const isValidFull = (id: BlockId): boolean =>
  id.shard !== 0n &&
  (id.shard & 7n) === 0n &&
  id.seqno >= 0 &&
  id.seqno <= 0x7fffffff &&
  (id.workchain !== MASTERCHAIN || id.shard === WHOLE_SHARD)

/** Whether an id is of the masterchain (is_masterchain_ext). */
export const isMasterchain = (id: BlockId): boolean => id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD

/** A block by its full id. */
export const blockOf = async (store: BlockStore, id: BlockId, prefix = ''): Promise<StoredBlock> => {
  if (!isValidFull(id)) throw refuse('invalid BlockIdExt')
  const block = await store.block(id)
  if (block === undefined) throw notInDb(store, id, prefix)
  return block
}

/** The state after a block. */
export const stateOf = async (store: BlockStore, id: BlockId): Promise<Cell> => {
  const state = await store.state(id)
  if (state === undefined) throw notInDb(store, id, `cannot load state for ${blockFullText(id)} : `)
  return state
}

/** A block and the state after it. */
export const blockAndState = async (store: BlockStore, id: BlockId): Promise<BlockAndState> => {
  const block = await blockOf(store, id, `cannot load block ${blockFullText(id)} : `)
  return { block, state: await stateOf(store, id) }
}

export interface BlockAndState {
  readonly block: StoredBlock
  readonly state: Cell
}

/** The same for a reference block, which must be of the masterchain. */
export const masterBlockAndState = async (store: BlockStore, id: BlockId): Promise<BlockAndState> => {
  if (!isMasterchain(id) || !isValidFull(id)) throw refuse('reference block must belong to the masterchain')
  return blockAndState(store, id)
}

/** The block of a masterchain seqno in the present chain. */
export const masterIdAt = async (store: BlockStore, seqno: number): Promise<BlockId | undefined> => {
  if (seqno > store.head().id.seqno) return undefined
  return seqno === 0 ? store.zeroIds[0] : store.idBySeqno(MASTERCHAIN, seqno)
}

/** Whether a masterchain block (the zerostate included) is part of the present chain. */
export const isKnownMaster = async (store: BlockStore, id: BlockId): Promise<boolean> => {
  const known = await masterIdAt(store, id.seqno)
  return known !== undefined && sameBlock(known, id)
}
