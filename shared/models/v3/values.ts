import * as z from 'zod'
import { decimal } from '../wire.ts'

/* Values that v3's models share (v3.md 1.6, 4). */

/** 16 upper-case hex digits. */
const shardHex = () => z.string().regex(/^[0-9A-F]{16}$/)

export const v3BlockId = z.strictObject({ workchain: z.int32(), shard: shardHex(), seqno: z.int() }).meta({ id: 'V3BlockId' })

/** Amounts by currency id; {} when there are none. */
export const extraCurrencies = z.record(z.string().regex(/^\d+$/), decimal()).meta({ id: 'V3ExtraCurrencies' })

export const v3Status = z.enum(['uninit', 'frozen', 'active', 'nonexist']).meta({ id: 'V3AccountStatus' })
export { shardHex }
