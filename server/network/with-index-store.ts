import { systemClock } from '../base/clock.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createDatabase, type DatabaseOptions } from '../store/postgres/database-server.ts'
import { openStore, type Store } from '../store/store.ts'
import { createTvm } from '../tvm/create.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { type ChainSource, openChainSource } from './chain-source.ts'
import type { IndexCommand } from './index-command.ts'

export interface IndexWork {
  readonly from: ChainSource
  readonly tvm: Tvm
  /** Must be called only once. Migrates the tables of the index. */
  open(): Promise<Store>
}

/** Opens a network's chain for `work`. Afterwards closes the chain, and the store if `work` opened it. */
export const withIndexStore = async <T>(
  config: NetworkConfig,
  options: DatabaseOptions,
  { log, signal, tvm: given }: Pick<IndexCommand, 'log' | 'signal' | 'tvm'>,
  work: (on: IndexWork) => Promise<T>,
): Promise<T> => {
  const database = createDatabase(options)
  const tvm = given ?? createTvm({ workers: config.tvmWorkers })
  try {
    const from = await openChainSource(config, { tvm, log, clock: systemClock, signal })
    let store: Store | undefined
    const open = async (): Promise<Store> => {
      store = await openStore({ database, suffix: config.database, signal })
      return store
    }
    try {
      return await work({ from, tvm, open })
    } finally {
      await store?.close()
      await from.close()
    }
  } finally {
    if (!given) await tvm.close()
    await database.close()
  }
}
