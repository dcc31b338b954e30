import * as z from 'zod'
import { walletType } from '../account.ts'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { withBookAndMetadata } from './book.ts'
import { extraCurrencies, v3Status } from './values.ts'

const accountStateFull = z
  .strictObject({
    address: rawUpper(),
    account_state_hash: hash44(),
    balance: decimal(),
    extra_currencies: extraCurrencies,
    status: v3Status,
    frozen_hash: hash44().optional(),
    last_transaction_hash: hash44().nullable(),
    last_transaction_lt: decimal().nullable(),
    data_hash: hash44().optional(),
    code_hash: hash44().optional(),
    data_boc: base64().optional(),
    code_boc: base64().optional(),
    contract_methods: z.array(z.int()).nullable(),
    interfaces: z.array(z.string()),
  })
  .meta({ id: 'V3AccountStateFull' })

export const v3AccountStates = z
  .strictObject({ accounts: z.array(accountStateFull), ...withBookAndMetadata })
  .meta({ id: 'V3AccountStates' })

/** Members of a wallet are there for wallets only; `wallet_id` is unsigned. */
const walletState = z
  .strictObject({
    address: rawUpper(),
    is_wallet: z.boolean(),
    wallet_type: walletType.optional(),
    seqno: z.int().optional(),
    wallet_id: z.int().optional(),
    balance: decimal().optional(),
    extra_currencies: extraCurrencies.optional(),
    is_signature_allowed: z.boolean().optional(),
    status: v3Status.optional(),
    code_hash: hash44().optional(),
    last_transaction_hash: hash44().nullable(),
    last_transaction_lt: decimal().nullable(),
  })
  .meta({ id: 'V3WalletState' })

export const v3WalletStates = z.strictObject({ wallets: z.array(walletState), ...withBookAndMetadata }).meta({ id: 'V3WalletStates' })

export const topAccounts = z.array(z.strictObject({ account: rawUpper(), balance: decimal() }).meta({ id: 'V3AccountBalance' }))
