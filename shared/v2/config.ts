import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { hash } from '../fields/hash.ts'
import { type Bounds, int32, positive } from '../fields/ints.ts'
import { list } from '../fields/list.ts'
import { method } from '../method.ts'
import { configInfo, libraryResult } from '../models/result.ts'
import { base64, int32 as int32Value, many, model, text } from '../models/value-formats.ts'
import { HASH, HASH_HEX } from '../samples.ts'

const read = { heading: 'Configuration', effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1, cache: 'head' } as const

const asOf = () => int32('The masterchain block at which the configuration is read; by default the newest.', positive).optional()
const paramIndex: Bounds = { min: [0n, 'param should be non-negative'] }

const inspectedParam = model('InspectedParam', {
  param: int32Value('Number of the parameter; validators choose the meaning of negative ones.', 15),
  name: text('What it is; null for a number that block.tlb does not define.', 'Times of elections').nullable(),
  value: z.unknown().meta({
    description:
      'The decoded value: names close to those of block.tlb, 64-bit numbers and coins as decimal texts, accounts as raw addresses, other bytes as hex. Null where it could not be decoded.',
    form: 'any value',
    examples: [{ validators_elected_for: 65536, elections_start_before: 32768, elections_end_before: 8192, stake_held_for: 32768 }],
  }),
  boc: base64('The value, as a BoC.'),
})

const inspectedConfig = model('InspectedConfig', {
  params: many('The parameters that are set, in ascending order, negative ones last.', inspectedParam),
})

export const config = {
  getConfigParam: method({
    ...read,
    hides: { config_id: 'param' },
    summary: 'One configuration parameter as a cell; `config_id` and `param` are two names of its number.',
    examples: [
      { title: 'the validators', params: { config_id: 34 } },
      { title: 'by the other name, at a block', params: { param: '8', seqno: 1 } },
    ],
    params: z
      .object({
        config_id: int32('The number of the configuration parameter.', paramIndex, 34).optional(),
        param: int32('Another name of `config_id`.', paramIndex, 34).optional(),
        seqno: asOf(),
      })
      .refine((p) => (p.config_id === undefined) !== (p.param === undefined), rule('only one of config_id or param should be specified')),
    result: configInfo,
  }),
  getConfigAll: method({
    ...read,
    summary: 'Root of the configuration dictionary (Hashmap 32 ^Cell) as a cell.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({ seqno: asOf() }),
    result: configInfo,
  }),
  inspectConfig: method({
    ...read,
    // High, because the set of validators alone has hundreds of entries.
    weight: 5,
    summary: 'Every configuration parameter by its name, with its decoded value.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({ seqno: asOf() }),
    result: inspectedConfig,
  }),
  getLibraries: method({
    ...read,
    summary: 'Code of public libraries by hash, at most 16; unknown ones are left out.',
    examples: [
      { title: 'two hashes', params: { libraries: [HASH, HASH_HEX] } },
      { title: 'none', params: {} },
    ],
    params: z.object({
      libraries: list('Hashes of the libraries that are wanted, at most 16.', hash('The hash of one library.'), 'hash').default([]),
    }),
    result: libraryResult,
  }),
}
