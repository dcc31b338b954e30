/* Names of buckets. All calls in one bucket share a limit. A name contains the owner or the address, the network and the plan, but never a key. */

export const addressBucket = (network: string, address: string): string => `a:${network}:${address}`

export const ownerBucket = (network: string, plan: string, owner: string): string => `k:${network}:${plan}:${owner}`

/**
 * Bucket of one kind of action within a caller's bucket; `of`: the account of sent messages. The caller's bucket can contain any text, so it comes last,
 * and different buckets never get the same name.
 */
export const callBucket = (what: 'emulations' | 'sends', of: string, bucket: string): string => `${what}:${of}:${bucket}`

/** Returns whether clients can create any number of buckets of this kind, so that the number must be limited. */
export const isUnbounded = (bucket: string): boolean => bucket.startsWith('a:')
