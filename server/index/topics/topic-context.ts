import type { Cell } from '../../cell/cell.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import type { FetchLibraries } from '../../chain/libraries.ts'
import { configParam } from '../../tlb/config/config-dictionary.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { AccountViews } from './account-views.ts'
import { runMethod } from './run-method.ts'
import type { TopicContext } from './topic.ts'

export type TopicConfig = Pick<BlockConfig, 'root' | 'param'>

export const configOfRoot = (root: Cell): TopicConfig => ({ root, param: (param) => configParam(root, param) })

type OwnMembers = Pick<TopicContext, 'rows' | 'owners' | 'accountRows' | 'stored' | 'cached' | 'failed' | 'leaveOut'>

export interface ContextDeps extends OwnMembers {
  readonly views: AccountViews
  readonly config: () => Promise<TopicConfig>
  readonly libraries: FetchLibraries
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly ensure?: ((keys: readonly Buffer[]) => Promise<void> | undefined) | undefined
  /** Values that `once` returns without creating them. */
  readonly present?: Iterable<readonly [name: string, value: unknown]>
}

export const createTopicContext = (deps: ContextDeps, signal: AbortSignal): TopicContext => {
  const { views, config, libraries, tvm, ensure, present = [], ...own } = deps
  const made = new Map<string, Promise<unknown>>([...present].map(([name, value]) => [name, Promise.resolve(value)]))
  return {
    ...own,
    async accounts(keys) {
      await ensure?.(keys)
      return await views.at(keys)
    },
    states: (accounts) => views.states(accounts),
    firstLts: (accounts) => views.firstLts(accounts),
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
