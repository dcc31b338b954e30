import { setMaxListeners } from 'node:events'
import { clientOf, setClient } from '../../../base/call-client.ts'
import { builtWorker } from '../../../base/threads/built-worker.ts'
import { createLink, type Link, type Message } from '../../../base/threads/link.ts'
import { createOutbox } from '../../../base/threads/outbox.ts'
import { packed } from '../../../base/threads/packed.ts'
import { startThread } from '../../../base/threads/start.ts'
import { parseBocRoot } from '../../../cell/boc.ts'
import { makeTvmConfig } from '../../../tvm/config.ts'
import { packResult, unpackMethod } from '../../../tvm/get-method-wire.ts'
import type { LiteAnswer } from '../../liteserver.ts'
import { CHAIN_ERRORS } from '../../remade-errors.ts'
import { type LocalChainDeps, type LocalChainOptions, takeDirectory } from '../create.ts'
import type { LocalChain, LocalControl } from '../local-chain.ts'
import { createHeadHub, type HeadHub } from '../store/head-hub.ts'
import { withBocs } from './cells.ts'
import type {
  ChainNews,
  ControlRequest,
  LogLine,
  MethodRequest,
  Opened,
  OpenRequest,
  QueryRequest,
  TransactionsRequest,
} from './protocol.ts'

/*
 * Runs the embedded chain in its own thread, so that making blocks never delays the thread that serves. The pool of the TVM stays in the serving thread and
 * runs what takes too long for the chain's thread. The serving thread holds the directory, so that it is free again if the chain's thread dies.
 */

/** How long the chain's thread has to close its files before it is ended, ms. */
const CLOSE_MS = 10_000

/** What the chain's thread asks of the pool. */
const poolFor = (tvm: LocalChainDeps['tvm']) => ({
  'get-method': async ({ request, config, client }: MethodRequest, signal: AbortSignal) => {
    if (client !== undefined) setClient(signal, client)
    return packed(packResult(await tvm.runGetMethod(unpackMethod(request, makeTvmConfig(parseBocRoot(config))), signal)))
  },
  transactions: async ({ requests, configs, urgent, client }: TransactionsRequest, signal: AbortSignal) => {
    if (client !== undefined) setClient(signal, client)
    const made = new Map([...configs].map(([id, boc]) => [id, makeTvmConfig(parseBocRoot(boc))]))
    const own = requests.map(({ configId, ...rest }) => ({ ...rest, config: made.get(configId)! }))
    return packed(await tvm.runTransactions(own, signal, { urgent }))
  },
})

const controlOver = (link: Link, { wallets }: Opened): LocalControl => {
  const call = <T>(name: ControlRequest['name'], args: readonly unknown[], signal: AbortSignal): Promise<T> => {
    // Many injections may share the signal of one call.
    setMaxListeners(0, signal)
    return link.ask('control', { name, args: withBocs(packed(args)) } as ControlRequest, signal)
  }
  return {
    wallets: () => wallets,
    fund: (to, amount, signal) => call('fund', [to, amount], signal),
    mine: (count, signal) => call('mine', [count], signal),
    // Messages keep their order, so a later call finds it set.
    setAutomine: (on) => link.tell('automine', on),
    setTime: (utime, signal) => call('setTime', [utime], signal),
    increaseTime: (seconds, signal) => call('increaseTime', [seconds], signal),
    snapshot: (signal) => call('snapshot', [], signal),
    revert: (snapshot, signal) => call('revert', [snapshot], signal),
    setAccount: (id, state, signal) => call('setAccount', [id, state], signal),
    sendInternal: (message, signal) => call('sendInternal', [message], signal),
    impersonate: (message, signal) => call('impersonate', [message], signal),
    exportState: (signal) => call('exportState', [], signal),
    settled: (signal) => call('settled', [], signal),
    messagesWait: (signal) => call('messagesWait', [], signal),
    setConfig: (params, signal) => call('setConfig', [params], signal),
  }
}

/** `createLocalChain` in a thread. Heads end, and calls are refused, if the thread dies. `program`: the built worker. */
export const createChainThread = async (
  { dataDir, blockTimeMs, globalId, accounts, wallets, state }: LocalChainOptions,
  { tvm, log }: LocalChainDeps,
  program: URL = builtWorker('chain/local/thread'),
): Promise<LocalChain> => {
  const directory = takeDirectory(dataDir)
  const worker = startThread(program, { name: 'chain' })
  const post = createOutbox<Message>((messages) => worker.postMessage(messages))
  let hub: HeadHub | undefined
  let newest: ChainNews | undefined
  let ended = false
  let closing: Promise<void> | undefined
  const send = (message: Message): boolean => {
    if (!ended) post(message)
    return !ended
  }
  const told = {
    news(news: ChainNews) {
      newest = news
      hub?.set(news.head)
    },
    log: ({ level, event, fields }: LogLine) => log[level](event, fields),
  }
  const link: Link = createLink({ send }, poolFor(tvm), told, CHAIN_ERRORS)
  worker.on('message', (messages: readonly Message[]) => {
    for (const message of messages) link.receive(message)
  })
  worker.on('error', (err) => log.error('chain.thread_failed', { err }))
  worker.on('exit', (code) => {
    if (closing === undefined) log.error('chain.thread_ended', { code })
    ended = true
    link.close()
    hub?.close()
    directory.release()
  })
  let opened: Opened
  try {
    const request: OpenRequest = {
      path: directory.path,
      kept: directory.kept,
      blockTimeMs,
      globalId,
      accounts: withBocs(accounts),
      wallets,
      state: withBocs(state),
    }
    opened = await link.ask<Opened>('open', request)
  } catch (error) {
    closing = Promise.resolve()
    await worker.terminate()
    throw error
  }
  // News may have come in the same message as the answer.
  newest ??= opened.news
  hub = createHeadHub(newest.head)
  const close = async (): Promise<void> => {
    const patience = setTimeout(() => void worker.terminate(), CLOSE_MS)
    // A thread that has died has closed its files.
    await link.ask('close', undefined).catch((err: unknown) => ended || log.error('chain.close_failed', { err }))
    clearTimeout(patience)
    await worker.terminate()
  }
  return {
    async query(fn, args, signal) {
      const asked = { fn, args: packed(args), client: clientOf(signal) } as QueryRequest
      return await link.ask<LiteAnswer<typeof fn>>('query', asked, signal)
    },
    heads: hub.heads,
    head: hub.head,
    control: controlOver(link, opened),
    notes: opened.notes,
    fork: opened.fork,
    trouble: () => newest?.trouble ?? '',
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
