import type { Address } from '../trace.ts'

/* Names of marketplaces by their addresses. TON Center keeps them in a table of its own (`marketplace_names`). */

const NAMES: Readonly<Record<Address, string>> = {}

/** The name of a marketplace; undefined for an address that is none known. */
export const marketplaceName = (address: Address): string | undefined => NAMES[address]
