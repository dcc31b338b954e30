import { createHash } from 'node:crypto'

/** The key of a name in dictionaries of attributes (TEP-64) and of DNS categories (TEP-81): the sha256 of the name. */
export const nameKey = (name: string): bigint => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
