import { createHash } from 'node:crypto'
import { TonError } from '../../shared/errors.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import type { Call } from '../base/call.ts'
import { beginCell } from '../cell/builder.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Chain } from '../chain/chain-port.ts'
import { intValue } from '../index/topics/contracts/stack-values.ts'
import { type DnsRecord, MAX_RECORD_CELLS, readRecord, readRecords } from '../tlb/contracts/dns-records.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import { adnlText, decodeName, encodeName } from './dns-names.ts'
import { methodCaller } from './get-method.ts'
import { accountAddress, base64, hex } from './wire.ts'

/** Maximum number of resolvers that are called for one name. */
const MAX_HOPS = 32

const NEXT_RESOLVER = createHash('sha256').update('dns_next_resolver').digest()

const entryData = (record: DnsRecord) => {
  switch (record.type) {
    case 'text':
      return { '@type': 'dns.entryDataText', text: record.text } as const
    case 'next_resolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: accountAddress(formatFriendly(record.account)) } as const
    case 'smc_address':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: accountAddress(formatFriendly(record.account)) } as const
    case 'adnl_address':
      return { '@type': 'dns.entryDataAdnlAddress', adnl_address: { '@type': 'adnlAddress', adnl_address: adnlText(record.id) } } as const
    case 'storage_address':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: hex(record.id) } as const
  }
}

const entry = (name: string, category: Uint8Array, record: DnsRecord) =>
  ({ '@type': 'dns.entry', name, category: base64(category), entry: entryData(record) }) as const
export type DnsEntry = ReturnType<typeof entry>

const allRecords = (name: string, root: Cell): DnsEntry[] => {
  try {
    return readRecords(root).map(({ category, record }) => entry(name, category, record))
  } catch (error) {
    if (error instanceof CellError) throw new TonError('CHAIN', 'Invalid DNS category dictionary', { cause: error })
    throw error
  }
}

/** Returns the unresolved part of a name. Throws CHAIN, as tonlib does, if the resolved part is not the end of the name. */
const unresolved = (name: string, answered: string): string => {
  if (!name.endsWith(answered)) throw new TonError('CHAIN', 'INTERNAL: domain is not a suffix of the query')
  const rest = name.slice(0, name.length - answered.length)
  if (rest !== '' && !rest.endsWith('.') && !answered.startsWith('.')) {
    throw new TonError('CHAIN', 'next resolver error: domain split not at a component boundary ')
  }
  return rest
}

/** Resolves all categories of a name. Starts at the resolver `root` and follows at most `ttl` further resolvers, all at the same block. */
export const dnsResolver =
  (chain: Chain) =>
  async (root: AccountId, fullName: string, ttl: number, seqno: number | undefined, caller: Call): Promise<DnsEntry[]> => {
    let resolver = root
    let name = fullName.endsWith('.') ? fullName : `${fullName}.`
    let at: BlockId | number | undefined = seqno
    for (let hops = Math.min(ttl, MAX_HOPS); ; hops--) {
      const encoded = encodeName(name)
      const call = methodCaller(chain, at, caller)
      const answer = await call(resolver, 'dnsresolve', [{ type: 'slice', cell: beginCell().storeBytes(encoded).end() }, intValue(0n)])
      if (answer.exitCode !== 0 && answer.exitCode !== 1) throw new TonError('CHAIN', 'get method failed')
      at = answer.state.block
      const data = answer.stack.at(-1)
      const bits = answer.stack.at(-2)
      if (data?.type !== 'cell') return []
      if (bits?.type !== 'int' || bits.value < 0n || bits.value > BigInt(encoded.length * 8))
        throw new TonError('CHAIN', 'get method failed')
      if (bits.value % 8n !== 0n) throw new TonError('CHAIN', 'Prefix size is not divisible by 8')
      const answered = Number(bits.value / 8n)
      if (answered === 0) return []
      if (answered === encoded.length) return allRecords(name, data.cell)

      const record = readRecord(data.cell, { cells: MAX_RECORD_CELLS })
      if (!record) return []
      const suffix = decodeName(encoded.subarray(0, answered))
      if (hops <= 0) return [entry(suffix, NEXT_RESOLVER, record)]
      if (record.type !== 'next_resolver') throw new TonError('CHAIN', "INTERNAL: dns entry is not 'next resolver'")
      name = unresolved(name, suffix)
      resolver = record.account
    }
  }
