/* Names of buckets. All calls in one bucket share a limit. The name contains the owner or the address, the network and the plan, but never a key. */

/** Bucket of calls without a key, by network and client address. */
export const addressBucket = (network: string, address: string): string => `a:${network}:${address}`

/** Bucket of all keys of an owner with one plan on one network. */
export const ownerBucket = (network: string, plan: string, owner: string): string => `k:${network}:${plan}:${owner}`

/**
 * Bucket of one kind of action (and one account) within another bucket. The part that can be any text comes last, so that different buckets never get the same
 * name.
 */
export const callBucket = (what: 'emulations' | 'sends', of: string, bucket: string): string => `${what}:${of}:${bucket}`

/** Returns whether clients can create any number of buckets of this kind, so that their number needs a limit. */
export const isUnbounded = (bucket: string): boolean => bucket.startsWith('a:')
