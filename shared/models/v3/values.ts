import * as z from 'zod'
import { decimal, hash44, int, int32, model, text, words } from '../value-formats.ts'

/** A shard as 16 upper-case hex digits. */
const shardHex = (what: string) =>
  text(what, '8000000000000000')
    .regex(/^[0-9A-F]{16}$/)
    .meta({ form: '16 upper-case hex digits' })

export const v3BlockId = model('V3BlockId', {
  workchain: int32('The workchain of the block: -1 is the masterchain, 0 the basechain.', 0),
  shard: shardHex('The shard of the block: its prefix with the terminating bit.'),
  seqno: int('The number of the block in its shard.', 1000),
})

export const fullBlockId = {
  workchain: int32('The workchain of the block: -1 is the masterchain, 0 the basechain.', -1),
  shard: shardHex('The shard of the block: its prefix with the terminating bit.'),
  seqno: int('The number of the block in its shard.', 1000),
  root_hash: hash44('Hash of the root cell of the block.'),
  file_hash: hash44("SHA-256 of the block's BoC."),
}

/** Amounts by currency id; {} if there are none. */
export const extraCurrencies = z.record(z.string().regex(/^\d+$/), decimal('Amount in its smallest units.')).meta({
  id: 'V3ExtraCurrencies',
  description: 'Amounts of other currencies than Gram, by the numbers of the currencies.',
  examples: [{}],
})

export const v3Status = words(
  'Whether the account is deployed (active), holds coins alone (uninit), is frozen for its debts, or is not there (nonexist).',
  ['uninit', 'frozen', 'active', 'nonexist'],
).meta({ id: 'V3AccountStatus' })
