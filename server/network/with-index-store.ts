import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createDatabase, type Database, type DatabaseOptions } from '../store/postgres/database-server.ts'
import { openStore, type Store } from '../store/store.ts'
import { createTvm } from '../tvm/create.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { type ChainSource, type ChainSourceDeps, openChainSource } from './chain-source.ts'

/** Inputs of a command that works on an index without a running service (`index --to`, `verify`). */
export interface IndexCommand {
  readonly print: (text: string) => void
  /** Undefined if the output is not a terminal. */
  readonly draw: ((text: string) => void) | undefined
  readonly log: Log
  readonly signal: AbortSignal
  /** The TVM that a test passes in. The command does not close it. */
  readonly tvm?: Tvm | undefined
}

export interface IndexWork {
  readonly tvm: Tvm
  readonly database: Database
  /** Opens the network's chain. Must be called only once. */
  openChain(): Promise<ChainSource>
  /** Must be called only once. Migrates the tables of the index. */
  openIndex(): Promise<Store>
}

/** Does the work of a command on an index. Afterwards closes what it opened. */
export const withIndexStore = async <T>(
  config: NetworkConfig,
  options: DatabaseOptions,
  { log, signal, tvm: given, isStill }: Pick<IndexCommand, 'log' | 'signal' | 'tvm'> & Pick<ChainSourceDeps, 'isStill'>,
  work: (on: IndexWork) => Promise<T>,
): Promise<T> => {
  const database = createDatabase(options)
  const tvm = given ?? createTvm({ workers: config.tvmWorkers })
  let chain: ChainSource | undefined
  let store: Store | undefined
  try {
    return await work({
      tvm,
      database,
      async openChain() {
        chain = await openChainSource(config, { tvm, log, clock: systemClock, signal, isStill })
        return chain
      },
      async openIndex() {
        store = await openStore({ database, suffix: config.database, signal })
        return store
      },
    })
  } finally {
    await store?.close()
    await chain?.close()
    if (!given) await tvm.close()
    await database.close()
  }
}
