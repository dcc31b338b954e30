import type { Action, Columns } from './action.ts'
import { actionId, CALL, DEPLOY, ROOT, type Step } from './step.ts'
import type { Address, Hash } from './trace.ts'

/** Whether a step gets no action: the root, and logs and external calls, which mean nothing alone. */
const isSilent = (step: Step): boolean =>
  step.kind === ROOT || step.nodes.length === 0 || (step.kind === CALL && (step.destination === null || step.source === null))

const NO_ACCOUNTS: readonly Address[] = []

/** Number of accounts that the columns of a trace's actions may still name, in addition to sources and destinations. */
interface Room {
  accounts: number
}

/** Each of 10,000 actions of an order of a multisig can name its 256 signers. Those that do not fit do not list the action. */
const newRoom = (): Room => ({ accounts: 50_000 })

const accountsOf = (step: Step, columns: Columns, room: Room): readonly Address[] => {
  const accounts = new Set<Address>()
  for (const { tx } of step.nodes) accounts.add(tx.account)
  const named = columns.accounts ?? NO_ACCOUNTS
  if (named.length <= room.accounts) {
    room.accounts -= named.length
    for (const account of named) accounts.add(account)
  }
  const add = (account: Address | null | undefined): void => {
    // A few action types store another text than an address here, such as a key.
    if (account?.includes(':')) accounts.add(account)
  }
  add(columns.source)
  add(columns.sourceSecondary)
  // A message that was never sent has no receiver.
  if (!step.isUnsent) {
    add(columns.destination)
    add(columns.destinationSecondary)
  }
  if (step.origin !== undefined) accounts.add(step.origin.tx.account)
  return [...accounts]
}

const transactionsOf = ({ nodes, origin }: Step): readonly Hash[] => {
  const hashes = new Set<Hash>()
  for (const { tx } of nodes) hashes.add(tx.hash)
  if (origin !== undefined) hashes.add(origin.tx.hash)
  return [...hashes]
}

const lastBlockOf = (nodes: Step['nodes']): number => nodes.reduce((last, { tx }) => Math.max(last, tx.mcSeqno), 0)

export const actionOf = (step: Step, id: Hash, parentId: Hash | null, ancestors: readonly string[], room = newRoom()): Action => {
  const columns = typeof step.columns === 'function' ? step.columns(step) : step.columns
  const action = {
    id,
    type: step.kind,
    startLt: step.minLt,
    endLt: step.maxLt,
    startUtime: step.minUtime,
    endUtime: step.maxUtime,
    mcSeqnoEnd: lastBlockOf(step.nodes),
    success: !step.failed,
    source: null,
    sourceSecondary: null,
    destination: null,
    destinationSecondary: null,
    asset: null,
    assetSecondary: null,
    asset2: null,
    asset2Secondary: null,
    opcode: null,
    value: null,
    amount: null,
    extraCurrencies: undefined,
    data: {},
    transactions: transactionsOf(step),
    accounts: NO_ACCOUNTS,
    initiator: step.origin?.tx.account ?? null,
    parentId,
    ancestors,
  }
  // `columns` has another shape for each action type. With a spread the whole classification would take 2.5 times as long.
  Object.assign(action, columns)
  action.accounts = accountsOf(step, columns, room)
  return action
}

/** Deployments among the parts of steps at any depth, without duplicates. */
const deploymentsIn = (steps: readonly Step[]): readonly Step[] => {
  const found = new Set<Step>()
  const open: Step[] = []
  for (const { parts } of steps) for (const part of parts) open.push(part)
  for (let i = 0; i < open.length; i++) {
    const step = open[i]!
    if (step.kind === DEPLOY) found.add(step)
    else for (const part of step.parts) open.push(part)
  }
  return [...found]
}

/**
 * The actions of these steps. A deployment is an action in addition to the action of its step. Parts of a step become actions too, unless the step's action
 * type is in `whole`. Yields before each action.
 */
export function* actionsOf(
  steps: readonly Step[],
  whole: ReadonlySet<string>,
): Generator<void, { readonly actions: readonly Action[]; readonly broken: boolean }> {
  const actions = new Map<Hash, Action>()
  const room = newRoom()
  let broken = false
  const collect = function* (step: Step, parentId: Hash | null, ancestors: readonly string[]): Generator<void> {
    if (isSilent(step) || (parentId !== null && step.kind === DEPLOY)) return
    yield
    if (step.broken) broken = true
    const id = actionId(step.nodes, step.kind)
    if (id === parentId || actions.has(id)) return
    const action = actionOf(step, id, parentId, ancestors, room)
    actions.set(id, action)
    if (whole.has(action.type) || step.parts.length === 0) return
    const above = ancestors.includes(step.kind) ? ancestors : [...ancestors, step.kind]
    for (const part of step.parts) yield* collect(part, id, above)
  }
  for (const step of steps) yield* collect(step, null, [])
  for (const step of deploymentsIn(steps)) yield* collect(step, null, [])
  return { actions: [...actions.values()], broken }
}
