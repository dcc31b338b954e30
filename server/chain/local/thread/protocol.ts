import type { Remade } from '../../../base/threads/failure.ts'
import { ownBytes } from '../../../base/threads/packed.ts'
import { AbsentCellError, type DictPath } from '../../../cell/absent.ts'
import type { Cell } from '../../../cell/cell.ts'
import { CellError, type CellErrorKind } from '../../../cell/error.ts'
import type { AccountId, BlockId } from '../../../tlb/ids.ts'
import { TvmError } from '../../../tvm/tvm.ts'
import { LiteServerError } from '../../liteserver.ts'
import { ProofError } from '../../proofs/error.ts'
import type { ChainEnd, ChainTip, PackedStep, StepInput } from '../model.ts'
import { placeInLog } from '../store/cell-log.ts'

/*
 * Messages between the serving thread and the thread that makes blocks. Both threads read the chain's log. So a state is sent as the position of its root
 * in the log, and an accepted message as its offset. Other cells are sent as BoCs. In a fork both threads also read the log of fetched cells. A request
 * that needs a cell that is not in that log is refused with AbsentCellError; the serving thread fetches the cell and repeats the request.
 */

/** Restores errors of server/chain, of cells and of the TVM from a message of the other thread. */
export const COLLATOR_ERRORS: Remade = {
  LiteServerError: ({ message, data }) => new LiteServerError(Number(data['code']), message),
  CellError: ({ message, data }) => new CellError(data['kind'] as CellErrorKind, message),
  RangeError: ({ message }) => new RangeError(message),
  TvmError: ({ message, data }) => new TvmError(data['kind'] as TvmError['kind'], message),
  // The message is `<what>: <text>`. The constructor adds `<what>: `, so it is removed here.
  ProofError: ({ message, data }) => new ProofError(String(data['what']), message.slice(String(data['what']).length + 2)),
  AbsentCellError: ({ data }) => new AbsentCellError(String(data['hash']), data['at'] as DictPath, data['others'] as readonly DictPath[]),
}

export interface CollatorData {
  readonly log: string
  readonly fetched: string | undefined
  readonly validatorSeed: Uint8Array
  readonly globalId: number
}

type EndInLog = ChainEnd & { readonly place: number }
/** The last blocks, whose states are given by the positions of their roots in the log. */
export interface TipInLog {
  readonly shard: EndInLog
  readonly master: EndInLog
  readonly keyBlockSeqno: number
}

const ownId = (id: BlockId): BlockId => ({ ...id, rootHash: ownBytes(id.rootHash), fileHash: ownBytes(id.fileHash) })
const endInLog = ({ id, endLt, utime, state }: ChainTip['shard']): EndInLog => ({ id: ownId(id), endLt, utime, place: placeInLog(state) })

/** Converts the last blocks for the other thread. */
export const tipInLog = ({ shard, master, keyBlockSeqno }: ChainTip): TipInLog => ({
  shard: endInLog(shard),
  master: endInLog(master),
  keyBlockSeqno,
})

interface Request {
  readonly tip: TipInLog
  /** Offset up to which the thread must read the log of fetched cells; 0 if the chain is not a fork. */
  readonly fetchedTo: number
}

/** `step`: makes a shard block and a masterchain block after `tip`; the answer is a PackedStep. */
export interface StepRequest extends Request {
  /** External messages: the offset of each in the log, or the message with `{ boc }` instead of cells. */
  readonly externals: readonly unknown[]
  /** The rest of the input, with `{ boc }` instead of cells. */
  readonly rest: unknown
}
export type OtherInput = Omit<StepInput, 'externals'>
export type StepAnswer = PackedStep

export interface CheckRequest extends Request {
  readonly utime: number
  /** The message, then the messages to run before it, with `{ boc }` instead of cells. */
  readonly messages: unknown
}
export type CheckedMessages = readonly [message: Cell, ...earlier: Cell[]]

export interface LooseExternal {
  readonly message: Cell
  readonly dest: AccountId
}
