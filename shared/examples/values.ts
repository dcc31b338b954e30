/* Values that the examples share; good on any network. */

export { EMPTY_CELL, FRIENDLY, HASH, HASH_HEX, RAW } from '../samples.ts'

export const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
/** The elector. */
export const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'

/** Masterchain block 1. */
export const FIRST_BLOCK = { workchain: -1, shard: '-9223372036854775808', seqno: 1 } as const
