import * as z from 'zod'
import { jsonBool } from '../fields/bool.ts'
import { unconvertible } from '../fields/v3/convert-errors.ts'
import { neededAddress, neededBytes, neededMethod, v3Stack } from '../fields/v3/legacy.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { sentMessage, v3AddressInformation, v3EstimatedFee, v3RunResult, v3WalletInformation } from '../models/v3/legacy.ts'
import { EMPTY_CELL, FRIENDLY, RAW, REFUSED } from '../samples.ts'
import { newState } from '../v2/send.ts'

const common = { heading: 'Legacy (v2 behaviour)', api: 'v3', needs: 'index', weight: 1 } as const
const read = { ...common, effect: 'read', rest: 'GET', cache: 'head' } as const

const account = z.object({
  address: neededAddress('The account that is asked about.', 'address of account is required'),
  use_v2: v3Bool('Answers in the words of v2: `uninitialized` instead of `uninit`.').default(false),
})

/** Methods of v2 under v3's paths. The answers are the same, but without the envelope. */
export const legacy = {
  'v3.addressInformation': method({
    ...read,
    aliases: ['v3.account'],
    summary: "State of an account; `use_v2` writes it in v2's words.",
    examples: [
      { title: 'now', params: { address: FRIENDLY } },
      { title: "in v2's words", params: { address: RAW, use_v2: true } },
    ],
    params: account,
    result: v3AddressInformation,
  }),
  'v3.walletInformation': method({
    ...read,
    aliases: ['v3.wallet'],
    summary: 'Kind, seqno and id of a wallet.',
    examples: [{ title: 'now', params: { address: FRIENDLY } }],
    params: account,
    result: v3WalletInformation,
    errors: ['MISSING_INPUT', 'NOT_A_WALLET'],
  }),
  'v3.message': method({
    ...common,
    effect: 'write',
    rest: 'POST',
    cache: 'never',
    summary: 'Sends an external message and returns its hashes.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
    params: z.object({ boc: neededBytes('The external message, as a BoC.', 'boc is required') }),
    result: sentMessage,
    errors: ['MISSING_INPUT'],
  }),
  'v3.estimateFee': method({
    ...read,
    rest: 'POST',
    cache: 'never',
    summary: 'What an external message would cost its destination account.',
    examples: [{ title: 'an empty body', params: { address: FRIENDLY, body: EMPTY_CELL } }],
    params: z.object({
      address: neededAddress('The account that would receive the external message.', 'address is required'),
      body: neededBytes('The body of the message, as a BoC.', 'body is required'),
      ...newState,
      ignore_chksig: jsonBool('Lets every signature check pass, so that the message need not be signed.', unconvertible).default(true),
    }),
    result: v3EstimatedFee,
    errors: ['MISSING_INPUT'],
  }),
  'v3.runGetMethod': method({
    ...read,
    rest: 'POST',
    summary: 'Runs a get-method; arguments and results as {type, value}.',
    examples: [{ title: 'an account without code', params: { address: FRIENDLY, method: 'seqno', stack: [] } }],
    params: z.object({
      address: neededAddress('The contract whose get-method runs.', 'address is required'),
      method: neededMethod('The get-method to run.', 'method is required'),
      stack: v3Stack('Arguments of the get-method, the first one pushed first.').default([]),
    }),
    result: v3RunResult,
    errors: ['MISSING_INPUT', 'STACK_TOO_DEEP'],
  }),
}
