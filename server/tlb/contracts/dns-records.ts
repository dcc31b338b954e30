import { type Budget, MAX_CHECKED_CELLS, spendCell } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import { attempt } from '../../cell/error.ts'
import { accountOf, loadAddressInt } from '../address.ts'
import type { AccountId } from '../ids.ts'
import { utf8 } from '../message/snake.ts'

/* DNS records of TEP-81. https://github.com/ton-blockchain/ton/blob/ca7d6e45/crypto/block/block.tlb */

export type DnsRecord =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'next_resolver' | 'smc_address'; readonly account: AccountId }
  | { readonly type: 'adnl_address' | 'storage_address'; readonly id: Uint8Array }

const MAX_RECORDS = 256
/** Maximum number of cells of all text records of one name. */
export const MAX_RECORD_CELLS = 4096

/*
 * dns_text#1eda _:Text = DNSRecord; dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
 * dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags . 0?ProtoList = DNSRecord;
 * dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags . 0?SmcCapList = DNSRecord;
 * dns_storage_address#7473 bag_id:bits256 = DNSRecord;
 */
export const readRecord = (cell: Cell, budget: Budget): DnsRecord | undefined =>
  attempt(() => {
    const s = cell.slice()
    switch (s.loadUint(16)) {
      case 0x1eda: {
        const text = readText(cell, budget)
        return text === undefined ? undefined : { type: 'text', text }
      }
      case 0xba93: {
        const account = accountOf(loadAddressInt(s))
        return account && { type: 'next_resolver', account }
      }
      case 0x9fd3: {
        const account = accountOf(loadAddressInt(s))
        return account && { type: 'smc_address', account }
      }
      case 0xad01:
        return { type: 'adnl_address', id: s.loadBytes(32) }
      case 0x7473:
        return { type: 'storage_address', id: s.loadBytes(32) }
      default:
        return undefined
    }
  })

/* chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1); text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1); text$_ chunks:(## 8) rest:(TextChunks chunks) = Text; */
const readText = (cell: Cell, budget: Budget): string | undefined => {
  let s = cell.slice().skip(16)
  const chunks = s.loadUint(8)
  const parts: Uint8Array[] = []
  for (let i = 0; i < chunks; i++) {
    spendCell(budget)
    parts.push(s.loadBytes(s.loadUint(8)))
    if (i + 1 < chunks) s = s.loadRef().slice()
  }
  return utf8({ bytes: Buffer.concat(parts), cut: false })
}

/** The records of a name, each with the hash of its category. Unreadable records are skipped. Throws CellError for a malformed dictionary. */
export const readRecords = (root: Cell): { readonly category: Uint8Array; readonly record: DnsRecord }[] => {
  const records: { category: Uint8Array; record: DnsRecord }[] = []
  let seen = 0
  const budget = { cells: MAX_RECORD_CELLS }
  for (const [key, value] of dictEntries(root, 256, { cells: MAX_CHECKED_CELLS })) {
    if (++seen > MAX_RECORDS) break
    const record = value.remainingBits === 0 && value.remainingRefs === 1 ? readRecord(value.loadRef(), budget) : undefined
    if (record) records.push({ category: Buffer.from(key.toString(16).padStart(64, '0'), 'hex'), record })
  }
  return records
}
