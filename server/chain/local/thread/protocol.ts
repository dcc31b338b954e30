import type { Remade } from '../../../base/threads/failure.ts'
import { ownBytes } from '../../../base/threads/packed.ts'
import { AbsentCellError, type DictPath } from '../../../cell/absent.ts'
import type { Cell } from '../../../cell/cell.ts'
import type { AccountId, BlockId } from '../../../tlb/ids.ts'
import { CHAIN_ERRORS } from '../../remade-errors.ts'
import type { ChainEnd, ChainTip, PackedStep, StepInput } from '../model.ts'
import { placeInLog } from '../store/cell-log.ts'

/*
 * Messages between the serving thread and the thread that makes blocks. Both read the chain's log, so states are named by the places of their roots, and
 * accepted messages by their offsets. Other cells are sent as BoCs. Of a fork both also read the log of fetched cells. If a request needs one that is not
 * there, it is refused with AbsentCellError; the serving thread fetches the cell and asks again.
 */

/** Errors that cross. */
export const COLLATOR_ERRORS: Remade = {
  ...CHAIN_ERRORS,
  AbsentCellError: ({ data }) => new AbsentCellError(String(data['hash']), data['at'] as DictPath, data['others'] as readonly DictPath[]),
}

/** Data of the thread. */
export interface CollatorData {
  /** Path of the chain's log. */
  readonly log: string
  /** Path of a fork's log of fetched cells; undefined if the chain is no fork. */
  readonly fetched: string | undefined
  readonly validatorSeed: Uint8Array
  readonly globalId: number
}

type EndInLog = ChainEnd & { readonly place: number }
/** A tip by the places of its states. */
export interface TipInLog {
  readonly shard: EndInLog
  readonly master: EndInLog
  readonly keyBlockSeqno: number
}

const ownId = (id: BlockId): BlockId => ({ ...id, rootHash: ownBytes(id.rootHash), fileHash: ownBytes(id.fileHash) })
const endInLog = ({ id, endLt, utime, state }: ChainTip['shard']): EndInLog => ({ id: ownId(id), endLt, utime, place: placeInLog(state) })

const tipsInLog = new WeakMap<ChainTip, TipInLog>()
/** A tip of the store for the other thread: the same object each time, so that a message with many requests holds it once. */
export const tipInLog = (tip: ChainTip): TipInLog => {
  const found = tipsInLog.get(tip)
  if (found !== undefined) return found
  const made = { shard: endInLog(tip.shard), master: endInLog(tip.master), keyBlockSeqno: tip.keyBlockSeqno }
  tipsInLog.set(tip, made)
  return made
}

/** What every request has. */
interface Request {
  readonly tip: TipInLog
  /** How far the log of fetched cells is to be read, an offset; 0 if the chain is no fork. */
  readonly fetchedTo: number
}

/** `step`: a step after a tip; the answer is a PackedStep. */
export interface StepRequest extends Request {
  /** Messages of the log by their offsets, others with `{ boc }` in the place of cells. */
  readonly externals: readonly unknown[]
  /** The rest of the input, with `{ boc }` in the place of cells. */
  readonly rest: unknown
}
/** What `StepRequest.rest` is. */
export type OtherInput = Omit<StepInput, 'externals'>
export type StepAnswer = PackedStep

/** `check`: whether a message would be accepted after a tip. */
export interface CheckRequest extends Request {
  readonly utime: number
  /** The message, then those that are run before it, with `{ boc }` in the place of cells. */
  readonly messages: unknown
}
/** What `CheckRequest.messages` is. */
export type CheckedMessages = readonly [message: Cell, ...earlier: Cell[]]

/** An external message that has no record in the log. */
export interface LooseExternal {
  readonly message: Cell
  readonly dest: AccountId
}
