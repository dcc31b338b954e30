import type { Duplex } from 'node:stream'
import { formatFriendly } from '../../shared/fields/address.ts'
import { type App, startApp } from '../app.ts'
import { createLog, silentLog } from '../base/log.ts'
import { UserError } from '../base/user-error.ts'
import { startFailure } from '../cli/start-failure.ts'
import { connectInMemory } from './memory.ts'
import { configOf, type HostSettings } from './settings.ts'
import type { FundedWallet } from './types.ts'

/** A service in this thread or in another one (thread/host-thread.ts). `accept` takes the service's end of a connection from another thread. */
export type Host = Omit<Awaited<ReturnType<typeof startHost>>, 'accept'>

/** Origin of a tonway without a port. Names below `localhost` mean this machine (RFC 6761), so it passes the check of `local.*`. */
const NO_PORT = 'http://tonway.localhost'

const walletsOf = (app: App): readonly FundedWallet[] =>
  (app.network.control?.wallets() ?? []).map(({ version, address, mnemonic, publicKey }) => ({
    version,
    address: formatFriendly(address, { bounceable: false }),
    mnemonic,
    publicKey: Buffer.from(publicKey).toString('hex'),
  }))

/** Starts the service in this thread. Rejects with an Error whose message names the invalid settings, or the reason why the service cannot start. */
export const startHost = async (settings: HostSettings) => {
  const config = configOf(settings)
  const log = config.log === 'silent' ? silentLog : createLog(config.log, undefined, config.logFormat)
  const app = await startApp(config, { log, unref: true, ...(!settings.listens && { portless: NO_PORT }) }).catch((cause: unknown) => {
    throw cause instanceof UserError ? cause : new Error(startFailure(cause, config), { cause })
  })
  const { url, wsUrl, ask, accept, close } = app
  const { waitsForBlock } = settings
  let wallets: readonly FundedWallet[]
  try {
    wallets = walletsOf(app)
  } catch (error) {
    // The service would go on trying to open its network.
    await close()
    throw error
  }
  return {
    url,
    wsUrl,
    wallets,
    /** Answers JSON-RPC without a connection: the text of a request or a batch. */
    ask: (text: string, signal: AbortSignal) => ask(text, signal, waitsForBlock),
    connect: (): Duplex => connectInMemory(accept, waitsForBlock),
    accept,
    /** Resolves when the embedded chain has delivered all messages, or has done so for eight seconds without a break. Without an embedded chain it resolves at once. */
    idleOrBusyTooLong: async (): Promise<void> => app.network.control?.idleOrBusyTooLong(new AbortController().signal),
    /** Resolves when the index has reached a masterchain block. Rejects if there is no index. */
    async reached(seqno: number): Promise<void> {
      const { index } = app.network
      if (index === undefined) throw new Error('indexed: there is no index; start it with index: true')
      await index.reached(seqno, new AbortController().signal)
    },
    /** Closes the service and everything that it started. Must be called only once. */
    close: (): Promise<void> => close(),
  }
}
