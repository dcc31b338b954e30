import type { Action, Names } from '../base/types.ts'

/** Compares logical times: decimal numbers of 64 bits. */
const compare = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Sorts a deployment after the message that caused it. */
const isDeploy = ({ type }: Action): number => Number(type === 'contract_deploy')

/** Sorts the actions of one trace so that causes come before effects: by start, then the longer action first. */
export const byCause = (actions: readonly Action[]): readonly Action[] =>
  actions.toSorted((a, b) => compare(a.start_lt, b.start_lt) || compare(b.end_lt, a.end_lt) || isDeploy(a) - isDeploy(b))

/** A pending trace has no trace id, so its external message identifies it. */
const traceOf = ({ trace_id: id, trace_external_hash: hash, action_id: own }: Action): string => id ?? hash ?? own

/** Groups actions by trace, in the order of each trace's first action. Actions of different traces can alternate in the input. */
export const byTrace = (actions: readonly Action[]): readonly (readonly Action[])[] => {
  const traces = new Map<string, Action[]>()
  for (const action of actions) {
    const trace = traceOf(action)
    const group = traces.get(trace)
    if (group === undefined) traces.set(trace, [action])
    else group.push(action)
  }
  return [...traces.values()].map(byCause)
}

/** True if an action deploys a jetton wallet, as when an owner receives a jetton for the first time. */
const isWalletDeploy = ({ type, details }: Action, { book }: Names): boolean => {
  const { destination } = details as { readonly destination?: string | null }
  return type === 'contract_deploy' && book[destination ?? '']?.interfaces?.includes('jetton_wallet') === true
}

/** Removes deployments of jetton wallets, unless a trace has no other actions. */
export const withoutWalletDeploys = (actions: readonly Action[], names: Names): readonly Action[] => {
  const deploys = new Set(actions.filter((action) => isWalletDeploy(action, names)))
  const withOthers = new Set(actions.filter((action) => !deploys.has(action)).map(traceOf))
  return actions.filter((action) => !deploys.has(action) || !withOthers.has(traceOf(action)))
}
