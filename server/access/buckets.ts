/* Names of what is counted together. They hold no key: an owner's name or an address, and what it is for. */

/** Calls without a key, by network and client address. */
export const addressBucket = (network: string, address: string): string => `a:${network}:${address}`

/** All keys of an owner under one plan of one network. */
export const ownerBucket = (network: string, plan: string, owner: string): string => `k:${network}:${plan}:${owner}`

/** Whether anybody can make buckets of this kind, so that their number needs a bound. */
export const isUnbounded = (bucket: string): boolean => bucket.startsWith('a:')
