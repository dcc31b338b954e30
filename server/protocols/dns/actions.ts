import type { Values } from '../../actions/action.ts'
import { textOf } from '../../actions/comment-text.ts'
import { computed, data, datum, datumOf, jsonNumber, object } from '../../actions/details.ts'
import type { NftItemFacts } from '../../actions/facts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, kind, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { BOUNCED, CALL, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { ITEM } from '../nfts/details.ts'
import { FILL_UP, load, messages, opcode } from './messages.ts'

/* .ton names: https://github.com/ton-blockchain/TEPs/blob/master/text/0081-dns-standard.md, https://github.com/ton-blockchain/dns-contract */

const NO_KEY = '0'.repeat(64)

/** Code hash of an item of .ton DNS, in base64. */
const ITEM_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='
const COLLECTION: Address = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'

export const isDnsItem = ({ codeHash, collection }: NftItemFacts): boolean => codeHash === ITEM_CODE || collection === COLLECTION

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const loadRecord = (cell: Cell): Values => {
  if (cell.bits < 16) throw new CellError('range', 'a DNS record without a tag')
  const record = load('type DnsShownRecord', cell)
  const { '@type': value_schema } = record
  if (value_schema === 'Unknown') return { value_schema, value: null, flags: null }
  if (value_schema === 'DNSText') return { value_schema, value: textOf(record.value.data), flags: null }
  const { value } = record
  const text = value === null || typeof value === 'string' ? value : hex(value.data)
  return { value_schema, value: text, flags: 'flags' in record ? record.flags : null }
}

/**
 * change_dns_record query_id:uint64 key:bits256 value:(^DNSRecord or nothing) = InternalMsgBody; without value and key it renews the name.
 */
const changeDns: Matcher = {
  at: [opcode('internal change_dns_record')],
  around: { each: optional(call(BOUNCED, { strict: true })) },
  build(step, found, run) {
    const key = hex(load('internal delete_dns_record', step.body).key.data)
    const { source, destination } = step
    const columns = { source, destination, asset: run.nftItem(destination)?.collection ?? null, success: !step.failed }
    const members = [step, ...found.steps]
    if (step.body.refCount > 0) run.group('change_dns', members, { ...columns, data: { key, ...loadRecord(step.body.ref(0)) } })
    else if (key === NO_KEY) run.group('renew_dns', members, columns)
    else run.group('delete_dns', members, { ...columns, data: { key, value_schema: null, flags: null } })
  },
}

const dnsItem = (step: Step, address: string | null, run: Parameters<Matcher['build']>[2]) => {
  const facts = run.nftItem(address)
  return step.kind === CALL && facts !== undefined && isDnsItem(facts) ? facts : undefined
}

const loadQueryId = (step: Step): bigint | null => {
  const s = step.rest()
  return s.remainingBits >= 64 ? s.loadUintBig(64) : null
}

/** dns_balance_release query_id:uint64 = InternalMsgBody; a name that was not renewed is auctioned again. */
const releaseDns: Matcher = {
  at: [opcode('internal dns_balance_release')],
  build(step, _found, run) {
    const facts = dnsItem(step, step.destination, run)
    if (facts === undefined) return
    run.group('dns_release', [step], {
      source: step.source,
      destination: step.destination,
      asset: facts.collection,
      value: step.message.value,
      data: { query_id: loadQueryId(step), nft_item_index: facts.index },
      success: !step.aborted,
    })
  },
}

/** auction_fill_up query_id:uint64 = InternalMsgBody; the auction of a name has ended and its price goes to the collection. */
const purchaseDns: Matcher = {
  at: [FILL_UP],
  around: { before: kind(CALL) },
  build(step, found, run) {
    const facts = dnsItem(step, step.source, run)
    const before = found.steps[0]
    if (facts === undefined || before === undefined) return
    const price = step.message.value
    run.group('dns_purchase', [step], {
      destination: before.source,
      asset: facts.collection,
      assetSecondary: step.source,
      data: { query_id: loadQueryId(step), is_purchase: true, nft_item_index: facts.index, price, payout_amount: price },
      success: !step.aborted,
    })
  },
}

const recordOf = (...schemas: readonly string[]) =>
  computed(({ data }) => (schemas.includes(String(data['value_schema'])) ? data['value'] : null))

/** TON Center shows a text record in `dns_storage_address`. tonway shows it there and in `dns_text`. */
const RECORD = object({
  sum_type: datumOf('value_schema'),
  dns_smc_address: recordOf('DNSSmcAddress'),
  dns_adnl_address: recordOf('DNSAdnlAddress'),
  dns_text: recordOf('DNSText'),
  dns_next_resolver_address: recordOf('DNSNextResolver'),
  dns_storage_address: recordOf('DNSStorageAddress', 'DNSText'),
  flags: jsonNumber(datum),
})

const ACTION = { since: 1, shortcuts: ['dns', 'dns.v2'] } as const

export const dns: Protocol = {
  messages,
  matchers: { 'before items': [releaseDns, purchaseDns], operations: [changeDns] },
  actions: {
    change_dns: { ...ACTION, details: { key: datum, value: RECORD, source: 'source', asset: 'destination', nft_collection: 'asset' } },
    delete_dns: { ...ACTION, details: { hash: datumOf('key'), source: 'source', asset: 'destination', nft_collection: 'asset' } },
    renew_dns: { ...ACTION, details: { source: 'source', asset: 'destination', nft_collection: 'asset' } },
    dns_purchase: {
      since: 3,
      shortcuts: ['nft.v3', 'dns', 'dns.v2'],
      details: { ...ITEM, new_owner: 'destination', ...data('price', 'query_id', 'payout_amount') },
    },
    dns_release: {
      since: 3,
      shortcuts: ['nft.v3', 'dns', 'dns.v2'],
      details: {
        query_id: datum,
        source: 'source',
        nft_item: 'destination',
        nft_collection: 'asset',
        nft_item_index: datum,
        value: 'value',
      },
    },
  },
}
