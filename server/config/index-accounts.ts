import { parseAddress } from '../../shared/fields/address.ts'

/* Entries of TONWAY_INDEX_ACCOUNTS. */

/** Whether an entry is a workchain number; any other entry is an address. */
export const isWorkchain = (entry: string): boolean => /^-?\d{1,10}$/.test(entry)

/** Whether an entry can be read: an address in any form, or the number of a workchain. */
export const isAccountEntry = (entry: string): boolean => isWorkchain(entry) || parseAddress(entry) !== undefined
