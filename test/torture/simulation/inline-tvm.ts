import { runGetMethodRequest } from '../../../server/tvm/get-method-request.ts'
import { makeTransaction } from '../../../server/tvm/make-transaction.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'

/** The machine without threads and without limits of time, which would depend on how busy the computer is. */
export const inlineTvm: Tvm = {
  runGetMethod: async (request) => runGetMethodRequest(request),
  runTransaction: async (request) => makeTransaction(request),
  stats: () => ({ workers: 0, busy: 0, queued: 0, replaced: 0, inline: 0 }),
  close: () => Promise.resolve(),
}
