import type { Cell } from '../../../server/cell/cell.ts'
import type { Slice } from '../../../server/cell/slice.ts'
import type { ActionPhase } from '../../../server/tlb/transaction/tr-phases.ts'
import { loadTransaction, type Transaction } from '../../../server/tlb/transaction/transaction.ts'
import type { ProgramAnswer } from './program-answers.ts'
import type { TransactionAnswer } from './transaction-answers.ts'
import type { TransactionCase } from './transactions.ts'

/* Differences from the oracles that stand, as they look from outside. server/tvm/README.md lists them with the node's source lines. */

/** The kind of a program's difference; undefined if it is none of the listed ones. */
export const knownProgram = (own: ProgramAnswer, theirs: ProgramAnswer): string | undefined => {
  if (own.exit === 10) return 'a malformed dictionary'
  if (own.exit !== theirs.exit) return undefined
  if (own.exit === -14) return 'gas out within a dictionary'
  const more = own.gas - theirs.gas
  return own.steps === theirs.steps && more >= 3 && more <= 16 ? 'bits that zeros complete' : undefined
}

const find = (root: Cell | undefined, hash: Uint8Array): Cell | undefined => {
  if (root === undefined || Buffer.compare(root.hash(), hash) === 0) return root
  for (let i = 0; i < root.refCount; i++) {
    const found = find(root.ref(i), hash)
    if (found !== undefined) return found
  }
  return undefined
}

/** The action at a position of the list that a phase ran: the slice after the reference to the earlier ones. */
const actionAt = (c: TransactionCase, phase: ActionPhase, at: number | undefined): Slice | undefined => {
  let node = find(c.account, phase.actionListHash) ?? find(c.message, phase.actionListHash)
  for (let i = phase.totActions - 1; i > (at ?? 0) && node !== undefined; i--) node = node.ref(0)
  return node?.slice().skipRefs(1)
}

/** Whether a reservation's amount is written with a leading zero byte. */
const hasLooseAmount = (action: Slice | undefined): boolean => {
  if (action?.remainingBits === undefined || action.remainingBits < 52 || action.loadUint(32) !== 0x36e6b809) return false
  return action.skip(8).loadUint(4) > 0 && action.preloadUint(8) === 0
}

/** Whether it is an external message with mode +2 and modes that only internal messages have. */
const isExternalWithOtherModes = (action: Slice | undefined): boolean => {
  if (action === undefined || action.loadUint(32) !== 0x0ec3c86d) return false
  const mode = action.loadUint(8) & ~16
  return (mode & 2) !== 0 && (mode & ~3) !== 0 && action.loadRef().slice().loadBit()
}

const withoutFees = (phase: ActionPhase): string =>
  JSON.stringify({ ...phase, totalActionFees: undefined }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Parts of an ordinary or tick-tock transaction that a difference is told by. */
const outcomeOf = (transaction: Transaction): { readonly action?: ActionPhase | undefined; readonly destroyed: boolean } | undefined => {
  const { description } = transaction
  return description.type === 'ordinary' || description.type === 'tick-tock' ? description : undefined
}

/** The kind of a transaction's difference from the emulator; undefined if it is none of the listed ones. */
export const knownFromEmulator = (own: TransactionAnswer): string | undefined =>
  /it is \d+ cells deep, and \d+ are allowed/.test(own.detail) ? 'an external message that is too deep' : undefined

/** The kind of a transaction's difference from tonutils-go; undefined if it is none of the listed ones. */
export const knownFromGo = (c: TransactionCase, own: TransactionAnswer, theirs: TransactionAnswer): string | undefined => {
  if (own.transaction === undefined || theirs.transaction === undefined) return undefined
  const mine = outcomeOf(loadTransaction(own.transaction))
  const other = outcomeOf(loadTransaction(theirs.transaction))
  const [phase, given] = [mine?.action, other?.action]
  if (phase === undefined || given === undefined) return undefined
  const sameEnd = phase.resultCode === given.resultCode && phase.resultArg === given.resultArg
  if (!phase.success && sameEnd && withoutFees(phase) === withoutFees(given)) {
    return mine!.destroyed === other!.destroyed ? 'fees of a failed action phase' : 'deletion by a failed action phase'
  }
  if (phase.resultCode === 34 && hasLooseAmount(actionAt(c, phase, phase.resultArg))) return 'a reservation with a leading zero'
  if (phase.resultCode === 45 && given.resultCode === 35 && phase.resultArg === given.resultArg) return 'extra_flags before the source'
  if (given.resultCode === 34 && isExternalWithOtherModes(actionAt(c, phase, given.resultArg))) return 'libraries before the modes'
  return undefined
}
