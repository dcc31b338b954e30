import * as z from 'zod'
import { address } from '../fields/address.ts'
import { int32, int32Number, positive } from '../fields/ints.ts'
import { getMethod } from '../fields/method-id.ts'
import { legacyStack, stdStack } from '../fields/stack.ts'
import { method } from '../method.ts'
import { runResult, runResultStd } from '../models/result.ts'

const run = {
  effect: 'read',
  needs: 'chain',
  rest: 'POST',
  weight: 1,
  cache: 'head',
  errors: ['UNSUPPORTED_STACK', 'STACK_TOO_DEEP'],
} as const

/** Get-methods of contracts. */
export const runs = {
  runGetMethod: method({
    ...run,
    summary: 'Runs a get-method; arguments and results as [type, value] pairs.',
    params: z.object({ address: address(), method: getMethod(), stack: legacyStack(), seqno: int32(positive).optional() }),
    result: runResult,
  }),
  runGetMethodStd: method({
    ...run,
    summary: 'Runs a get-method; arguments and results as typed objects.',
    params: z.object({ address: address(), method: getMethod(), stack: stdStack(), seqno: int32Number(positive).optional() }),
    result: runResultStd,
  }),
}
