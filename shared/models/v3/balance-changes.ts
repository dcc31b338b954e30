import * as z from 'zod'
import { RAW } from '../../samples.ts'
import { int, jettonUnits, model, rawUpper } from '../value-formats.ts'

const account = rawUpper('The account.')

/** Integers are 64-bit JSON numbers with all digits. A JSON parser that rounds beyond 2^53 loses some. */
export const balanceChanges = model('V3BalanceChanges', {
  changes: z.record(account, int('What the account has more, in nanograms, fees included; less: below 0.')).meta({
    description: 'Nanograms that each account gained (lost: below 0), with its fees; integers of 64 bits.',
    examples: [{ [RAW]: -1_002_400_000 }],
  }),
  fees: z.record(account, int('The fees of the account, in nanograms.')).meta({
    description: 'Nanograms of fees that each account paid, which are in `changes` already; integers of 64 bits.',
    examples: [{ [RAW]: 2_400_000 }],
  }),
  jettons: z.record(account, z.record(rawUpper('The jetton master.'), jettonUnits('Units that the account gained; lost: below 0.'))).meta({
    description: 'Units of jettons that each owner gained (lost: below 0), by jetton master.',
    examples: [{ [RAW]: { [RAW]: '1000000000' } }],
  }),
})
