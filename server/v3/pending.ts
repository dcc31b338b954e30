import { TonError } from '../../shared/errors.ts'
import type { pending } from '../../shared/v3/pending.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { answer, type V3Index } from './answer/answer.ts'

/** Answers for messages that are in no block yet: this service does not know any. */
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
