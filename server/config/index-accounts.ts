import { parseAddress } from '../../shared/fields/address.ts'

export const isWorkchain = (entry: string): boolean => /^-?\d{1,10}$/.test(entry)

/** Accepts an address in any form, or a workchain number. */
export const isAccountEntry = (entry: string): boolean => isWorkchain(entry) || parseAddress(entry) !== undefined
