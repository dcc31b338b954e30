import { groups, tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Fields } from '../base/types.ts'
import { useHolders } from '../base/value-lookups.ts'
import { tickerOf, useCalled } from '../parts/account-names.ts'
import { Account } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { Tree } from '../parts/json.tsx'
import { Card, type FactRows, Facts } from '../parts/layout.tsx'
import { imageOf, JettonAmount, TokenPicture } from '../parts/token.tsx'
import { Badge } from '../parts/values.tsx'
import { accountPart } from './account-part.tsx'
import { NameCard } from './dns-name.tsx'
import { ItemSale } from './sale.tsx'
import { JettonName } from './tokens.tsx'

interface TokenCardProps {
  /** Raw address of the token. */
  readonly raw: string
  readonly content: Fields
  /** The name to show if the token's metadata has none. */
  readonly called?: string
  /** Shows a large picture, for tokens of which people look for the picture first. */
  readonly large?: boolean
  readonly rows: FactRows
}

/** Removes the fields that the card or the heading already shows. */
const withoutShown = (content: Fields, shown: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(content).filter(([key, value]) => !(key in shown) || shown[key] !== value))

/** Omits the token's name and kind, because the heading of the view shows both. */
const TokenCard = ({ raw, content, called = '', large = false, rows }: TokenCardProps) => {
  const names = useNames()
  const token = tokenOf(raw, names)
  const name = token?.name || called
  const { name: heading } = useCalled(raw)
  const symbol = heading === undefined ? undefined : tickerOf(raw, names)
  const rest = withoutShown(content, { name, description: token?.description, domain: heading, symbol })
  const image = imageOf(token, content)
  const isLarge = large && image !== undefined
  return (
    <Card class={isLarge ? 'with-picture large' : 'with-picture'}>
      <TokenPicture image={image} name={name} id={raw} size={isLarge ? 240 : 72} />
      <div>
        {token?.description && <p class="wrap">{tame(token.description, 600)}</p>}
        <Facts
          rows={{
            // A name that looks like the name of an account is shown here and not as heading.
            'Calls itself': heading !== undefined || name === '' ? undefined : tame(name, 80),
            ...rows,
            Content: Object.keys(rest).length === 0 ? undefined : <Tree of={rest} />,
          }}
        />
      </div>
    </Card>
  )
}

const noOwner = (what: string) => <span class="dim">{what}</span>

/** The number of holders of a jetton. The service stops counting at a limit. */
const Holders = ({ of: raw }: { readonly of: string }) => {
  const counted = useHolders(raw)
  if (counted === undefined) return <span class="dim">unknown</span>
  const text = groups(String(counted.holders))
  return counted.more ? <span title={`More than ${text}`}>{text}+</span> : <span>{text}</span>
}

export const JettonCard = accountPart(
  (raw, signal) => ton.v3.jetton.masters({ address: [raw] }, { signal }),
  ({ raw, data }) => {
    const [master] = data.jetton_masters
    if (master === undefined) return null
    const content = master.jetton_content
    return (
      <TokenCard
        {...{ raw, content }}
        rows={{
          Supply: (
            <strong class="balance">
              <JettonAmount of={master.total_supply} jetton={raw} content={content} exact isNamed />
            </strong>
          ),
          Holders: <Holders of={raw} />,
          Mintable: master.mintable ? 'yes, by its admin' : 'no',
          Admin: master.admin_address ? <Account of={master.admin_address} /> : noOwner('none'),
        }}
      />
    )
  },
)

export const JettonWalletCard = accountPart(
  (raw, signal) => ton.v3.jetton.wallets({ address: [raw] }, { signal }),
  ({ data }) => {
    const [wallet] = data.jetton_wallets
    if (wallet === undefined) return null
    return (
      <Card title="Jetton wallet">
        <Facts
          rows={{
            Holds: <JettonAmount of={wallet.balance} jetton={wallet.jetton} exact isNamed />,
            Jetton: <JettonName of={wallet.jetton} />,
            Owner: <Account of={wallet.owner} full />,
          }}
        />
      </Card>
    )
  },
)

export const CollectionCard = accountPart(
  (raw, signal) => ton.v3.nft.collections({ collection_address: [raw] }, { signal }),
  ({ raw, data }) => {
    const [collection] = data.nft_collections
    if (collection === undefined) return null
    const { next_item_index: next, owner_address: owner } = collection
    return (
      <TokenCard
        raw={raw}
        content={collection.collection_content ?? {}}
        rows={{
          Items: next === '-1' ? 'not numbered' : groups(next),
          Owner: owner ? <Account of={owner} /> : noOwner('none'),
        }}
      />
    )
  },
)

/** The name of an NFT without metadata: from its content, its TON DNS name, or its username. */
const itemName = (content: Fields, username: string | undefined): string => {
  const said = [content['name'], content['domain'], username].find((each) => typeof each === 'string' && each !== '')
  return said === undefined ? '' : String(said)
}

/** Loads an item and the contract that sells it, which can be the item itself. */
const loadItem = async (raw: string, signal: AbortSignal) => {
  const answer = await ton.v3.nft.items({ address: [raw] }, { signal })
  const item = answer.nft_items[0]
  if (item === undefined || item.real_owner || item.owner_address) return { ...answer, item, sale: undefined }
  const { nft_sales } = await ton.v3.nft.sales({ address: [raw] }, { signal })
  return { ...answer, item, sale: nft_sales[0] }
}

/** Records and auction of an NFT that is a name, then its owner, collection and content, then its price. */
export const ItemCard = accountPart(loadItem, ({ raw, data: { item, metadata, sale } }) => {
  if (item === undefined) return null
  const { content, index, collection_address: collection } = item
  const domain = metadata[raw]?.token_info[0]?.extra?.['domain'] ?? content['domain']
  const owner = item.real_owner ?? item.owner_address
  const seller = item.sale_contract_address ?? item.auction_contract_address
  const username = sale?.type === 'telemint' ? sale.details.token_name : undefined
  const isName = typeof domain === 'string' && domain !== ''
  return (
    <>
      {isName && <NameCard raw={raw} domain={domain} />}
      <TokenCard
        {...{ raw, content }}
        called={itemName({ domain, ...content }, username)}
        large
        rows={{
          Owner: owner ? <Account of={owner} /> : noOwner(sale || isName ? 'none yet: at auction' : 'none'),
          'Held by':
            seller && seller !== raw ? (
              <>
                <Account of={seller} /> {item.on_sale && <Badge tone="open">on sale</Badge>}
              </>
            ) : undefined,
          Collection: collection ? <Account of={collection} /> : noOwner('none'),
          Index: <span class="mono wrap">{index.length > 20 ? index : groups(index)}</span>,
        }}
      />
      {seller && seller !== raw && <ItemSale of={{ raw: seller }} />}
    </>
  )
})
