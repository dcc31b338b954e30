import type { NftItemFacts } from '../facts.ts'
import type { Address } from '../trace.ts'

/* Which NFTs are more than NFTs: their contracts sell themselves. */

/** Code of an item of .ton DNS. */
const DNS_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='
/** The collection of .ton DNS. */
const DNS_COLLECTION: Address = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'

/** A username or number of Telegram. */
export const isTeleitem = ({ uri }: NftItemFacts): boolean => uri?.includes('https://nft.fragment.com') ?? false

/** A name below .ton. */
export const isDnsItem = ({ codeHash, collection }: NftItemFacts): boolean => codeHash === DNS_CODE || collection === DNS_COLLECTION
