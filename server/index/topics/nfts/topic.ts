import { inParallel } from '../../../base/in-parallel.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import { mapWithPauses } from '../../../base/yield.ts'
import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { dnsEntries, nftCollections, nftItems, nftSales, nftTransfers } from '../../../store/schema/nfts.ts'
import { tokenMetadata } from '../../../store/schema/tokens.ts'
import { AT_ONCE, contractsOf, hasMethods, idsOf } from '../contracts/detect.ts'
import type { Topic, TopicContext } from '../topic.ts'
import { evaluateCollections } from './collections.ts'
import { evaluateName, tonZone, zoneOf } from './dns.ts'
import { nftEvents } from './events.ts'
import { evaluateItems, type ItemAccount } from './items.ts'
import { linkItems } from './links.ts'
import { evaluateSales, isSale } from './sales.ts'

const COLLECTION = idsOf('get_collection_data')
const ITEM = idsOf('get_nft_data')
const RESOLVER = idsOf('dnsresolve')

/** Finds DNS names among items. Returns the rows of the names, and all items, with the domain of those that are names. */
const nameItems = async (items: readonly ItemAccount[], resolves: (entry: ItemAccount) => boolean, context: TopicContext) => {
  if (items.length === 0) return { names: [], items: [] }
  const candidates = items.filter((entry) => entry.item.init && entry.item.collection.length > 0 && resolves(entry))
  const own = candidates.length === 0 ? undefined : await tonZone(context)
  const names = new Map(
    await inParallel(candidates, async ({ item, account }) => {
      const zone = zoneOf(item.collection, own)
      return [item, zone && (await evaluateName(account, zone, context))] as const
    }),
  )
  return {
    names: [...names.values()].filter((name) => name !== undefined),
    // Each content can have 32 KiB.
    items: await mapWithPauses(items, ({ item }) => {
      const name = names.get(item)
      if (name === undefined) return item
      const { domain } = name
      return { ...item, domain, content: JSON.stringify({ ...(JSON.parse(item.content) as object), domain }) }
    }),
  }
}

export const nftsTopic: Topic = {
  name: 'nfts',
  version: 2,
  tables: [nftCollections, nftItems, nftSales, nftTransfers, dnsEntries, tokenMetadata],
  concerns: (_, methods) => hasMethods(methods, COLLECTION) || hasMethods(methods, ITEM) || isSale(methods),
  async derive(block, context) {
    const { having, methodsOf, stored } = await contractsOf(block, context)
    await context.put([rowsOf(nftCollections, [], stored(nftCollections))])
    for (const some of portionsOf(having(COLLECTION), AT_ONCE))
      await context.put([rowsOf(nftCollections, await evaluateCollections(some, context))])
    const sales = await evaluateSales(block.accounts, methodsOf, context)
    const found = await evaluateItems(having(ITEM), context)
    const named = await nameItems(found, ({ account }) => hasMethods(methodsOf(account), RESOLVER), context)
    const gone = { items: stored(nftItems), sales: stored(nftSales) }
    // A revert deletes rows of sales, but not the rows of items that did not change. So the items of the deleted sales are linked again.
    const touched = { ...gone, undone: block.undone ?? [] }
    return [
      rowsOf(nftItems, await linkItems(named.items, sales, touched, context), gone.items),
      rowsOf(nftSales, sales, gone.sales),
      rowsOf(nftTransfers, await nftEvents(block, named.items, context)),
      rowsOf(dnsEntries, named.names, stored(dnsEntries)),
    ]
  },
}
