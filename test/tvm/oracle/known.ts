import type { Cell } from '../../../server/cell/cell.ts'
import type { ActionPhase } from '../../../server/tlb/transaction/tr-phases.ts'
import { loadTransaction, type Transaction } from '../../../server/tlb/transaction/transaction.ts'
import { ACTION_RESERVE, ACTION_SEND_MSG } from '../../../server/tvm/action-tags.ts'
import { initOf, loadRelaxed } from '../../../server/tvm/executor/action-phase/relaxed-message.ts'
import { validActionNode, validStateInit } from '../../../server/tvm/executor/validate-messages.ts'
import type { ProgramAnswer } from './program-answers.ts'
import type { TransactionAnswer } from './transaction-answers.ts'
import type { TransactionCase } from './transactions.ts'

/* Differences from the oracles that stand, as they look from outside. server/tvm/DIFFERENCES.md lists them with the node's source lines. */

/** Whether the gas differs as it does for an opcode that zeros complete. PUSHREFCONT costs 8 less here, all others 3 to 16 more. */
const isCompleted = (own: ProgramAnswer, theirs: ProgramAnswer): boolean => {
  const more = own.gas - theirs.gas
  if (own.exit !== theirs.exit) return own.exit === -14 && theirs.exit === 6 && own.steps === theirs.steps + 1 && more >= 3 && more <= 16
  return own.steps === theirs.steps && ((more >= 3 && more <= 16) || (more === -8 && own.exit === 6))
}

/** The kind of a program's difference; undefined if it is none of the listed ones. `names` are its instructions. */
export const knownProgram = (own: ProgramAnswer, theirs: ProgramAnswer, names: readonly string[]): string | undefined => {
  if (own.exit === 10) return 'a malformed dictionary'
  if (own.exit === 9 && theirs.exit !== 9 && own.steps <= theirs.steps && names.some((name) => name.startsWith('PFXDICT')))
    return 'a label that is cut off'
  const more = own.gas - theirs.gas
  if (own.exit === 9 && theirs.exit === 9 && (more === 75 || more === 50) && names.some((name) => /^DICT.*(DEL|REM)/.test(name))) {
    return 'a malformed edge beside a deleted key'
  }
  if (own.exit === 9 && theirs.exit === 11 && more === 0 && names.includes('SENDMSG')) return 'an exotic message for SENDMSG'
  if (
    own.exit === theirs.exit &&
    own.gas === theirs.gas - 50 &&
    own.steps === theirs.steps - 1 &&
    names.some((name) => name.startsWith('RUNVM'))
  )
    return 'a call of c3 in a child'
  if (own.exit === theirs.exit && own.exit === -14) return 'gas out within a dictionary'
  return isCompleted(own, theirs) ? 'bits that zeros complete' : undefined
}

const find = (root: Cell | undefined, hash: Uint8Array): Cell | undefined => {
  if (root === undefined || Buffer.compare(root.hash(), hash) === 0) return root
  for (let i = 0; i < root.refCount; i++) {
    const found = find(root.ref(i), hash)
    if (found !== undefined) return found
  }
  return undefined
}

/** The node of the action at a position of the list that a phase ran. */
const nodeAt = (c: TransactionCase, phase: ActionPhase, at: number | undefined): Cell | undefined => {
  let node = find(c.account, phase.actionListHash) ?? find(c.message, phase.actionListHash)
  for (let i = phase.totActions - 1; i > (at ?? 0) && node !== undefined; i--) node = node.ref(0)
  return node
}

/** Whether a reservation's amount is written with a leading zero byte. */
const hasLooseAmount = (node: Cell | undefined): boolean => {
  if (node === undefined || node.bits < 52) return false
  const action = node.slice().skipRefs(1)
  if (action.loadUint(32) !== ACTION_RESERVE) return false
  return action.skip(8).loadUint(4) > 0 && action.preloadUint(8) === 0
}

/** A well-formed send action, by what the order of checks depends on. */
interface Send {
  readonly mode: number
  readonly external: boolean
  /** Whether the StateInit has libraries that are no dictionary of SimpleLib. */
  readonly badInit: boolean
}
const sendOf = (node: Cell | undefined): Send | undefined => {
  if (node === undefined || !validActionNode(node)) return undefined
  const action = node.slice().skipRefs(1)
  if (action.loadUint(32) !== ACTION_SEND_MSG) return undefined
  const mode = action.loadUint(8) & ~16
  const message = loadRelaxed(action.loadRef())
  const init = initOf(message)
  return { mode, external: message.info.type === 'external', badInit: init !== undefined && !validStateInit(init) }
}

/** The kind of a difference that an action makes by the order of its checks. */
const knownOrder = (mine: Send | undefined, other: Send | undefined, phase: ActionPhase, given: ActionPhase): string | undefined => {
  if (phase.resultCode === 34 && mine?.external === true) {
    if (mine.mode & ~3) return 'the source before the modes'
    if (mine.badInit) return 'libraries of an external message'
  }
  if (given.resultCode !== 34 || other === undefined || !(other.mode & 2)) return undefined
  if (other.external) return other.mode & ~3 ? 'libraries before the modes' : undefined
  return other.badInit ? 'the value before the libraries' : undefined
}

const withoutFees = (phase: ActionPhase): string =>
  JSON.stringify({ ...phase, totalActionFees: undefined, skippedActions: 0, valid: true }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

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
    if (phase.valid !== given.valid) return 'a list that stays valid'
    if (phase.skippedActions !== given.skippedActions) return 'malformed messages are counted first'
    return mine!.destroyed === other!.destroyed ? 'fees of a failed action phase' : 'deletion by a failed action phase'
  }
  if (phase.resultCode === 34 && hasLooseAmount(nodeAt(c, phase, phase.resultArg))) return 'a reservation with a leading zero'
  if (phase.resultCode === 45 && [35, 36].includes(given.resultCode) && phase.resultArg === given.resultArg) {
    return 'extra_flags before the addresses'
  }
  return knownOrder(sendOf(nodeAt(c, phase, phase.resultArg)), sendOf(nodeAt(c, phase, given.resultArg)), phase, given)
}
