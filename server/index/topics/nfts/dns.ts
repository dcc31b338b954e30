import { beginCell } from '../../../cell/builder.ts'
import { attempt } from '../../../cell/error.ts'
import { accountKey } from '../../../store/row-keys.ts'
import type { dnsEntries } from '../../../store/schema/nfts.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { type DnsRecord, MAX_RECORD_CELLS, readRecord, readRecords } from '../../../tlb/contracts/dns-records.ts'
import { readSnake, utf8 } from '../../../tlb/message/snake.ts'
import { nameKey } from '../../../tlb/name-key.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { address, cell, cellOrSlice, int, intValue, stackOf } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'
import { configAddress } from '../topic-context.ts'

/* DNS names (TEP-81) are items of the .ton and .t.me collections at these addresses, and of the .ton collection to which the chain's DNS root resolves. */

const key = (hash: string): Buffer => accountKey(0, Buffer.from(hash, 'hex'))
const TON_ZONES = [
  key('b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf'),
  key('e33ed33a42eb2032059f97d90c706f8400bb256d32139ca707f1564ad699c7dd'),
]
const TELEGRAM_ZONE = key('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2')

export type Zone = 'ton' | 't.me'

/** `ton` in the form that resolvers expect: with a zero byte at the end. */
const TON = beginCell().storeBytes(Buffer.from('ton\0')).end()
const SELF = beginCell().storeUint(0, 8).end()
const slice = (value: ReturnType<typeof cell> & object): VmStackValue => ({ type: 'slice', cell: value })

/** The .ton collection according to the root resolver in configuration parameter 4; undefined if the resolver has none. */
export const tonZone = async (context: TopicContext): Promise<Buffer | undefined> => {
  const root = await configAddress(context, 4)
  if (root === undefined) return undefined
  const [resolver] = await context.accounts([accountKey(-1, root)])
  if (resolver?.status !== 'active') return undefined
  const stack = stackOf(await context.run(resolver, 'dnsresolve', [slice(TON), intValue(nameKey('dns_next_resolver'))]), 2)
  const value = cell(stack?.[1])
  const record = value && readRecord(value, { cells: MAX_RECORD_CELLS })
  return record?.type === 'next_resolver' ? accountKey(record.account.workchain, record.account.hash) : undefined
}

/** Returns the zone of a collection; undefined if the collection has no zone. `own`: the .ton collection from the configuration. */
export const zoneOf = (collection: Buffer, own: Buffer | undefined): Zone | undefined => {
  if (collection.equals(TELEGRAM_ZONE)) return 't.me'
  return TON_ZONES.some((zone) => zone.equals(collection)) || own?.equals(collection) ? 'ton' : undefined
}

const textOf = (value: VmStackValue | undefined): string | undefined => {
  const where = cellOrSlice(value)
  const read = where && attempt(() => (where.exotic ? undefined : readSnake(where.slice(), 255)))
  return read && utf8(read)
}

const isName = (name: string): boolean => /^[^\p{Cc}\\]+$/u.test(name)

const domainOf = async (item: AccountView, zone: Zone, context: TopicContext): Promise<string | undefined> => {
  let domain: string | undefined
  if (zone === 'ton') {
    const label = textOf(stackOf(await context.run(item, 'get_domain'), 1)?.[0])
    domain = label && `${label}.ton`
  } else {
    const labels = textOf(stackOf(await context.run(item, 'get_full_domain'), 1)?.[0])
    domain = labels
      ?.split('\0')
      .filter((label) => label !== '')
      .reverse()
      .join('.')
  }
  return domain !== undefined && isName(domain) ? domain : undefined
}

const CATEGORIES = {
  wallet: nameKey('wallet'),
  site: nameKey('site'),
  storage: nameKey('storage'),
  next: nameKey('dns_next_resolver'),
}

/** Reads the row of a name; undefined if the name cannot be read, or if the item does not resolve its own name. */
export const evaluateName = async (
  account: AccountView,
  zone: Zone,
  context: TopicContext,
): Promise<WriteRow<typeof dnsEntries> | undefined> => {
  const domain = await domainOf(account, zone, context)
  const resolved = stackOf(await context.run(account, 'dnsresolve', [slice(SELF), intValue(0n)]), 2)
  if (domain === undefined || int(resolved?.[0]) !== 8n) return undefined
  const dict = cell(resolved?.[1])
  const records = (dict && attempt(() => readRecords(dict))) ?? []
  const record = (of: bigint): DnsRecord | undefined =>
    records.find((entry) => BigInt(`0x${Buffer.from(entry.category).toString('hex')}`) === of)?.record
  const accountOf = (found: DnsRecord | undefined, type: 'next_resolver' | 'smc_address'): Buffer | undefined =>
    found?.type === type ? accountKey(found.account.workchain, found.account.hash) : undefined
  const idOf = (found: DnsRecord | undefined, type: 'adnl_address' | 'storage_address'): Uint8Array | undefined =>
    found?.type === type ? found.id : undefined

  // get_auction_info: max_bid_address:slice max_bid_amount:int auction_end_time:int; the end time is 0 if there is no auction.
  const auction = zone === 'ton' ? stackOf(await context.run(account, 'get_auction_info'), 3) : undefined
  const end = int(auction?.[2]) ?? 0n
  const bidder = end > 0n ? address(auction?.[0]) : undefined
  const bid = int(auction?.[1])
  const filled = zone === 'ton' ? int(stackOf(await context.run(account, 'get_last_fill_up_time'), 1)?.[0]) : undefined
  const time = (value: bigint | undefined): bigint | undefined =>
    value !== undefined && value >= 0n && value < 1n << 62n ? value : undefined
  return {
    account: account.key,
    mc_seqno: account.mcSeqno,
    domain,
    next_resolver: accountOf(record(CATEGORIES.next), 'next_resolver'),
    wallet: accountOf(record(CATEGORIES.wallet), 'smc_address'),
    site: idOf(record(CATEGORIES.site), 'adnl_address'),
    storage: idOf(record(CATEGORIES.storage), 'storage_address'),
    bidder,
    bid: bidder ? bid : undefined,
    auction_end: bidder ? (time(end) ?? 0n) : 0n,
    last_fill_up: time(filled),
  }
}
