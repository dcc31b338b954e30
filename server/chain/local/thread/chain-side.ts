import { clientOf, setClient } from '../../../base/call-client.ts'
import { systemClock } from '../../../base/clock.ts'
import { createLink, type Link, type Message } from '../../../base/threads/link.ts'
import { packed } from '../../../base/threads/packed.ts'
import { type PackedResult, packMethod, unpackResult } from '../../../tvm/get-method-wire.ts'
import type { TransactionResult, Tvm } from '../../../tvm/tvm.ts'
import type { Head } from '../../liteserver.ts'
import { CHAIN_ERRORS } from '../../remade-errors.ts'
import { openInDirectory } from '../create.ts'
import type { LocalChain } from '../local-chain.ts'
import type { AccountInput } from '../model.ts'
import type { ProducerLog } from '../producer.ts'
import type { BeginState } from '../state-file.ts'
import { withCells } from './cells.ts'
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

/** The pool of the serving thread, for what this thread does not run itself. */
const tvmOf = (link: () => Link): Pick<Tvm, 'runGetMethod' | 'runTransactions'> => ({
  async runGetMethod(request, signal) {
    const asked: MethodRequest = { request: packMethod(request), config: request.config.boc(), client: clientOf(signal) }
    return unpackResult(await link().ask<PackedResult>('get-method', asked, signal))
  },
  async runTransactions(requests, signal, { urgent = false } = {}) {
    const configs = new Map(requests.map(({ config }) => [config.id, config.boc()]))
    const asked: TransactionsRequest = {
      requests: requests.map(({ config, ...rest }) => ({ ...rest, configId: config.id })),
      configs,
      urgent,
      client: clientOf(signal),
    }
    return await link().ask<TransactionResult[]>('transactions', asked, signal)
  },
})

/** Runs the embedded chain for another thread; returns what takes that thread's messages. */
export const hostChain = (send: (message: Message) => void): ((message: unknown) => void) => {
  let chain: LocalChain | undefined
  let told: { readonly head: Head; readonly trouble: string } | undefined
  const news = (open: LocalChain): ChainNews => ({ head: open.head!(), trouble: open.trouble() })
  /** Sends the head and the trouble if they have changed. It runs before each message, so that no answer overtakes the head that it belongs to. */
  const tell = (): void => {
    if (chain === undefined) return
    const now = news(chain)
    if (told?.head === now.head && told.trouble === now.trouble) return
    told = now
    send({ type: 'tell', kind: 'news', value: now })
  }
  const log = (level: LogLine['level']) => (event: string, fields?: object) => link.tell('log', { level, event, fields } satisfies LogLine)
  const producerLog: ProducerLog = { debug: log('debug'), warn: log('warn'), error: log('error') }
  const opened = (): LocalChain => {
    if (chain === undefined) throw new Error('the chain is not open')
    return chain
  }
  const follow = async (open: LocalChain): Promise<void> => {
    for await (const _ of open.heads(new AbortController().signal)) tell()
  }

  const link: Link = createLink(
    {
      send(message) {
        tell()
        send(message)
        return true
      },
    },
    {
      async open({ path, kept, blockTimeMs, globalId, accounts, wallets, state }: OpenRequest): Promise<Opened> {
        const directory = { path, kept, release: () => {} }
        const deps = { tvm: tvmOf(() => link), log: producerLog, clock: systemClock }
        const open = await openInDirectory(
          directory,
          {
            blockTimeMs,
            globalId,
            accounts: withCells(accounts) as readonly AccountInput[] | undefined,
            wallets,
            state: withCells(state) as BeginState | undefined,
          },
          deps,
        )
        chain = open
        told = news(open)
        void follow(open)
        return { news: told, wallets: open.control.wallets(), notes: open.notes, fork: open.fork }
      },
      async query({ fn, args, client }: QueryRequest, signal) {
        if (client !== undefined) setClient(signal, client)
        return packed(await opened().query(fn, args, signal))
      },
      control({ name, args }: ControlRequest, signal) {
        const run = opened().control[name] as (...given: unknown[]) => Promise<unknown>
        return run(...(withCells(args) as unknown[]), signal)
      },
      close: () => opened().close(),
    },
    { automine: (on: boolean) => opened().control.setAutomine(on) },
    CHAIN_ERRORS,
  )
  return link.receive
}
