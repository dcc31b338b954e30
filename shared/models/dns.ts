import * as z from 'zod'
import { accountAddress } from './message.ts'
import { base64, hash44, hex64, many, text, tlModel, tlObject } from './value-formats.ts'

const adnlAddress = tlModel('AdnlAddress', 'adnlAddress', {
  adnl_address: text(
    'The ADNL address in the form of TON Sites (base32 with a checksum).',
    'vcqmha5j3ceve35ammfrhqty46rkhi455otydstv66pk2tmf7rl25f3',
  ),
})

/** `adnl_address` is TON's text form of an ADNL address. */
const dnsEntryData = z
  .discriminatedUnion('@type', [
    tlObject('dns.entryDataUnknown', { bytes: base64('The record as a BoC, if its kind is not known.') }),
    tlObject('dns.entryDataText', { text: text('The text that the record holds.', 'hello') }),
    tlObject('dns.entryDataNextResolver', { resolver: accountAddress.describe('The contract that resolves the rest of the name.') }),
    tlObject('dns.entryDataSmcAddress', {
      smc_address: accountAddress.describe('The account that the name stands for, such as a wallet.'),
    }),
    tlObject('dns.entryDataAdnlAddress', { adnl_address: adnlAddress.describe('The ADNL address of the site.') }),
    tlObject('dns.entryDataStorageAddress', { bag_id: hex64('Id of the bag in TON Storage.') }),
  ])
  .meta({ id: 'DnsEntryData' })

export const dnsResolved = tlModel('DnsResolved', 'dns.resolved', {
  entries: many(
    'The records of the name.',
    tlObject('dns.entry', {
      name: text('The part of the name that the record belongs to.', 'alice.ton'),
      category: hash44('Category of the record: SHA-256 of its name, such as `wallet` or `site`.'),
      entry: dnsEntryData.describe('What the record holds.'),
    }),
  ),
})
