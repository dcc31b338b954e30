import { createClient, type TonClient } from '../../client/index.ts'
import { runGetMethod } from './get-method.ts'
import { hold } from './hold.ts'
import { type Host, startHost } from './host.ts'
import { createInProcessFetch } from './in-process-fetch.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { createMemoryPort } from './memory.ts'
import { configOf, settingsOf } from './settings.ts'
import { startHostThread } from './thread/host-thread.ts'
import type { Tonway, TonwayOptions, Trace } from './types.ts'

/** Tonways that are not closed yet. They do not keep the process running, and are closed when it has nothing else to do. */
const open = new Set<Tonway>()
const closeAll = (): void => {
  for (const tonway of open) void tonway.close()
}

type Block = Awaited<ReturnType<TonClient['getMasterchainInfo']>>['last']

/** Returns whether a masterchain block is still in the chain. After a revert to an earlier block it is not. */
const isThere = async (client: TonClient, { workchain, shard, seqno, root_hash }: Block): Promise<boolean> => {
  const { last } = await client.getMasterchainInfo()
  return last.seqno >= seqno && (await client.lookupBlock({ workchain, shard, seqno })).root_hash === root_hash
}

/** Runs `work`. Returns its result with all transactions since its start. Waits for earlier messages first. */
const recorded = async <T>(host: Host, client: TonClient, work: () => Promise<T>): Promise<Trace & { readonly result: T }> => {
  await host.settled()
  const { last } = await client.getMasterchainInfo()
  const result = await work()
  if (!(await isThere(client, last)))
    throw new Error('record: the chain was reverted to a block before those to record, so they no longer exist')
  return { result, ...(await client.local.trace({ after: last.seqno })) }
}

/**
 * Starts a tonway in this process. By default it has a new chain, no index and a free port, and stores nothing. Resolves when it answers calls. Rejects with an
 * Error whose message names the invalid options, or the reason why it cannot start. Several tonways can run at the same time.
 */
export const startTonway = async (options: TonwayOptions = {}): Promise<Tonway> => {
  const { thread = false, waitForBlock = true } = options
  for (const [name, value] of Object.entries({ thread, waitForBlock }))
    if (typeof value !== 'boolean') throw new TypeError(`startTonway: ${name}=${JSON.stringify(value)} must be true or false`)
  const settings = settingsOf(options)
  // Both kinds of host validate their settings. This check comes before the thread, so that invalid settings start none.
  if (thread) configOf(settings)
  const host = await hold(thread ? startHostThread(settings) : startHost(settings))
  const { url, wsUrl, wallets } = host
  const port = createMemoryPort(host.connect)
  const transport = inProcessTransport(port, url)
  let closing: Promise<void> | undefined
  const client = createClient({
    url,
    fetch: host.ask === undefined ? transport.fetch : createInProcessFetch(host.ask, () => closing !== undefined),
  })
  const close = async (): Promise<void> => {
    open.delete(tonway)
    client.close()
    port.close()
    await host.close()
  }
  const tonway: Tonway = {
    url,
    wsUrl,
    client,
    wallets,
    ...transport,
    endpoint: `${url}/api/v2/jsonRPC`,
    record: (work) => hold(recorded(host, client, work)),
    get: (address, method, stack = []) => hold(runGetMethod(client, address, method, stack)),
    indexed: () => hold(host.indexed()),
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
