import * as z from 'zod'
import { base64, int32, many, model, text } from './value-formats.ts'

const param = model('InspectedParam', {
  param: int32('Number of the parameter; validators choose the meaning of negative ones.', 15),
  name: text('What it is; null for a number that block.tlb does not define.', 'Times of elections').nullable(),
  value: z.unknown().meta({
    description:
      'The decoded value: names close to those of block.tlb, 64-bit numbers and coins as decimal texts, accounts as raw addresses, other bytes as hex. Null where it could not be decoded.',
    form: 'any value',
    examples: [{ validators_elected_for: 65536, elections_start_before: 32768, elections_end_before: 8192, stake_held_for: 32768 }],
  }),
  boc: base64('The value, as a BoC.'),
})

export const inspectedConfig = model('InspectedConfig', {
  params: many('The parameters that are set, in ascending order, negative ones last.', param),
})
