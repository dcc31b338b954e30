import { setTimeout as sleep } from 'node:timers/promises'
import { sentItem } from '../../client/adapters/stack-arguments.ts'
import { createClient, type TonClient } from '../../client/index.ts'
import { runGetMethod } from '../cli/ask/get-method.ts'
import { hold } from './hold.ts'
import { type Host, startHost } from './host.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { configOf, settingsOf } from './settings.ts'
import { startHostThread } from './thread/host-thread.ts'
import type { StackItem, Tonway, TonwayOptions, Trace, TupleArgument } from './types.ts'

/** Tonways that are not closed yet. They do not keep the process running, and are closed when it has nothing else to do. */
const open = new Set<Tonway>()
process.on('beforeExit', () => {
  for (const tonway of open) void tonway.close()
})

type Block = Awaited<ReturnType<TonClient['getMasterchainInfo']>>['last']

/** Returns whether a masterchain block is still in the chain. After a revert to an earlier block it is not. */
const isThere = async (client: TonClient, { seqno, root_hash }: Pick<Block, 'seqno' | 'root_hash'>): Promise<boolean> => {
  const { workchain, shard, seqno: newest } = (await client.getMasterchainInfo()).last
  return newest >= seqno && (await client.lookupBlock({ workchain, shard, seqno })).root_hash === root_hash
}

/** Interval (ms) of checks whether the index has been reverted. */
const LOOK_MS = 5

/** Waits until the index contains the newest block. After a revert of the chain it still has the reverted blocks for a moment. */
const untilIndexed = async (host: Host, client: TonClient): Promise<void> => {
  for (;;) {
    const newest = (await client.getMasterchainInfo()).last.seqno
    await host.reached(newest)
    const { last } = await client.v3.masterchainInfo()
    if (last.seqno >= newest && (await isThere(client, last))) return
    await sleep(LOOK_MS)
  }
}

/**
 * A `fetch` for the client alone: it passes the text of a call to `ask`. Its response has only the members that the client reads, because a real Request and
 * Response cost more than most calls.
 */
const fetchBy =
  (ask: Host['ask']): typeof fetch =>
  async (_, init) => {
    const { body, signal } = init as { readonly body: string; readonly signal: AbortSignal }
    const text = await hold(ask(body, signal))
    const answer: Pick<Response, 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> } = {
      status: 200,
      headers: { get: () => null },
      text: async () => text ?? '',
    }
    return answer as Response
  }

/** Runs `work`. Returns its result with all transactions since its start. Waits for earlier messages first. */
const recorded = async <T>(host: Host, client: TonClient, work: () => Promise<T>): Promise<Trace & { readonly result: T }> => {
  if (typeof work !== 'function') throw new TypeError('record takes a function that does the work: record(() => contract.sendX(...))')
  await host.idleOrBusyTooLong()
  const { last } = await client.getMasterchainInfo()
  const result = await work()
  if (!(await isThere(client, last)))
    throw new Error('record: the chain was reverted to a block before those to record, so they no longer exist')
  return { result, ...(await client.local.trace({ after: last.seqno })) }
}

const isTupleArgument = (item: StackItem | TupleArgument): item is TupleArgument => !Array.isArray(item)

const FORMS =
  "an argument of a get-method is { type: 'int', value: 5n }, { type: 'slice', cell } or another TupleItem of @ton/core, or a pair such as ['num', '5']"

/** The argument of a get-method as the server takes it. Throws TypeError for a builder and NaN, which no server takes, and for what is no argument. */
const toStackItem = (item: StackItem | TupleArgument): StackItem => {
  if (!isTupleArgument(item)) return item
  if (typeof item?.type !== 'string') throw new TypeError(FORMS)
  return sentItem(item as Parameters<typeof sentItem>[0])
}

/** Throws TypeError for arguments that are not in an array. */
const toStack = (stack: readonly (StackItem | TupleArgument)[]): readonly StackItem[] => {
  if (!Array.isArray(stack)) throw new TypeError(`the arguments of a get-method are an array; ${FORMS}`)
  return stack.map(toStackItem)
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
  let closing: Promise<void> | undefined
  const whileOpen =
    <A extends readonly unknown[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      if (closing !== undefined) throw new Error('this tonway is closed')
      return ask(...args)
    }
  const { members, close: closeConnections } = inProcessTransport(whileOpen(host.connect), url)
  const client = createClient({ url, fetch: fetchBy(whileOpen(host.ask)) })
  const close = async (): Promise<void> => {
    open.delete(tonway)
    client.close()
    closeConnections()
    await host.close()
  }
  const tonway: Tonway = {
    url,
    wsUrl,
    client,
    wallets,
    ...members,
    endpoint: `${url}/api/v2/jsonRPC`,
    record: async (work) => await hold(whileOpen(recorded)(host, client, work)),
    get: async (address, method, stack = []) => await hold(runGetMethod(client, address, method, toStack(stack))),
    indexed: async () => await hold(whileOpen(untilIndexed)(host, client)),
    close() {
      closing ??= hold(close())
      return closing
    },
    [Symbol.asyncDispose]: () => tonway.close(),
  }
  open.add(tonway)
  return tonway
}
