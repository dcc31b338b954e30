import * as z from 'zod'
import { jsonBool } from '../fields/bool.ts'
import { accountOverrides, bundleMessages } from '../fields/bundle.ts'
import { anyTime, blockSeqno, messageBoc, requestedMessages, seed, sender, unixTime } from '../fields/emulate.ts'
import { actionsVersion } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import { emulated, emulatedBundle } from '../models/emulate.ts'
import { FRIENDLY, HASH, RAW, REFUSED } from '../samples.ts'

const read = {
  heading: 'Emulation',
  api: 'emulate',
  effect: 'read',
  needs: 'chain',
  rest: 'POST',
  weight: 5,
  cache: 'never',
  errors: ['EMULATION'],
} as const

const options = {
  with_actions: jsonBool('Whether the answer says what the trace means.').default(false),
  include_code_data: jsonBool('Without effect: the answer always has code and data.').default(false),
  include_address_book: jsonBool('Whether the address book comes with it; needs the index.').default(false),
  include_metadata: jsonBool('Whether the metadata of tokens comes with it; needs the index.').default(false),
  mc_block_seqno: blockSeqno('The masterchain block whose state is used; the newest unless given.').optional(),
  rand_seed: seed('Random seed of the blocks; with it, and with `now`, equal requests have equal answers.').optional(),
  now: unixTime('Time of the first block, in unix seconds; the present unless given.').optional(),
  ...actionsVersion,
}

export const emulate = {
  'emulate.trace': method({
    ...read,
    summary: 'What would follow from a message: every transaction of its trace.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'EMULATION' }],
    params: z.object({
      boc: messageBoc('The message, external or internal, as a BoC.'),
      ignore_chksig: jsonBool('Lets every signature check of the first transaction pass.').default(false),
      ...options,
    }),
    result: emulated,
  }),
  'emulate.tonConnect': method({
    ...read,
    summary: 'What would follow if a wallet carried out a TON Connect request.',
    examples: [
      {
        title: 'an account that is no wallet',
        params: { from: FRIENDLY, messages: [{ address: FRIENDLY, amount: '50000000' }] },
        fails: 'EMULATION',
      },
    ],
    params: z.object({
      from: sender('The wallet that would send the messages.'),
      messages: requestedMessages('The messages that it would send.'),
      valid_until: anyTime('Until when the request holds; five minutes from now unless given.').optional(),
      ...options,
    }),
    result: emulated,
  }),
  'emulate.bundle': method({
    ...read,
    weight: 10,
    summary: 'What would follow from several messages, one after another, also if accounts had other states.',
    examples: [
      {
        title: 'a message that is not accepted, to an account with another balance',
        params: { messages: [{ boc: REFUSED }], overrides: [{ address: RAW, balance: '5000000000' }], now: 2_000_000_000, rand_seed: HASH },
      },
    ],
    params: z.object({
      messages: bundleMessages.meta({
        description:
          'The messages, external or internal, 1 to 16. Each is delivered after everything that follows from those before it; 256 transactions and 4,096 sent messages in all.',
        examples: [[{ boc: REFUSED }]],
      }),
      overrides: accountOverrides.default([]).meta({
        description:
          'States of accounts in place of those that the chain has, at most 64. What is not given stays; code or data make the account active.',
        examples: [[{ address: RAW, balance: '5000000000' }]],
      }),
      ...options,
      with_actions: jsonBool('Whether the answer says what the traces mean.').default(true),
    }),
    result: emulatedBundle,
  }),
}
