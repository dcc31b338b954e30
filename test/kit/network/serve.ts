import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../../server/base/log.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { startEndpoint } from '../../../server/chain/endpoint/server.ts'
import { globalConfig } from '../../../server/chain/endpoint/write-global-config.ts'
import { LiteServerError } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import { createNetwork, type NetworkOptions, type NetworkStep } from './network.ts'
import { createNetworkStore } from './store.ts'

/* The network on a lite-server of the project's own, with a new masterchain block at each step of the clock. */

export interface ServedNetwork {
  /** The global config that leads to it. */
  readonly config: string
  /** Makes blocks in time until the signal is aborted. `onStep` is called when the lite-server has the block. */
  run(signal: AbortSignal, onStep: (step: NetworkStep, at: number) => void): Promise<void>
  close(): Promise<void>
}

const refuse = (): Promise<never> => Promise.reject(new LiteServerError(0, 'this network takes no messages and runs no methods'))

/** The network at its first block, from which clients trust it. */
export const serveNetwork = async (options: NetworkOptions, file: string): Promise<ServedNetwork> => {
  const network = createNetwork(options)
  const store = createNetworkStore(network.genesis, file)
  const { query } = createAnswers({ store, tvm: { runGetMethod: refuse }, sendMessage: refuse, clock: { now: () => Date.now() / 1000 } })
  const source = { query, heads: store.heads, head: store.head }
  const endpoint = await startEndpoint(source, { host: '127.0.0.1', port: 0, key: createKey() }, { log: silentLog })
  store.add(await network.step())
  const config = await globalConfig(source, endpoint, new AbortController().signal)
  return {
    config,
    async run(signal, onStep) {
      for (let due = performance.now() + options.stepMs; ; ) {
        await sleep(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        const step = await network.step()
        store.add(step)
        onStep(step, Date.now())
        // A network that is late, on a busy machine, catches up with half the steps at most.
        due = Math.max(due + options.stepMs, performance.now() + options.stepMs / 2)
      }
    },
    async close() {
      await endpoint.close()
      store.close()
    },
  }
}
