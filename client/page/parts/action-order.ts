import type { Action, Names } from '../base/types.ts'

/* The order in which people read actions: the newest trace first, and within a trace what caused something before what came of it. */

/** Compares logical times: decimal numbers of 64 bits. */
const compare = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** A deploy is what came of the message that did it. */
const isDeploy = ({ type }: Action): number => Number(type === 'contract_deploy')

/** Actions of one trace, each before what came of it: by their beginning, then the longer one first. */
export const byCause = (actions: readonly Action[]): readonly Action[] =>
  actions.toSorted((a, b) => compare(a.start_lt, b.start_lt) || compare(b.end_lt, a.end_lt) || isDeploy(a) - isDeploy(b))

/** The trace that an action belongs to: one that is in no block yet is named by its external message. */
const traceOf = ({ trace_id: id, trace_external_hash: hash, action_id: own }: Action): string => id ?? hash ?? own

/** Actions by their trace, each trace in the place of its first action, although other traces went on meanwhile. */
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

/** Whether an action is the deployment of a jetton wallet, which comes with the first jettons of an owner. */
const isWalletDeploy = ({ type, details }: Action, { book }: Names): boolean => {
  const { destination } = details as { readonly destination?: string | null }
  return type === 'contract_deploy' && book[destination ?? '']?.interfaces?.includes('jetton_wallet') === true
}

/** Actions without the deployments of jetton wallets, where the same trace has something that a user did. */
export const withoutWalletDeploys = (actions: readonly Action[], names: Names): readonly Action[] => {
  const deploys = new Set(actions.filter((action) => isWalletDeploy(action, names)))
  const withOthers = new Set(actions.filter((action) => !deploys.has(action)).map(traceOf))
  return actions.filter((action) => !deploys.has(action) || !withOthers.has(traceOf(action)))
}
