import { createHash } from 'node:crypto'
import { Address, beginCell, type Cell, Dictionary } from '@ton/core'
import { speaking } from '../../index/topics/kit.ts'
import type { V3Service } from '../../kit/service/service.ts'

/* Names under auction: one of Telegram's that sells itself, and one of the .ton collection of mainnet. Their contracts say what those of mainnet would. */

const raw = (address: Address): string => address.toRawString()
const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const boc = (cell: Cell): string => cell.toBoc().toString('base64')
const slice = (address: Address | null) => ({ slice: beginCell().storeAddress(address).endCell() })
const said = (text: string) => ({ slice: beginCell().storeStringTail(text).endCell() })
const content = { cell: beginCell().storeUint(1, 8).storeStringTail('x').endCell() }
/** The .ton collection of mainnet. */
const TON_ZONE = new Address(0, Buffer.from('b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf', 'hex'))
const BIDDER = account(0xb1)
const TON = 1_000_000_000n

const place = (call: V3Service['call'], address: Address, code: Cell) =>
  call('local.setAccount', { address: raw(address), balance: String(10n * TON), code: boc(code), data: boc(beginCell().endCell()) })

/** Telegram's collection of usernames. */
const USERNAMES = new Address(0, Buffer.from('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2', 'hex'))

/** The username `@oak`, which is auctioned for a day more. Returns its address. */
export const auctionUsername = async (call: V3Service['call'], now: number): Promise<string> => {
  const address = account(0xd5)
  const zone = speaking({
    get_collection_data: [-1n, content, slice(null)],
    get_nft_address_by_index: [slice(address)],
    get_nft_content: [content],
  })
  await place(call, USERNAMES, zone)
  const code = speaking({
    get_nft_data: [-1n, 77n, slice(USERNAMES), slice(null), content],
    get_full_domain: [said('me\0t\0oak\0')],
    dnsresolve: [8n, { cell: beginCell().endCell() }],
    get_telemint_token_name: [said('oak')],
    get_telemint_auction_config: [slice(account(0xa1)), 10n * TON, 500n * TON, 5n, 3_600n, 604_800n],
    get_telemint_auction_state: [slice(BIDDER), 12n * TON, BigInt(now), 12_600_000_000n, BigInt(now + 86_400)],
    royalty_params: [5n, 100n, slice(account(0x51))],
  })
  await place(call, address, code)
  return raw(address)
}

/** The name `birch.ton`, which is auctioned for a day more and leads to its bidder. Returns the address of its item. */
export const auctionName = async (call: V3Service['call'], now: number): Promise<string> => {
  const item = account(0xe2)
  const zone = speaking({
    get_collection_data: [-1n, content, slice(null)],
    get_nft_address_by_index: [slice(item)],
    get_nft_content: [content],
  })
  const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  // dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8
  const wallet = beginCell().storeUint(0x9fd3, 16).storeAddress(BIDDER).storeUint(0, 8).endCell()
  records.set(createHash('sha256').update('wallet').digest(), wallet)
  const code = speaking({
    get_nft_data: [-1n, 5n, slice(TON_ZONE), slice(null), content],
    get_domain: [said('birch')],
    dnsresolve: [8n, { cell: beginCell().storeDictDirect(records).endCell() }],
    get_auction_info: [slice(BIDDER), 7n * TON, BigInt(now + 86_400)],
    get_last_fill_up_time: [BigInt(now)],
  })
  await place(call, TON_ZONE, zone)
  await place(call, item, code)
  return raw(item)
}
