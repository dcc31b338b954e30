/* Names of buckets: calls in one bucket share a limit. A name has no key in it, only an owner or an address, and its network and plan. */

/** Calls without a key, by network and client address. */
export const addressBucket = (network: string, address: string): string => `a:${network}:${address}`

/** All keys of an owner under one plan of one network. */
export const ownerBucket = (network: string, plan: string, owner: string): string => `k:${network}:${plan}:${owner}`

/** Calls of one kind (and for one account) in such a bucket. What may be any text comes last, so that no two have the same name. */
export const callBucket = (what: 'emulations' | 'sends', of: string, bucket: string): string => `${what}:${of}:${bucket}`

/** Whether any client can create buckets of this kind, so that their number needs a bound. */
export const isUnbounded = (bucket: string): boolean => bucket.startsWith('a:')
