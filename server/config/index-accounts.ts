import { parseAddress } from '../../shared/fields/address.ts'

/* Entries of TONWAY_INDEX_ACCOUNTS. */

/** Returns whether an entry is a workchain number. All other entries are addresses. */
export const isWorkchain = (entry: string): boolean => /^-?\d{1,10}$/.test(entry)

/** Returns whether an entry is valid: an address in any form, or a workchain number. */
export const isAccountEntry = (entry: string): boolean => isWorkchain(entry) || parseAddress(entry) !== undefined
