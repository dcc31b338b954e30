import * as z from 'zod'
import { address } from '../fields/address.ts'
import { jsonBool } from '../fields/bool.ts'
import { bytes } from '../fields/bytes.ts'
import { method } from '../method.ts'
import { extMessageInfo, ok, queryFees } from '../models/result.ts'
import { EMPTY_CELL, FRIENDLY, REFUSED } from '../samples.ts'

const write = { heading: 'Send', effect: 'write', needs: 'chain', rest: 'POST', weight: 1, cache: 'never' } as const

/** The state with which a message would deploy its account. */
export const newState = {
  init_code: bytes('Code of the StateInit for an account that is not deployed yet, as a BoC.').optional(),
  init_data: bytes('Data of the StateInit for an account that is not deployed yet, as a BoC.').optional(),
}

const message = z.object({ boc: bytes('The external message, as a BoC.', { empty: 'empty boc' }) })

export const send = {
  sendBoc: method({
    ...write,
    summary: 'Sends an external message.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
    params: message,
    result: ok,
  }),
  sendBocReturnHash: method({
    ...write,
    summary: 'Sends an external message and returns its hashes.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
    params: message,
    result: extMessageInfo,
  }),
  sendBocReturnHashNoError: method({
    ...write,
    summary: 'The same; a refusal by the chain has status 400.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN_400' }],
    params: message,
    result: extMessageInfo,
    errors: ['CHAIN_400'],
  }),
  estimateFee: method({
    ...write,
    effect: 'read',
    summary: 'What an external message would cost its destination account.',
    examples: [
      { title: 'an empty body', params: { address: FRIENDLY, body: EMPTY_CELL, init_code: '', init_data: '', ignore_chksig: true } },
    ],
    params: z.object({
      address: address('The account that would receive the external message.'),
      body: bytes('The body of the message, as a BoC.'),
      ...newState,
      ignore_chksig: jsonBool('Lets every signature check pass, so that the message need not be signed.').default(true),
    }),
    result: queryFees,
  }),
}
