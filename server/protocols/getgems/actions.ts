import type { Protocol } from '../../actions/protocol.ts'
import type { Address } from '../../actions/trace.ts'
import { putOnSale, updateSale } from './listing.ts'
import { messages } from './messages.ts'
import { purchase } from './purchase.ts'
import { cancelAuction, cancelSale, finishAuction } from './trade-end.ts'

/** Names of marketplaces, from TON Center's answers for recorded sales. TON Center stores them in a table (`marketplace_names`). */
const MARKETPLACES: Readonly<Record<Address, string>> = {
  '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18': 'getgems',
  '0:9A9CB80ADFBD1662F5108766D73355AC2C03304FDA1D25A479670E34EFCD72B3': 'getgems',
}

/** The name of a marketplace; undefined if the address is not known. */
export const marketplaceName = (address: Address): string | undefined => MARKETPLACES[address]

export const getgems: Protocol = {
  name: 'Getgems',
  messages,
  matchers: {
    'before items': [updateSale],
    sales: [purchase, putOnSale],
    auctions: [cancelSale, finishAuction, cancelAuction],
  },
}
