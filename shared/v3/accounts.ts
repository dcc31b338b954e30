import * as z from 'zod'
import { anyOf } from '../fields/field.ts'
import { addresses, hashes, neededAddresses, neededSpellings } from '../fields/v3/addresses-and-hashes.ts'
import { MORE } from '../fields/v3/list.ts'
import { fewAccounts, proofs } from '../fields/v3/proofs.ts'
import { overrides, patience } from '../fields/v3/request-settings.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3AccountStates, v3WalletStates } from '../models/v3/accounts.ts'
import { metadata, requestedAddressBook } from '../models/v3/book.ts'
import { FRIENDLY, NON_BOUNCEABLE, RAW } from '../samples.ts'
import { reads } from './common.ts'

const read = reads('Accounts')

const NONE = 'address of account is required'

export const accounts = {
  'v3.accountStates': method({
    ...read,
    weightOfProof: 1,
    summary: 'Latest states of accounts; accounts that never were are left out.',
    examples: [{ title: 'two spellings', params: { address: [FRIENDLY, NON_BOUNCEABLE], include_boc: false } }],
    params: z
      .object({
        address: addresses('Only these accounts.').optional(),
        code_hash: hashes('Only accounts whose code has one of these hashes.').optional(),
        include_boc: v3Bool('Whether code and data come with the states, as BoCs.').default(true),
        ...overrides,
        ...proofs,
      })
      .refine(...anyOf(['address', 'code_hash'], NONE, ['address']))
      .refine(...fewAccounts),
    result: v3AccountStates,
  }),
  'v3.walletStates': method({
    ...read,
    summary: 'Latest states of accounts as wallets: kind, seqno and id.',
    examples: [{ title: 'now', params: { address: [RAW] } }],
    params: z.object({ address: neededAddresses('The accounts that are asked about.', NONE), ...overrides }),
    result: v3WalletStates,
  }),
  'v3.addressBook': method({
    ...read,
    summary: 'How addresses are written for people; keys are the spellings of the request.',
    examples: [{ title: 'as asked', params: { address: [RAW, NON_BOUNCEABLE] } }],
    params: z.object({ address: neededSpellings('The addresses that are asked about.', 'at least 1 address required', MORE), ...patience }),
    result: requestedAddressBook,
  }),
  'v3.metadata': method({
    ...read,
    summary: 'Metadata of tokens.',
    examples: [{ title: 'of no token', params: { address: [RAW] } }],
    params: z.object({
      address: neededSpellings('The tokens whose metadata is wanted.', 'at least 1 address required', MORE),
      ...patience,
    }),
    result: metadata,
  }),
}
