import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type TonClient } from '../../client/index.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import { type App, startApp } from '../app.ts'
import { createLog, silentLog } from '../base/log.ts'
import { ConfigError } from '../cli/load-config.ts'
import { startFailure } from '../cli/start-failure.ts'
import { createInProcessFetch } from './in-process-fetch.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { connectInMemory, createMemoryPort } from './memory.ts'
import { configOf, type HostSettings } from './settings.ts'
import type { FundedWallet } from './types.ts'

export interface Host {
  readonly url: string
  readonly wsUrl: string
  readonly wallets: readonly FundedWallet[]
  /**
   * Answers JSON-RPC without a connection: the text of a request or a batch. undefined if requests are logged, because such calls would not appear in the
   * log.
   */
  readonly ask: ((text: string, signal: AbortSignal) => Promise<string | undefined>) | undefined
  connect(): Duplex
  /** Resolves when the embedded chain has delivered all messages. Without an embedded chain it resolves at once. */
  settled(): Promise<void>
  /** Resolves when the index contains the newest block. Rejects if there is no index. */
  indexed(): Promise<void>
  /** Closes the service and everything that it started. Must be called only once. */
  close(): Promise<void>
}

/** Origin of a tonway without a port. Names below `localhost` mean this machine (RFC 6761), so it passes the check of `local.*`. */
const NO_PORT = 'http://tonway.localhost'

/** Interval (ms) of checks whether the index has been reverted. */
const LOOK_MS = 5

const walletsOf = (app: App): readonly FundedWallet[] =>
  (app.network.control?.wallets() ?? []).map(({ version, address, mnemonic, publicKey }) => ({
    version,
    address: formatFriendly(address, { bounceable: false }),
    mnemonic,
    publicKey: Buffer.from(publicKey).toString('hex'),
  }))

/**
 * Waits until the index of the default network contains the newest block. Compares roots, because after a revert of the chain the index still has the
 * reverted blocks for a moment.
 */
const untilIndexed = async ({ network: { chain, index } }: App, client: TonClient): Promise<void> => {
  if (index === undefined) throw new Error('indexed: there is no index; start it with index: true')
  for (;;) {
    const { id, epoch } = chain.head()
    await index.reached(id.seqno, new AbortController().signal)
    const { last } = await client.v3.masterchainInfo()
    if (last.seqno >= id.seqno && last.seqno <= chain.head().id.seqno) {
      const { root_hash } = await client.lookupBlock({ workchain: id.workchain, shard: last.shard, seqno: last.seqno })
      // If the comparison fails, a revert has replaced the newest block meanwhile, so the loop starts again.
      if (root_hash === last.root_hash && chain.head().epoch === epoch) return
    }
    await sleep(LOOK_MS)
  }
}

/** A host in this thread. `accept` takes the service's end of a connection from another thread. */
export interface OwnHost extends Host {
  readonly waitsForBlock: boolean
  accept(socket: Duplex): void
}

/** Starts the service in this thread. Rejects with an Error whose message names the invalid settings, or the reason why the service cannot start. */
export const startHost = async (settings: HostSettings): Promise<OwnHost> => {
  const config = configOf(settings)
  const log = config.log === 'silent' ? silentLog : createLog(config.log, undefined, config.logFormat)
  const app = await startApp(config, { log, unref: true, ...(!settings.listens && { portless: NO_PORT }) }).catch((cause: unknown) => {
    throw cause instanceof ConfigError ? cause : new Error(startFailure(cause, config), { cause })
  })
  const { url, wsUrl, ask: answer, accept } = app
  const { waitsForBlock } = settings
  const ask: Host['ask'] = answer && ((text, signal) => answer(text, signal, waitsForBlock))
  const connect = (): Duplex => connectInMemory(accept, waitsForBlock)
  const port = createMemoryPort(connect)
  const client = createClient({
    url,
    fetch: ask === undefined ? inProcessTransport(port, url).fetch : createInProcessFetch(ask, () => false),
  })
  return {
    url,
    wsUrl,
    wallets: walletsOf(app),
    waitsForBlock,
    ask,
    connect,
    accept,
    settled: async () => app.network.control?.settled(new AbortController().signal),
    indexed: () => untilIndexed(app, client),
    async close() {
      client.close()
      port.close()
      await app.close()
    },
  }
}
