import * as z from 'zod'
import { address } from '../fields/address.ts'
import { unreadable } from '../fields/field.ts'
import { int32, int64, nonNegative, positive } from '../fields/ints.ts'
import { getMethod } from '../fields/method-id.ts'
import { stackBoc } from '../fields/v4.ts'
import { method } from '../method.ts'
import { v4Account, v4AccountLite, v4Changed, v4RunResult } from '../models/v4.ts'
import { FRIENDLY, RAW } from '../samples.ts'

const read = {
  heading: 'Accounts',
  api: 'v4',
  effect: 'read',
  needs: 'chain',
  rest: 'GET',
  weight: 1,
  cache: 'final',
  errors: ['NOT_FOUND'],
} as const

const at = {
  seqno: int32('The masterchain block at which the account is read.', positive),
  address: address('The account that is asked about.', { missing: (name) => `${name} required`, refused: unreadable }),
}

export const accounts = {
  'v4.getAccount': method({
    ...read,
    paths: ['/block/:seqno/:address'],
    summary: 'State of an account at a masterchain block.',
    examples: [{ title: 'at block 1', params: { seqno: 1, address: FRIENDLY } }],
    params: z.object(at),
    result: v4Account,
  }),
  'v4.getAccountLite': method({
    ...read,
    paths: ['/block/:seqno/:address/lite'],
    summary: 'The same with hashes in place of code and data.',
    examples: [{ title: 'at block 1', params: { seqno: 1, address: RAW } }],
    params: z.object(at),
    result: v4AccountLite,
  }),
  'v4.isAccountChanged': method({
    ...read,
    paths: ['/block/:seqno/:address/changed/:lt'],
    summary: 'Whether an account has changed since a transaction.',
    examples: [{ title: 'since its first one', params: { seqno: 1, address: FRIENDLY, lt: '1' } }],
    params: z.object({ ...at, lt: int64('Logical time of the transaction.', nonNegative) }),
    result: v4Changed,
  }),
  'v4.runMethod': method({
    ...read,
    paths: ['/block/:seqno/:address/run/:method', '/block/:seqno/:address/run/:method/:args'],
    summary: 'Runs a get-method on the state at a masterchain block.',
    examples: [
      { title: 'without arguments', params: { seqno: 1, address: FRIENDLY, method: 'seqno' } },
      {
        title: 'with a number',
        params: { seqno: 1, address: FRIENDLY, method: 'seqno', args: 'te6cckEBAgEAEQABGAAAAQEAAAAAAAAAHwEAACp0Oi4=' },
      },
    ],
    params: z.object({
      ...at,
      method: getMethod('The get-method to run.'),
      args: stackBoc('Its arguments, the first one pushed first.').optional(),
    }),
    result: v4RunResult,
    errors: ['NOT_FOUND', 'URI_TOO_LONG'],
  }),
}
