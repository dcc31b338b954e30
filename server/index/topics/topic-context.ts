import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import type { FetchLibraries } from '../../chain/libraries.ts'
import { configParam } from '../../tlb/config/config-dictionary.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { AccountRows, Reads } from './account-rows.ts'
import type { AccountViews } from './account-views.ts'
import { runMethod } from './run-method.ts'
import type { TopicContext } from './topic.ts'

export type TopicConfig = Pick<BlockConfig, 'root' | 'param'>

export const configOfRoot = (root: Cell): TopicConfig => ({ root, param: (param) => configParam(root, param) })

/** The hash of the masterchain account that a configuration parameter names. */
export const configAddress = async (context: Pick<TopicContext, 'configParam'>, param: number): Promise<Uint8Array | undefined> => {
  const cell = await context.configParam(param)
  return cell && attempt(() => cell.slice().loadBytes(32))
}

export interface ContextDeps extends Pick<TopicContext, 'rows' | 'put' | 'failed' | 'leaveOut'> {
  readonly reads: Reads
  readonly accountRows: AccountRows
  /** Values that stay from block to block. */
  readonly cachedValues: Map<string, unknown>
  readonly views: AccountViews
  readonly config: () => Promise<TopicConfig>
  readonly libraries: FetchLibraries
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  /** Values that `once` returns without creating them. */
  readonly present?: Iterable<readonly [name: string, value: unknown]>
}

export const createTopicContext = (deps: ContextDeps, signal: AbortSignal): TopicContext => {
  const { reads, accountRows, cachedValues, views, config, libraries, tvm, present = [], ...own } = deps
  const made = new Map<string, Promise<unknown>>([...present].map(([name, value]) => [name, Promise.resolve(value)]))
  return {
    ...own,
    stored: (text, values) => reads.read(text, values),
    owners: (keys) => accountRows.owners(reads, keys),
    accountRows: (of, keys) => accountRows.rows(reads, of, keys),
    cached<T>(name: string, make: () => T): T {
      if (!cachedValues.has(name)) cachedValues.set(name, make())
      return cachedValues.get(name) as T
    },
    async accounts(keys) {
      await reads.ensure?.(keys)
      return await views.at(keys)
    },
    states: (accounts) => views.states(accounts),
    firstLts: (accounts) => views.firstLts(accounts),
    lastChanges: (keys) => views.lastChanges(keys),
    async run(account, method, stack = []) {
      if (tvm === undefined) throw new Error('the index was given no TVM')
      const [state] = await views.states([account])
      return await runMethod(tvm, account, state, method, stack, await config(), libraries, signal)
    },
    library: async (hash) => (await libraries([hash], signal))[0]?.code,
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      const value = made.get(name) ?? make()
      made.set(name, value)
      return value as Promise<T>
    },
    configParam: async (param) => (await config()).param(param),
  }
}
