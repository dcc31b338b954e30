import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { cell, cellOrSlice, cellValue, int, intValue } from '../../index/topics/contracts/stack-values.ts'
import { readContent } from '../../tlb/contracts/token-content.ts'
import { type AccountId, sameAccount } from '../../tlb/ids.ts'
import { readSnake, utf8 } from '../../tlb/message/snake.ts'
import { type CallMethod, readValues } from '../get-method.ts'
import { account, addressOrNone, shown } from './address-entry.ts'
import { tokenRecords } from './dns-records.ts'

/* TEP-62 (NFT) and TEP-81 (DNS items). A function returns undefined if the contract is not a token of its kind. */

/** get_collection_data: next item index, content, owner. */
export const nftCollection = async (id: AccountId, address: string, call: CallMethod) => {
  const read = readValues(await call(id, 'get_collection_data'), int, cell, addressOrNone)
  if (!read) return undefined
  const [next, content, owner] = read
  const collection_content = readContent(content)
  if (!collection_content) return undefined
  return {
    '@type': 'ext.tokens.nftCollectionData',
    address,
    contract_type: 'nft_collection',
    next_item_index: next.toString(),
    ...(owner !== 'none' && { owner_address: shown(owner) }),
    collection_content,
  } as const
}

/**
 * get_nft_data: init, index, collection, owner, individual content. The collection must return this item's address for its index; its get_nft_content
 * returns the full content.
 */
export const nftItem = async (id: AccountId, address: string, call: CallMethod) => {
  const read = readValues(await call(id, 'get_nft_data'), int, int, addressOrNone, addressOrNone, cell)
  if (!read) return undefined
  const [init, index, collection, owner, individual] = read
  const content = collection === 'none' ? readContent(individual) : await collectionContent(id, collection, index, individual, call)
  if (!content) return undefined
  return {
    '@type': 'ext.tokens.nftItemData',
    address,
    contract_type: 'nft_item',
    init: init !== 0n,
    index: index.toString(),
    ...(collection !== 'none' && { collection_address: shown(collection) }),
    ...(owner !== 'none' && { owner_address: shown(owner) }),
    content: (collection !== 'none' && (await domainContent(id, call))) || content,
  } as const
}

const collectionContent = async (id: AccountId, collection: AccountId, index: bigint, individual: Cell, call: CallMethod) => {
  const expected = readValues(await call(collection, 'get_nft_address_by_index', [intValue(index)]), account)
  if (!expected || !sameAccount(expected[0], id)) return undefined
  const whole = readValues(await call(collection, 'get_nft_content', [intValue(index), cellValue(individual)]), cell)
  return whole && readContent(whole[0])
}

/** Name of the item itself in `dnsresolve`: one zero byte. */
const SELF = beginCell().storeUint(0, 8).end()

/** Domain and records of an item that resolves names; undefined for an item that does not. */
const domainContent = async (id: AccountId, call: CallMethod) => {
  const resolved = await call(id, 'dnsresolve', [{ type: 'slice', cell: SELF }, intValue(0n)])
  const records = resolved.exitCode === 0 && resolved.stack.length === 2 ? cell(resolved.stack[1]) : undefined
  if (!records) return undefined
  const text = readValues(await call(id, 'get_domain'), cellOrSlice)
  const name = text && readSnake(text[0].slice(), 127)
  const domain = name && utf8(name)
  if (domain === undefined) return undefined
  return attempt(() => ({ domain: `${domain}.ton`, data: tokenRecords(records) }))
}
