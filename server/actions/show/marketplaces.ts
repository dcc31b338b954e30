import type { Address } from '../trace.ts'

/* Names of marketplaces by address. TON Center stores them in a table (`marketplace_names`). */

/** Taken from TON Center's answers for recorded sales. */
const NAMES: Readonly<Record<Address, string>> = {
  '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18': 'getgems',
  '0:9A9CB80ADFBD1662F5108766D73355AC2C03304FDA1D25A479670E34EFCD72B3': 'getgems',
}

/** The name of a marketplace; undefined if the address is not known. */
export const marketplaceName = (address: Address): string | undefined => NAMES[address]
