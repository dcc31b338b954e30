import type { NftItemFacts } from '../facts.ts'
import type { Address } from '../trace.ts'

/* Recognizes Telegram items and .ton names: NFTs whose contracts hold their own auctions. */

/** Code hash of an item of .ton DNS, in base64. */
const DNS_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='
/** The collection of .ton DNS. */
const DNS_COLLECTION: Address = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'

/** Whether the item is a username or number of Telegram. */
export const isTeleitem = ({ uri }: NftItemFacts): boolean => uri?.includes('https://nft.fragment.com') ?? false

/** Whether the item is a .ton name. */
export const isDnsItem = ({ codeHash, collection }: NftItemFacts): boolean => codeHash === DNS_CODE || collection === DNS_COLLECTION
