import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type TonClient } from '../../client/index.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import { type App, startApp } from '../app.ts'
import { createLog, silentLog } from '../base/log.ts'
import { ConfigError, loadConfig } from '../cli/load-config.ts'
import { startFailure } from '../cli/start-failure.ts'
import type { Config } from '../config/settings.ts'
import { createDoors } from './doors.ts'
import { runGetMethod } from './get-method.ts'
import { hold } from './hold.ts'
import { createMemoryPort } from './memory.ts'
import type { FundedWallet, Tonway, TonwayOptions, Trace } from './types.ts'

/** The defaults of `startTonway` where they differ from those of the command. */
const DEFAULTS = { port: 0, liteserverPort: 'off', index: false, metadata: false, blockTime: 0, anonymousRps: 'unlimited', log: 'silent' }

/** Origin of a tonway without a port. Names below `localhost` are this machine's (RFC 6761), so `local.*` may be called by it. */
const NO_PORT = 'http://tonway.localhost'

/** Checked settings. Throws an error with everything that is wrong with them. */
const configOf = ({ port, ...options }: TonwayOptions): Config => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const told = { ...DEFAULTS, ...given, ...(port !== undefined && port !== 'off' && { port }) }
  const { config } = loadConfig({
    argv: [],
    env: {},
    file: JSON.stringify(told, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    from: 'startTonway',
  })
  if (config.workers > 1) throw new ConfigError(['startTonway: workers is for the command, because this tonway runs in one process'])
  return config
}

const walletsOf = (app: App): readonly FundedWallet[] =>
  (app.network.control?.wallets() ?? []).map(({ version, address, mnemonic, publicKey }) => ({
    version,
    address: formatFriendly(address, { bounceable: false }),
    mnemonic,
    publicKey: Buffer.from(publicKey).toString('hex'),
  }))

/** Tonways that were not closed. They let the process end; when nothing else is left to do, they are closed. */
const open = new Set<Tonway>()
const closeAll = (): void => {
  for (const tonway of open) void tonway.close()
}

/** Milliseconds between checks of an index that has not reverted yet. */
const LOOK_MS = 5

/** Waits until the index of the default network shows its newest block. For a moment after a revert of the chain the index still has the reverted blocks. */
const untilIndexed = async ({ network: { chain, index } }: App, client: TonClient): Promise<void> => {
  if (index === undefined) return
  for (;;) {
    const { id, epoch } = chain.head()
    await index.reached(id.seqno, new AbortController().signal)
    const { last } = await client.v3.masterchainInfo()
    if (last.seqno >= id.seqno && last.seqno <= chain.head().id.seqno) {
      const { root_hash } = await client.lookupBlock({ workchain: id.workchain, shard: last.shard, seqno: last.seqno })
      // A revert in the meantime has made another block the newest one.
      if (root_hash === last.root_hash && chain.head().epoch === epoch) return
    }
    await sleep(LOOK_MS)
  }
}

type Block = Awaited<ReturnType<TonClient['getMasterchainInfo']>>['last']

/** Whether a masterchain block is in the chain; it is not after a revert to an earlier one. */
const isThere = async (client: TonClient, { workchain, shard, seqno, root_hash }: Block): Promise<boolean> => {
  const { last } = await client.getMasterchainInfo()
  return last.seqno >= seqno && (await client.lookupBlock({ workchain, shard, seqno })).root_hash === root_hash
}

/** Does `work`, and tells every transaction since. What was going on before is waited for first. */
const recorded = async <T>(
  { network: { control } }: App,
  client: TonClient,
  work: () => Promise<T>,
): Promise<Trace & { readonly result: T }> => {
  await control?.settled(new AbortController().signal)
  const { last } = await client.getMasterchainInfo()
  const result = await work()
  if (!(await isThere(client, last)))
    throw new Error('record: the chain was reverted to a block before those that would be told of, so nothing is known of them')
  return { result, ...(await client.local.trace({ after: last.seqno })) }
}

/**
 * Starts a tonway in this process. By default it has a new chain, no index and a free port, and keeps nothing. Resolves when it answers. Rejects with a text
 * that says what is wrong with the options, or why it cannot start. Any number of them can run side by side.
 */
export const startTonway = async (options: TonwayOptions = {}): Promise<Tonway> => {
  const config = configOf(options)
  const log = config.log === 'silent' ? silentLog : createLog(config.log, undefined, config.logFormat)
  const listens = options.port !== 'off'
  const app = await hold(startApp(config, { log, unheld: true, ...(!listens && { portless: NO_PORT }) })).catch((cause: unknown) => {
    throw cause instanceof ConfigError ? cause : new Error(startFailure(cause, config), { cause })
  })
  const { url, wsUrl } = app
  const port = createMemoryPort(app.accept)
  const doors = createDoors(port, url)
  const client = createClient({ url, fetch: doors.fetch as typeof fetch })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    open.delete(tonway)
    client.close()
    port.close()
    await app.close()
  }
  const tonway: Tonway = {
    url,
    wsUrl,
    client,
    wallets: walletsOf(app),
    ...doors,
    endpoint: `${url}/api/v2/jsonRPC`,
    record: (work) => hold(recorded(app, client, work)),
    get: (address, method, stack = []) => hold(runGetMethod(client, address, method, stack)),
    indexed: () => hold(untilIndexed(app, client)),
    close() {
      closing ??= hold(close())
      return closing
    },
    [Symbol.asyncDispose]: () => tonway.close(),
  }
  if (open.size === 0) {
    process.off('beforeExit', closeAll)
    process.on('beforeExit', closeAll)
  }
  open.add(tonway)
  return tonway
}
