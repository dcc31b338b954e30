import { createHash } from 'node:crypto'
import type { Cell } from '../../cell/cell.ts'
import { type DnsRecord, readRecords } from '../../tlb/contracts/dns-records.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { hex } from '../wire.ts'

/* DNS records of an item in the form of getTokenData, which has no text records. */

const sha256 = (name: string): string => createHash('sha256').update(name).digest('hex')
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  ['wallet', 'site', 'storage', 'dns_next_resolver'].map((name) => [sha256(name), name]),
)

const std = (id: AccountId) => ({ '@type': 'addr_std', workchain_id: id.workchain, address: hex(id.hash) }) as const

const tokenRecord = (record: DnsRecord) => {
  switch (record.type) {
    case 'smc_address':
      return { '@type': 'dns_smc_address', smc_addr: std(record.account) } as const
    case 'next_resolver':
      return { '@type': 'dns_next_resolver', resolver: std(record.account) } as const
    case 'adnl_address':
      return { '@type': 'dns_adnl_address', adnl_addr: hex(record.id) } as const
    case 'storage_address':
      return { '@type': 'dns_storage_address', bag_id: hex(record.id) } as const
    case 'text':
      return undefined
  }
}
export type TokenDnsRecord = NonNullable<ReturnType<typeof tokenRecord>>

/** The records of a DNS item by name. A record without a standard name is listed under the upper-case hex of its key. */
export const tokenRecords = (root: Cell): { readonly [name: string]: TokenDnsRecord } => {
  const data: Record<string, TokenDnsRecord> = {}
  for (const { category, record } of readRecords(root)) {
    const key = hex(category)
    const value = tokenRecord(record)
    if (value) data[NAMES[key] ?? key.toUpperCase()] = value
  }
  return data
}
