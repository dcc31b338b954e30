import * as z from 'zod'
import { walletType } from '../account.ts'
import { feeFields } from '../result.ts'
import { base64, flag, hash44, int, int32, lt, many, model, nanotons, text, words } from '../value-formats.ts'

/** In v2's answers (use_v2), the status is `uninitialized` in place of `uninit`. */
const status = words('Whether the account is deployed (active), holds coins alone (uninit), is frozen, or is not there (nonexist).', [
  'active',
  'frozen',
  'uninit',
  'uninitialized',
  'nonexist',
])
const balance = nanotons('Balance of the account.')
const suspended = flag('Whether the configuration (parameter 44) forbids the account to be deployed.')
const lastTransaction = {
  last_transaction_lt: lt('Logical time of the last transaction of the account.'),
  last_transaction_hash: hash44('Hash of the last transaction of the account.'),
}

export const v3AddressInformation = model('V3AddressInformation', {
  balance,
  code: base64('Code of the contract, as a BoC; null if it has none.').nullable(),
  data: base64('Data of the contract, as a BoC; null if it has none.').nullable(),
  ...lastTransaction,
  frozen_hash: hash44('Hash of the state that a frozen account had; null if it is not frozen.').nullable(),
  status,
  suspended,
})

export const v3WalletInformation = model('V3WalletInformation', {
  balance,
  wallet_type: walletType.optional(),
  seqno: int('Number that the next message to the wallet must have.').optional(),
  wallet_id: int('Id of the wallet (subwallet), which every message to it contains.', 698983191).optional(),
  ...lastTransaction,
  status,
  suspended,
})

export const sentMessage = model('V3SentMessage', {
  message_hash: hash44('Hash of the message as it was sent.'),
  message_hash_norm: hash44('Normalized hash of the message (TEP-467), by which it is found on the chain.'),
})

const fees = model('V3Fees', feeFields)

export const v3EstimatedFee = model('V3EstimatedFee', {
  source_fees: fees.describe('What the account that receives the external message pays.'),
  destination_fees: many('What the receivers of the messages that it sends pay; always empty, as at TON Center.', fees),
})

/** Numbers are hex (`-0x..` if negative), cells and slices are BoCs, tuples and lists contain entries. */
export type V3StackEntry =
  | { type: 'num'; value: string }
  | { type: 'cell' | 'slice'; value: string }
  | { type: 'tuple' | 'list'; value: V3StackEntry[] }
  | { type: 'unsupported'; value: '' }

const of = 'What the entry is.'
const v3StackEntry: z.ZodType<V3StackEntry> = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('num').describe(of), value: text('The number in hex.', '0x1f').regex(/^-?0x[0-9a-f]+$/) }),
      z.strictObject({ type: words(of, ['cell', 'slice']), value: base64('The cell or slice, as a BoC.') }),
      v3StackTuple,
      z.strictObject({
        type: z.literal('unsupported').describe(of),
        value: z.literal('').describe('Nothing: an entry of this type cannot be shown.'),
      }),
    ]),
  )
  .meta({ id: 'V3StackEntry' })

/** A separate model, because client generators support recursion only through a named object. */
const v3StackTuple = model('V3StackTuple', {
  type: words(of, ['tuple', 'list']),
  value: many('Its elements in their order.', v3StackEntry),
})

export const v3RunResult = model('V3RunResult', {
  gas_used: int('Gas that the get-method used.', 549),
  exit_code: int32('Exit code of the TVM: 0 and 1 are success, 11 means that there is no such method.', 0),
  stack: many('What the get-method returned, the bottom of the stack first.', v3StackEntry),
})
