import { createSorted } from '../base/sorted.ts'
import type { Cell } from '../cell/cell.ts'
import { accountIdOf } from '../tlb/address.ts'
import type { AccountId } from '../tlb/ids.ts'
import { loadMessageInfo } from '../tlb/message/message-info.ts'
import type { EmulatedNode } from './trace.ts'

export interface Waiting {
  readonly message: Cell
  readonly to: AccountId
  /** created_lt; 0 for external messages. */
  readonly lt: bigint
  readonly hash: string
  /** Number of the block in which the message is delivered; 0 is the first block after the initial state. */
  readonly step: number
  readonly depth: number
  readonly parent: EmulatedNode | undefined
  readonly ignoreSignatures: boolean
}

/** Delivery order in a block, as in the collator (NewOutMsg): by lt, then by hash. */
const compare = (a: Waiting, b: Waiting): number =>
  a.step - b.step || (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)

export const createQueue = () => createSorted<Waiting>(compare)

/** Returns the receiver of a message and its created_lt (0 for external-in messages); undefined for an external-out message. Throws CellError. */
export const destinationOf = (message: Cell): { readonly to: AccountId; readonly lt: bigint } | undefined => {
  const info = loadMessageInfo(message.slice())
  if (info.type === 'external-out') return undefined
  const hash = accountIdOf(info.dest)
  if (hash === undefined) return undefined
  return { to: { workchain: info.dest.workchain, hash }, lt: info.type === 'internal' ? info.createdLt : 0n }
}
