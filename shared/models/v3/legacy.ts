import * as z from 'zod'
import { walletType } from '../account.ts'
import { base64, decimal, hash44 } from '../wire.ts'

/** `uninitialized` is v2's word, told with use_v2. */
const status = z.enum(['active', 'frozen', 'uninit', 'uninitialized', 'nonexist'])

export const v3AddressInformation = z
  .strictObject({
    balance: decimal(),
    code: base64().nullable(),
    data: base64().nullable(),
    last_transaction_lt: decimal(),
    last_transaction_hash: hash44(),
    frozen_hash: hash44().nullable(),
    status,
  })
  .meta({ id: 'V3AddressInformation' })

export const v3WalletInformation = z
  .strictObject({
    balance: decimal(),
    wallet_type: walletType.optional(),
    seqno: z.int().optional(),
    wallet_id: z.int().optional(),
    last_transaction_lt: decimal(),
    last_transaction_hash: hash44(),
    status,
  })
  .meta({ id: 'V3WalletInformation' })

export const sentMessage = z.strictObject({ message_hash: hash44(), message_hash_norm: hash44() }).meta({ id: 'V3SentMessage' })

const fees = z.strictObject({ in_fwd_fee: z.int(), storage_fee: z.int(), gas_fee: z.int(), fwd_fee: z.int() }).meta({ id: 'V3Fees' })

export const v3EstimatedFee = z.strictObject({ source_fees: fees, destination_fees: z.array(fees) }).meta({ id: 'V3EstimatedFee' })

/** Numbers are hex (`-0x..` below zero), cells and slices BoCs, tuples and lists hold entries. */
export type V3StackEntry =
  | { type: 'num'; value: string }
  | { type: 'cell' | 'slice'; value: string }
  | { type: 'tuple' | 'list'; value: V3StackEntry[] }
  | { type: 'unsupported'; value: '' }
export const v3StackEntry: z.ZodType<V3StackEntry> = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('num'), value: z.string().regex(/^-?0x[0-9a-f]+$/) }),
      z.strictObject({ type: z.enum(['cell', 'slice']), value: base64() }),
      z.strictObject({ type: z.enum(['tuple', 'list']), value: z.array(v3StackEntry) }),
      z.strictObject({ type: z.literal('unsupported'), value: z.literal('') }),
    ]),
  )
  .meta({ id: 'V3StackEntry' })

export const v3RunResult = z
  .strictObject({ gas_used: z.int(), exit_code: z.int32(), stack: z.array(v3StackEntry) })
  .meta({ id: 'V3RunResult' })
