import { blockIdExt, transactionId } from './block.ts'
import { legacyStackEntry, stackEntry, tvmCell } from './stack.ts'
import { base64, flag, friendly, hash44, hex64, int, int32, many, rawLower, text, tlModel, tlObject, words } from './value-formats.ts'
import { debugTexts, vmTrace } from './vm.ts'

const gasUsed = int('Gas that the get-method used.', 549)
const traced = vmTrace.optional().describe('The steps of the run, if `trace` is set.')
const printed = debugTexts('On an embedded chain, if there is any: what its debug instructions printed').optional()
const exitCode = int32(
  'Exit code of the TVM: 0 and 1 are success, 11 means that there is no such method, -13 and -256 that there is no code.',
  0,
)

/** A failure inside the TVM is a result with its exit code, not an error. */
export const runResult = tlModel('RunResult', 'smc.runResult', {
  gas_used: gasUsed,
  stack: many('What the get-method returned, the bottom of the stack first.', legacyStackEntry),
  exit_code: exitCode,
  trace: traced,
  debug: printed,
  block_id: blockIdExt.describe('The masterchain block on whose state it ran.'),
  last_transaction_id: transactionId.describe('The last transaction of the account at that block.'),
})

export const runResultStd = tlModel('RunResultStd', 'smc.runResult', {
  gas_used: gasUsed,
  stack: many('What the get-method returned, the bottom of the stack first.', stackEntry),
  exit_code: exitCode,
  trace: traced,
  debug: printed,
})

export const ok = tlModel('Ok', 'ok', {})

/** `hash`: hash of the message cell. `hash_norm`: hash of the normalized message (TEP-467). */
export const extMessageInfo = tlModel('ExtMessageInfo', 'raw.extMessageInfo', {
  hash: hash44('Hash of the message as it was sent.'),
  hash_norm: hash44('Normalized hash of the message (TEP-467), by which it is found on the chain.'),
})

/** Fees of an estimate, in nanograms as JSON numbers. */
export const feeFields = {
  in_fwd_fee: int('Fee for bringing the message in, nanograms.', 1_000_000),
  storage_fee: int('Fee for the storage of the account since its last transaction, nanograms.', 100),
  gas_fee: int('Fee for the gas, nanograms.', 2_000_000),
  fwd_fee: int('Fees for forwarding the messages that are sent, nanograms.', 400_000),
}
const fees = tlModel('Fees', 'fees', { ...feeFields })

export const queryFees = tlModel('QueryFees', 'query.fees', {
  source_fees: fees.describe('What the account that receives the external message pays.'),
  destination_fees: many('What the receivers of the messages that it sends pay; always empty, as at TON Center.', fees),
})

/** `bytes` is empty for a parameter that is not set. */
export const configInfo = tlModel('ConfigInfo', 'configInfo', { config: tvmCell.describe('The value as a cell; empty if there is none.') })

export const libraryResult = tlModel('LibraryResult', 'smc.libraryResult', {
  result: many(
    'The libraries that were found.',
    tlObject('smc.libraryEntry', {
      hash: hash44('Hash of the library.'),
      data: base64('Its code, as a BoC.'),
    }),
  ),
})

const bothBase64 = tlModel('DetectedAddressVariant', 'ext.utils.detectedAddressVariant', {
  b64: text('The address in standard base64.', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N').regex(/^[A-Za-z0-9+/]{48}$/),
  b64url: friendly('The same, safe for URLs.'),
})

export const detectedAddress = tlModel('DetectedAddress', 'ext.utils.detectedAddress', {
  raw_form: rawLower('The address in its raw form.'),
  bounceable: bothBase64.describe('The friendly form for contracts: messages bounce.'),
  non_bounceable: bothBase64.describe('The friendly form for wallets: messages do not bounce.'),
  given_type: words('The form in which it was given.', ['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
  test_only: flag('Whether the address was given as one for test networks alone.'),
})

/** `b64url` has no padding. */
export const detectedHash = tlModel('DetectedHash', 'ext.utils.detectedHash', {
  b64: hash44('The hash in standard base64.'),
  b64url: text('The hash in base64url, without padding.', 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM').regex(/^[A-Za-z0-9_-]{43}$/),
  hex: hex64('The hash in hex.'),
})
