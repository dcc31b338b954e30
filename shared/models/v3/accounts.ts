import * as z from 'zod'
import { walletType } from '../account.ts'
import { base64, flag, hash44, int, lt, many, model, nanotons, rawUpper } from '../value-formats.ts'
import { withBookAndMetadata } from './book.ts'
import { withProof } from './proofs.ts'
import { extraCurrencies, v3Status } from './values.ts'

const balance = nanotons('Balance of the account.')
const codeHash = hash44('Hash of the code; left out if there is none.').optional()
const suspended = flag(
  'Whether the configuration (parameter 44) forbids the account to be deployed; left out if the index does not have the configuration.',
).optional()
const lastTransaction = {
  last_transaction_hash: hash44('Hash of the last transaction of the account; null if it has none.').nullable(),
  last_transaction_lt: lt('Logical time of the last transaction of the account; null if it has none.').nullable(),
}

const accountStateFull = model('V3AccountStateFull', {
  address: rawUpper('The account.'),
  account_state_hash: hash44("Hash of the account's state."),
  balance,
  extra_currencies: extraCurrencies,
  status: v3Status,
  frozen_hash: hash44('Hash of the state that a frozen account had.').optional(),
  ...lastTransaction,
  data_hash: hash44('Hash of the data; left out if there is none.').optional(),
  code_hash: codeHash,
  data_boc: base64('The data, as a BoC; with `include_boc`.').optional(),
  code_boc: base64('The code, as a BoC; with `include_boc`.').optional(),
  contract_methods: many('Numbers of the get-methods in the code, where they are known.', z.int()).nullable(),
  interfaces: many('What the contract is known to be, such as `wallet_v4r2` or `jetton_wallet`.', z.string()),
  suspended,
})

export const v3AccountStates = model('V3AccountStates', {
  accounts: many('The accounts that were found.', accountStateFull),
  ...withBookAndMetadata,
  ...withProof,
})

/** Members about wallets are absent for accounts that are not wallets. `wallet_id` is unsigned. */
const walletState = model('V3WalletState', {
  address: rawUpper('The account.'),
  is_wallet: flag('Whether the contract is a wallet that is known by its code.'),
  wallet_type: walletType.optional(),
  seqno: int('Number that the next message to the wallet must have.').optional(),
  wallet_id: int('Id of the wallet (subwallet), which every message to it contains; unsigned.', 698983191).optional(),
  balance: balance.optional(),
  extra_currencies: extraCurrencies.optional(),
  is_signature_allowed: flag('Of a v5 wallet: whether its key may sign.').optional(),
  status: v3Status.optional(),
  code_hash: codeHash,
  ...lastTransaction,
  suspended,
})

export const v3WalletStates = model('V3WalletStates', {
  wallets: many('The accounts that were found.', walletState),
  ...withBookAndMetadata,
})

export const topAccounts = many(
  'The accounts, the richest first.',
  model('V3AccountBalance', { account: rawUpper('The account.'), balance }),
)
