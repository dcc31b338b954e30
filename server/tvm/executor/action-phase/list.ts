import type { Cell } from '../../../cell/cell.ts'
import { ACTION_SEND_MSG } from '../../action-tags.ts'
import { mayGoOn, type TransactionRun } from '../transaction-run.ts'
import { validActionNode } from '../validate-messages.ts'
import { type ActionState, BOUNCE, RESULT, SKIP_IF_INVALID } from './state.ts'

const MAX_ACTIONS = 255

const refuse = (state: ActionState, code: number, arg: number): undefined => {
  state.resultCode = code
  state.resultArg = arg
  return undefined
}

const nodesOf = (state: ActionState, list: Cell): Cell[] | undefined => {
  const nodes: Cell[] = []
  for (let cell = list; ; ) {
    if (cell.exotic) return refuse(state, RESULT.listInvalid, nodes.length)
    if (cell.bits === 0 && cell.refCount === 0) return nodes
    if (cell.refCount === 0) return refuse(state, RESULT.listInvalid, nodes.length)
    nodes.push(cell)
    if (nodes.length > MAX_ACTIONS) return refuse(state, RESULT.tooManyActions, nodes.length)
    cell = cell.ref(0)
  }
}

/** Mode of a malformed action_send_msg; 0 if the mode cannot be read. */
const modeOf = (node: Cell): number => {
  if (node.exotic || node.bits < 40) return 0
  const s = node.slice()
  return s.loadUint(32) === ACTION_SEND_MSG ? s.loadUint(8) : 0
}

/**
 * The actions of a list in order of execution. If the list or an action is malformed, returns undefined and sets the reason in the state. A malformed message
 * with mode +2 is replaced by undefined.
 */
export const readActions = (run: TransactionRun, state: ActionState, list: Cell): readonly (Cell | undefined)[] | undefined => {
  const nodes: (Cell | undefined)[] | undefined = nodesOf(state, list)
  if (nodes === undefined) return undefined
  state.actions = nodes.length
  nodes.reverse()
  for (const [i, node] of nodes.entries()) {
    mayGoOn(run.interrupt)
    state.resultArg = i
    if (validActionNode(node!)) continue
    const mode = run.config.rules.skipsInvalid ? modeOf(node!) : 0
    if (mode & SKIP_IF_INVALID) {
      state.skippedActions++
      nodes[i] = undefined
      continue
    }
    if (mode & BOUNCE && run.config.rules.bounceOnFailMode) state.bounce = true
    return refuse(state, RESULT.invalidAction, i)
  }
  state.valid = true
  return nodes
}
