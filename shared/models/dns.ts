import * as z from 'zod'
import { accountAddress } from './message.ts'
import { base64, hash44, hex64 } from './wire.ts'

/** One record of a domain (v2.md 3.35). `adnl_address` is TON's text form of an ADNL address. */
export const dnsEntryData = z
  .discriminatedUnion('@type', [
    z.strictObject({ '@type': z.literal('dns.entryDataUnknown'), bytes: base64() }),
    z.strictObject({ '@type': z.literal('dns.entryDataText'), text: z.string() }),
    z.strictObject({ '@type': z.literal('dns.entryDataNextResolver'), resolver: accountAddress }),
    z.strictObject({ '@type': z.literal('dns.entryDataSmcAddress'), smc_address: accountAddress }),
    z.strictObject({
      '@type': z.literal('dns.entryDataAdnlAddress'),
      adnl_address: z.strictObject({ '@type': z.literal('adnlAddress'), adnl_address: z.string() }),
    }),
    z.strictObject({ '@type': z.literal('dns.entryDataStorageAddress'), bag_id: hex64() }),
  ])
  .meta({ id: 'DnsEntryData' })

export const dnsResolved = z
  .strictObject({
    '@type': z.literal('dns.resolved'),
    entries: z.array(z.strictObject({ '@type': z.literal('dns.entry'), name: z.string(), category: hash44(), entry: dnsEntryData })),
  })
  .meta({ id: 'DnsResolved' })
