import * as z from 'zod'
import { address } from '../fields/address.ts'
import { jsonBool } from '../fields/bool.ts'
import { int32, int32Number, int64, positive } from '../fields/ints.ts'
import { getMethod } from '../fields/method-id.ts'
import { legacyStack, stdStack } from '../fields/stack.ts'
import { method } from '../method.ts'
import { runResult, runResultStd } from '../models/result.ts'
import { tracedTransaction } from '../models/vm.ts'
import { EMPTY_CELL, FRIENDLY, RAW } from '../samples.ts'

const run = {
  heading: 'Run method',
  effect: 'read',
  needs: 'chain',
  rest: 'POST',
  weight: 1,
  cache: 'head',
  errors: ['UNSUPPORTED_STACK', 'STACK_TOO_DEEP'],
} as const

const called = { address: address('The contract whose get-method runs.'), method: getMethod('The get-method to run.') }
const ARGUMENTS = 'Arguments of the get-method, the first one pushed first.'
const trace = jsonBool('Whether the answer has the steps of the run: instructions, stack, gas and registers.').optional()
const AS_OF = 'The masterchain block on whose state the get-method runs; by default the newest.'

/** The transaction that is run again. */
export const runAgain = z.object({
  address: address('The account that the transaction is of.'),
  lt: int64('Logical time of the transaction.', positive),
})

export const runs = {
  runGetMethod: method({
    ...run,
    summary: 'Runs a get-method; arguments and results as [type, value] pairs.',
    examples: [
      { title: 'without arguments', params: { address: FRIENDLY, method: 'seqno', stack: [] } },
      { title: 'with its steps', params: { address: FRIENDLY, method: 'seqno', stack: [], trace: true } },
      {
        title: 'with arguments, by number, at a block',
        params: {
          address: FRIENDLY,
          method: 85143,
          seqno: 1,
          stack: [
            ['num', '0x1f'],
            ['tvm.Cell', EMPTY_CELL],
            ['slice', { bytes: EMPTY_CELL }],
            ['tuple', { '@type': 'tvm.tuple', elements: [] }],
          ],
        },
      },
    ],
    params: z.object({
      ...called,
      stack: legacyStack(ARGUMENTS),
      seqno: int32(AS_OF, positive).optional(),
      trace,
    }),
    result: runResult,
  }),
  runGetMethodStd: method({
    ...run,
    summary: 'Runs a get-method; arguments and results as typed objects.',
    examples: [
      {
        title: 'with arguments',
        params: {
          address: FRIENDLY,
          method: 'seqno',
          stack: [
            { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '31' } },
            { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: EMPTY_CELL } },
            { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
          ],
        },
      },
    ],
    params: z.object({
      ...called,
      stack: stdStack(ARGUMENTS),
      seqno: int32Number(AS_OF, positive).optional(),
      trace,
    }),
    result: runResultStd,
  }),
  'trace.transaction': method({
    ...run,
    rest: 'none',
    // High, because up to 200 earlier transactions of the account are executed first.
    weight: 5,
    cache: 'never',
    errors: ['NOT_FOUND'],
    summary: 'Runs a transaction of any network again and returns its steps, where the states before it can be had.',
    examples: [{ title: 'of a transaction that never was', params: { address: RAW, lt: '1' }, fails: 'NOT_FOUND' }],
    params: runAgain,
    result: tracedTransaction,
  }),
}
