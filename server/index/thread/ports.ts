import type { MessagePort } from 'node:worker_threads'
import type { Log } from '../../base/log.ts'
import { type Failure, fromFailure, toFailure } from '../../base/threads/failure.ts'
import { packed, withBuffers } from '../../base/threads/packed.ts'
import { createSendQueue } from '../../base/threads/send-queue.ts'
import type { Head, LiteAnswer, LiteFunction, LiteServer } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { createInline } from '../../tvm/inline.ts'
import { configBoc, packMethod, unpackResult } from '../../tvm/pack-requests.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { INDEX_ERRORS } from './errors.ts'
import type { CallName, Calls, FromThread, Question, Verdict } from './protocol.ts'

/* The thread's side of calls to the main thread: database, source, TVM and log. */

export interface Ports {
  readonly connection: Connection
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly log: Log
  /**
   * The source of a job's blocks. Its only head is `head`. `several`: the source has several servers, and asks the next one if this thread refuses an
   * answer.
   */
  server(head: Head, several: boolean): LiteServer
  answered(id: number, value: unknown): void
  failed(id: number, failure: Failure): void
}

/**
 * Functions to which a source of several servers checks the answers itself, so the thread sends no verdicts. This saves messages: blocks are most of the
 * traffic.
 */
const EVIDENT: readonly LiteFunction[] = ['getBlock', 'lookupBlock']

const errorOf = (fields: object): unknown => ('err' in fields ? fields.err : undefined)

export const createPorts = (port: MessagePort): Ports => {
  /** Running calls by id. `resolve` returns whether the call is finished. */
  const open = new Map<number, { readonly resolve: (value: never) => boolean; readonly reject: (error: unknown) => void }>()
  const inline = createInline()
  let last = 0
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  const opened = <T>(send: (id: number) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last
      const done = (value: T): boolean => {
        resolve(value)
        return true
      }
      open.set(id, { resolve: done, reject })
      send(id)
    })
  const call = <N extends Exclude<CallName, 'ask'>>(
    name: N,
    args: Calls[N]['args'],
    transfer?: readonly ArrayBuffer[],
  ): Promise<Calls[N]['answer']> => opened((id) => post({ type: 'call', id, name, args }, transfer))
  const question = createSendQueue<Question>((questions) => post({ type: 'asks', questions }))
  const ask = (args: Calls['ask']['args']): Promise<Calls['ask']['answer']> => opened((id) => question({ id, args }))
  const verdict = createSendQueue<Verdict>((verdicts) => post({ type: 'verdicts', verdicts }))
  /** Checks each answer in this thread, until one is accepted or the source has no further answer. */
  const judged: NonNullable<LiteServer['checked']> = (fn, args, signal, check, options = {}) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const id = ++last
      const judge = async (answer: LiteAnswer<typeof fn>): Promise<void> => {
        try {
          resolve(await check(answer))
          open.delete(id)
          verdict({ id, refusal: undefined })
        } catch (error) {
          verdict({ id, refusal: toFailure(error) })
        }
      }
      open.set(id, {
        resolve(answer) {
          void judge(answer)
          return false
        },
        reject,
      })
      question({ id, args: { fn, args: packed(args) }, judged: options })
    })
  const say =
    (level: Exclude<keyof Log, 'debugs'>): Log['info'] =>
    (event, fields = {}) => {
      const err = errorOf(fields)
      const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'err'))
      post({ type: 'log', level, event, failure: err === undefined ? undefined : toFailure(err), fields: packed(rest) })
    }

  return {
    connection: {
      query: async <R>(text: string, values?: readonly unknown[]) =>
        withBuffers(await call('query', { text, values: values && packed(values) })) as R[],
      async script(text, rows) {
        await call(
          'script',
          { text, rows },
          rows?.map(({ buffer }) => buffer as ArrayBuffer),
        )
      },
      // The main thread closes the connection, and aborts the job if the connection ends.
      ended: new Promise(() => {}),
      close: async () => {},
    },
    tvm: {
      async runGetMethod(request, signal) {
        signal.throwIfAborted()
        const here = await inline.run(request, signal)
        if (here !== undefined) return here
        // `inline` refuses methods that can take long. They need a time limit, so the TVM pool of the process runs them.
        return unpackResult(await call('run', { request: packMethod(request), config: configBoc(request.config) }))
      },
    },
    log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    server(head, several) {
      const query: LiteServer['query'] = async (fn, args, signal) => {
        signal.throwIfAborted()
        return (await ask({ fn, args: packed(args) })) as LiteAnswer<typeof fn>
      }
      const checked: LiteServer['checked'] = async (fn, args, signal, check, options) =>
        EVIDENT.includes(fn) ? check(await query(fn, args, signal)) : judged(fn, args, signal, check, options)
      return {
        query,
        ...(several && { checked }),
        head: () => head,
        async *heads() {
          yield head
        },
      }
    },
    answered(id, value) {
      if (open.get(id)?.resolve(value as never)) open.delete(id)
    },
    failed(id, failure) {
      open.get(id)?.reject(fromFailure(failure, INDEX_ERRORS))
      open.delete(id)
    },
  }
}
