import type { Clock } from '../../../base/clock.ts'
import type { Cell } from '../../../cell/cell.ts'
import { type BlockId, blockFullText, blockText, isMasterchain, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../../tlb/ids.ts'
import type { Tvm } from '../../../tvm/tvm.ts'
import { LITE_ERROR, type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../../liteserver.ts'
import type { BlockStore, StoredBlock } from '../model.ts'

/* Refusals have the codes and texts of TON's lite-server (validator/impl/liteserver.cpp, manager.cpp). */

export interface AnswersDeps {
  readonly store: BlockStore
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  /** Checks and queues an external message; rejects with a LiteServerError that carries TON's text. */
  readonly sendMessage: (boc: Uint8Array, signal: AbortSignal) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  /** The newest block of each shard that no masterchain block commits yet; by default there are none. */
  readonly pendingShardBlocks?: () => readonly BlockId[]
}

export type Answer<F extends LiteFunction> = (args: LiteArgs<F>, signal: AbortSignal) => Promise<LiteAnswer<F>>
export type Answers<F extends LiteFunction = LiteFunction> = { readonly [K in F]: Answer<K> }

/** Error code of refusals by TON's lite-server itself (LiteQuery::fatal_error). */
const FATAL = -400
export const refuse = (text: string): LiteServerError => new LiteServerError(FATAL, text)

export const notInDb = (store: BlockStore, id: BlockId, prefix = ''): LiteServerError => {
  const last = store.head().id.seqno
  const ahead = id.workchain === MASTERCHAIN && id.seqno > last ? ` (last known masterchain block: ${last})` : ''
  return new LiteServerError(LITE_ERROR.notReady, `${prefix}block ${blockText(id)} is not in db${ahead}`)
}

export const notFound = (
  store: BlockStore,
  prefix: { readonly workchain: number; readonly shard: bigint },
  type: 'lt' | 'utime' | 'seqno',
  value: bigint | number,
): LiteServerError => {
  const at = `(${prefix.workchain},${prefix.shard.toString(16).padStart(16, '0')})`
  const last = prefix.workchain === MASTERCHAIN ? ` (last known masterchain block: ${store.head().id.seqno})` : ''
  return new LiteServerError(LITE_ERROR.notReady, `cannot find block ${at} ${type}=${value}: ${type} not in db${last}`)
}

export const isValidFull = (id: BlockId): boolean =>
  id.shard !== 0n &&
  (id.shard & 7n) === 0n &&
  id.seqno >= 0 &&
  id.seqno <= 0x7fffffff &&
  (id.workchain !== MASTERCHAIN || id.shard === WHOLE_SHARD)

/** Throws LiteServerError if the id is invalid or unknown. */
export const blockOf = async (store: BlockStore, id: BlockId, prefix = ''): Promise<StoredBlock> => {
  if (!isValidFull(id)) throw refuse('invalid BlockIdExt')
  const block = await store.block(id)
  if (block === undefined) throw notInDb(store, id, prefix)
  return block
}

/** Throws LiteServerError if the state is not in the store. */
export const stateOf = async (store: BlockStore, id: BlockId): Promise<Cell> => {
  const state = await store.state(id)
  if (state === undefined) throw notInDb(store, id, `cannot load state for ${blockFullText(id)} : `)
  return state
}

export const blockAndState = async (store: BlockStore, id: BlockId): Promise<BlockAndState> => {
  const block = await blockOf(store, id, `cannot load block ${blockFullText(id)} : `)
  return { block, state: await stateOf(store, id) }
}

export interface BlockAndState {
  readonly block: StoredBlock
  readonly state: Cell
}

/** Throws unless the block is a masterchain block. */
export const masterBlockAndState = async (store: BlockStore, id: BlockId): Promise<BlockAndState> => {
  if (!isMasterchain(id) || !isValidFull(id)) throw refuse('reference block must belong to the masterchain')
  return blockAndState(store, id)
}

export const masterIdAt = async (store: BlockStore, seqno: number): Promise<BlockId | undefined> => {
  if (seqno > store.head().id.seqno) return undefined
  return seqno === 0 ? store.zeroIds[0] : store.idBySeqno(MASTERCHAIN, seqno)
}

/** True if a masterchain block or zerostate is part of the chain as it is now, after any revert. */
export const isInMasterchain = async (store: BlockStore, id: BlockId): Promise<boolean> => {
  const stored = await masterIdAt(store, id.seqno)
  return stored !== undefined && sameBlock(stored, id)
}
