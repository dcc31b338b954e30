import * as z from 'zod'
import { blockIdExt, transactionId } from './block.ts'
import { accountAddress, extraCurrency } from './message.ts'
import { base64, decimal, hash44 } from './wire.ts'

/** The three words of v2 (v2.md 2.3). */
export const accountStatus = z.enum(['uninitialized', 'active', 'frozen']).meta({ id: 'AccountStatus' })

const hashOrNone = () => z.union([z.literal(''), hash44()])

/** raw.fullAccountState: balance, code, data and last transaction. */
export const addressInformation = z
  .strictObject({
    '@type': z.literal('raw.fullAccountState'),
    balance: decimal(),
    extra_currencies: z.array(extraCurrency),
    last_transaction_id: transactionId,
    block_id: blockIdExt,
    code: base64(),
    data: base64(),
    frozen_hash: hashOrNone(),
    sync_utime: z.int(),
    state: accountStatus,
    suspended: z.boolean(),
  })
  .meta({ id: 'AddressInformation' })

/** What a contract is, as tonlib tells it by code hash (v2.md 2.7). */
export const accountState = z
  .discriminatedUnion('@type', [
    z.strictObject({ '@type': z.literal('raw.accountState'), code: base64(), data: base64(), frozen_hash: hashOrNone() }),
    z.strictObject({ '@type': z.literal('wallet.v3.accountState'), wallet_id: z.int(), seqno: z.int() }),
    z.strictObject({ '@type': z.literal('wallet.v4.accountState'), wallet_id: z.int(), seqno: z.int() }),
    z.strictObject({ '@type': z.literal('wallet.highload.v1.accountState'), wallet_id: z.int(), seqno: z.int() }),
    z.strictObject({ '@type': z.literal('wallet.highload.v2.accountState'), wallet_id: z.int() }),
    z.strictObject({ '@type': z.literal('dns.accountState'), wallet_id: z.int() }),
    z.strictObject({
      '@type': z.literal('rwallet.accountState'),
      wallet_id: z.int(),
      seqno: z.int(),
      unlocked_balance: z.int(),
      config: z.strictObject({
        '@type': z.literal('rwallet.config'),
        start_at: z.int(),
        limits: z.array(z.strictObject({ '@type': z.literal('rwallet.limit'), seconds: z.int(), value: z.int() })),
      }),
    }),
    z.strictObject({ '@type': z.literal('uninited.accountState'), frozen_hash: hashOrNone() }),
  ])
  .meta({ id: 'AccountState' })

export const extendedAddressInformation = z
  .strictObject({
    '@type': z.literal('fullAccountState'),
    address: accountAddress,
    balance: decimal(),
    extra_currencies: z.array(extraCurrency),
    last_transaction_id: transactionId,
    block_id: blockIdExt,
    sync_utime: z.int(),
    account_state: accountState,
    revision: z.int(),
  })
  .meta({ id: 'ExtendedAddressInformation' })

export const walletType = z
  .enum([
    'wallet v1 r1',
    'wallet v1 r2',
    'wallet v1 r3',
    'wallet v2 r1',
    'wallet v2 r2',
    'wallet v3 r1',
    'wallet v3 r2',
    'wallet v4 r1',
    'wallet v4 r2',
    'wallet v5 beta',
    'wallet v5 r1',
  ])
  .meta({ id: 'WalletType' })

/** The optional members are there for recognised wallets only. */
export const walletInformation = z
  .strictObject({
    '@type': z.literal('ext.accounts.walletInformation'),
    wallet: z.boolean(),
    balance: decimal(),
    account_state: accountStatus,
    last_transaction_id: transactionId,
    wallet_type: walletType.optional(),
    seqno: z.int().optional(),
    wallet_id: z.int32().optional(),
    is_signature_allowed: z.boolean().optional(),
  })
  .meta({ id: 'WalletInformation' })
