import * as z from 'zod'
import { blockIdExt, transactionId } from './block.ts'
import { legacyStackEntry, stackEntry, tvmCell } from './stack.ts'
import { base64, friendly, hash44, hex64, rawLower } from './wire.ts'

/** A get-method's outcome; a failure inside the TVM is an answer with its exit code, not an error. */
export const runResult = z
  .strictObject({
    '@type': z.literal('smc.runResult'),
    gas_used: z.int(),
    stack: z.array(legacyStackEntry),
    exit_code: z.int32(),
    block_id: blockIdExt,
    last_transaction_id: transactionId,
  })
  .meta({ id: 'RunResult' })

export const runResultStd = z
  .strictObject({ '@type': z.literal('smc.runResult'), gas_used: z.int(), stack: z.array(stackEntry), exit_code: z.int32() })
  .meta({ id: 'RunResultStd' })

export const ok = z.strictObject({ '@type': z.literal('ok') }).meta({ id: 'Ok' })

/** `hash`: of the message cell; `hash_norm`: of its normal form (TEP-467). */
export const extMessageInfo = z
  .strictObject({ '@type': z.literal('raw.extMessageInfo'), hash: hash44(), hash_norm: hash44() })
  .meta({ id: 'ExtMessageInfo' })

const fees = z
  .strictObject({ '@type': z.literal('fees'), in_fwd_fee: z.int(), storage_fee: z.int(), gas_fee: z.int(), fwd_fee: z.int() })
  .meta({ id: 'Fees' })

export const queryFees = z
  .strictObject({ '@type': z.literal('query.fees'), source_fees: fees, destination_fees: z.array(fees) })
  .meta({ id: 'QueryFees' })

/** `bytes` is empty for a parameter that is not there. */
export const configInfo = z.strictObject({ '@type': z.literal('configInfo'), config: tvmCell }).meta({ id: 'ConfigInfo' })

export const libraryResult = z
  .strictObject({
    '@type': z.literal('smc.libraryResult'),
    result: z.array(z.strictObject({ '@type': z.literal('smc.libraryEntry'), hash: hash44(), data: base64() })),
  })
  .meta({ id: 'LibraryResult' })

const bothBase64 = z
  .strictObject({
    '@type': z.literal('ext.utils.detectedAddressVariant'),
    b64: z.string().regex(/^[A-Za-z0-9+/]{48}$/),
    b64url: friendly(),
  })
  .meta({ id: 'DetectedAddressVariant' })

export const detectedAddress = z
  .strictObject({
    '@type': z.literal('ext.utils.detectedAddress'),
    raw_form: rawLower(),
    bounceable: bothBase64,
    non_bounceable: bothBase64,
    given_type: z.enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
    test_only: z.boolean(),
  })
  .meta({ id: 'DetectedAddress' })

/** `b64url` has no padding (v2.md 8.10). */
export const detectedHash = z
  .strictObject({
    '@type': z.literal('ext.utils.detectedHash'),
    b64: hash44(),
    b64url: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    hex: hex64(),
  })
  .meta({ id: 'DetectedHash' })
