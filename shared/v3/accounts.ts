import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { addresses, hashes, neededAddresses, neededSpellings } from '../fields/v3/keys.ts'
import { MORE } from '../fields/v3/list.ts'
import { overrides, patience } from '../fields/v3/overrides.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3AccountStates, v3WalletStates } from '../models/v3/account.ts'
import { askedAddressBook, metadata } from '../models/v3/book.ts'
import { read } from './blockchain.ts'

const NONE = 'address of account is required'

/** Accounts and what they are called. */
export const accounts = {
  'v3.accountStates': method({
    ...read,
    summary: 'Latest states of accounts; accounts that never were are left out.',
    params: z
      .object({
        address: addresses().optional(),
        code_hash: hashes().optional(),
        include_boc: v3Bool().default(true),
        ...overrides,
      })
      .refine((p) => p.address !== undefined || p.code_hash !== undefined, rule(NONE, ['address'])),
    result: v3AccountStates,
  }),
  'v3.walletStates': method({
    ...read,
    summary: 'Latest states of accounts as wallets: kind, seqno and id.',
    params: z.object({ address: neededAddresses(NONE), ...overrides }),
    result: v3WalletStates,
  }),
  'v3.addressBook': method({
    ...read,
    summary: 'How addresses are written for people; keys are the spellings of the request.',
    params: z.object({ address: neededSpellings('at least 1 address required', MORE), ...patience }),
    result: askedAddressBook,
  }),
  'v3.metadata': method({
    ...read,
    summary: 'Metadata of tokens.',
    params: z.object({ address: neededSpellings('at least 1 address required', MORE), ...patience }),
    result: metadata,
  }),
}
