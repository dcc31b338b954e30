import { TonError } from '../../shared/errors.ts'
import type { pending } from '../../shared/v3/pending.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { answer, type V3Index } from './answer/answer.ts'

/** The answers of a service that knows nothing before it is in a block. */
export const pendingHandlers = (index: V3Index): AnswerHandlers<keyof typeof pending> => ({
  'v3.pendingTransactions': (params, { signal }) =>
    answer(index, params, signal, async () => {
      throw new TonError('NOT_FOUND', 'emulated traces not found')
    }),

  'v3.pendingTraces': (params, { signal }) =>
    answer(index, params, signal, async () => ({ body: { traces: [], address_book: {}, metadata: {} } })),

  'v3.pendingActions': (params, { signal }) =>
    answer(index, params, signal, async () => ({ body: { actions: [], address_book: {}, metadata: {} } })),
})
