import type { MessagePort } from 'node:worker_threads'
import type { Head, LiteAnswer, LiteServer } from '../../chain/liteserver.ts'
import type { Log } from '../../dispatch-types.ts'
import type { Connection } from '../../store/connection.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { type Failure, fromFailure, toFailure } from './failure.ts'
import { createOutbox } from './outbox.ts'
import { type CallName, type Calls, type FromThread, packed, type Question, withBuffers } from './protocol.ts'

/* The thread's side of what it has to ask for. */

export interface Ports {
  readonly connection: Connection
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly log: Log
  /** The source of a job; its only head is the job's. */
  server(head: Head): LiteServer
  answered(id: number, value: unknown): void
  failed(id: number, failure: Failure): void
}

const errorOf = (fields: object): unknown => ('err' in fields ? fields.err : undefined)

export const createPorts = (port: MessagePort): Ports => {
  const open = new Map<number, { readonly resolve: (value: never) => void; readonly reject: (error: unknown) => void }>()
  let last = 0
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  const opened = <T>(send: (id: number) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last
      open.set(id, { resolve, reject })
      send(id)
    })
  const call = <N extends Exclude<CallName, 'ask'>>(
    name: N,
    args: Calls[N]['args'],
    transfer?: readonly ArrayBuffer[],
  ): Promise<Calls[N]['answer']> => opened((id) => post({ type: 'call', id, name, args }, transfer))
  const question = createOutbox<Question>((questions) => post({ type: 'asks', questions }))
  const ask = (args: Calls['ask']['args']): Promise<Calls['ask']['answer']> => opened((id) => question({ id, args }))
  const settle = (id: number) => {
    const waiting = open.get(id)
    open.delete(id)
    return waiting
  }
  const say =
    (level: keyof Log): Log[typeof level] =>
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
        // The rows change hands, they are not copied.
        await call('script', { text, rows }, rows && [rows.buffer as ArrayBuffer])
      },
      async copyIn(target, lines) {
        if (lines.length === 0) return
        // One buffer that changes hands, not thousands of texts.
        const text = lines instanceof Uint8Array ? lines : `${lines.join('\n')}\n`
        const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
        await call('copy', { target, lines: bytes }, [bytes.buffer as ArrayBuffer])
      },
      // Who gave the job ends it when the connection ends, and closes it.
      ended: new Promise(() => {}),
      close: async () => {},
    },
    tvm: {
      async runGetMethod(request, signal) {
        signal.throwIfAborted()
        return await call('run', { request: packed(request) })
      },
    },
    log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    server: (head) => ({
      async query(fn, args, signal) {
        signal.throwIfAborted()
        return (await ask({ fn, args: packed(args) })) as LiteAnswer<typeof fn>
      },
      head: () => head,
      async *heads() {
        yield head
      },
    }),
    answered: (id, value) => settle(id)?.resolve(value as never),
    failed: (id, failure) => settle(id)?.reject(fromFailure(failure)),
  }
}
