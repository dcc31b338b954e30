import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { readContent } from '../../tlb/contracts/token-content.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { sameAccount } from '../../tlb/ids.ts'
import { readSnake, utf8 } from '../../tlb/message/snake.ts'
import { asCell, asInt, type CallMethod, int } from '../get-method.ts'
import { asAddress, shown } from './address-entry.ts'
import { tokenRecords } from './dns-records.ts'

/* TEP-62 (NFT) and TEP-81 (DNS items). A function returns undefined if the contract is not a token of its kind. */

/** get_collection_data: next item index, content, owner. */
export const nftCollection = async (id: AccountId, address: string, call: CallMethod) => {
  const { exitCode, stack } = await call(id, 'get_collection_data')
  if (exitCode !== 0 || stack.length < 3) return undefined
  const next = asInt(stack[0])
  const content = asCell(stack[1])
  const owner = asAddress(stack[2])
  if (next === undefined || !content || owner === undefined) return undefined
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
  const { exitCode, stack } = await call(id, 'get_nft_data')
  if (exitCode !== 0 || stack.length < 5) return undefined
  const init = asInt(stack[0])
  const index = asInt(stack[1])
  const collection = asAddress(stack[2])
  const owner = asAddress(stack[3])
  const individual = asCell(stack[4])
  if (init === undefined || index === undefined || collection === undefined || owner === undefined || !individual) return undefined
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
  const back = await call(collection, 'get_nft_address_by_index', [int(index)])
  const expected = back.exitCode === 0 ? asAddress(back.stack[0]) : undefined
  if (expected === undefined || expected === 'none' || !sameAccount(expected, id)) return undefined
  const whole = await call(collection, 'get_nft_content', [int(index), { type: 'cell', cell: individual }])
  const cell = whole.exitCode === 0 ? asCell(whole.stack[0]) : undefined
  return cell && readContent(cell)
}

/** Name of the item itself in `dnsresolve`: one zero byte. */
const SELF = beginCell().storeUint(0, 8).end()

/** Domain and records of an item that resolves names; undefined for an item that does not. */
const domainContent = async (id: AccountId, call: CallMethod) => {
  const resolved = await call(id, 'dnsresolve', [{ type: 'slice', cell: SELF }, int(0n)])
  const records = resolved.exitCode === 0 && resolved.stack.length === 2 ? asCell(resolved.stack[1]) : undefined
  if (!records) return undefined
  const named = await call(id, 'get_domain')
  const value = named.exitCode === 0 ? named.stack[0] : undefined
  const name = value?.type === 'cell' || value?.type === 'slice' ? readSnake(value.cell.slice(), 127) : undefined
  const domain = name && utf8(name)
  if (domain === undefined) return undefined
  return attempt(() => ({ domain: `${domain}.ton`, data: tokenRecords(records) }))
}
