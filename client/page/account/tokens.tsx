import type { Methods } from '../../index.ts'
import { useCall } from '../base/call.ts'
import { shareText, shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Answer, NftItem } from '../base/types.ts'
import { friendly, useCalled } from '../parts/account-names.ts'
import { Account } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { Card, Empty, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { imageOf, JettonAmount, TokenPicture } from '../parts/token.tsx'
import { Amount, Badge, Warnings } from '../parts/values.tsx'
import type { Subject } from './account.tsx'

const ROWS = 24

type Wallets = Methods['v3.jetton.wallets']['params']

const walletPages = (filter: Wallets) => (cursor: string, signal?: AbortSignal) =>
  ton.v3.jetton.wallets({ ...filter, limit: ROWS, cursor }, { signal })

export const JettonName = ({ of }: { readonly of: string }) => {
  const names = useNames()
  const token = tokenOf(of, names)
  const address = friendly(of, names)
  const { name, isShared, warnings } = useCalled(of)
  return (
    <a class="token-name" href={hrefOf('account', address)} title={address}>
      <TokenPicture image={imageOf(token)} name={token?.name ?? token?.symbol ?? ''} id={of} />
      <span>
        {name ?? <span class="mono">{shortened(address, 6, 6)}</span>}
        {isShared && <span class="mono tell"> {shortened(address, 6, 6)}</span>}
        <Warnings of={warnings} />
      </span>
    </a>
  )
}

const walletsOf = ({ jetton_wallets }: Answer<'v3.jetton.wallets'>) => jetton_wallets

export const Tokens = ({ of: { raw } }: { readonly of: Subject }) => (
  <Card title="Tokens">
    <Paged load={walletPages({ owner_address: [raw], exclude_zero_balance: true })} rows={walletsOf} deps={['tokens', raw]} follow>
      {(wallets) => (
        <Table
          label="Jettons"
          of={wallets}
          id={({ address }) => address}
          columns={{
            Jetton: ({ jetton }) => <JettonName of={jetton} />,
            Balance: ({ balance, jetton }) => <JettonAmount of={balance} jetton={jetton} exact isNamed />,
            'Jetton wallet': ({ address }) => <Account of={address} />,
          }}
          right={['Balance']}
          empty="It holds no jettons."
        />
      )}
    </Paged>
  </Card>
)

/** Prices or highest bids in nanograms, by the address of the sale contract. */
type Prices = ReadonlyMap<string, string>

const sellerOf = (item: NftItem): string | undefined => item.sale_contract_address ?? item.auction_contract_address ?? undefined

/** The prices of items that are on sale. If the request fails, tiles have no price. */
const loadPrices = async (items: readonly NftItem[], signal: AbortSignal | undefined): Promise<Prices> => {
  const sellers = items.flatMap((item) => (item.on_sale ? (sellerOf(item) ?? []) : []))
  if (sellers.length === 0) return new Map()
  const { nft_sales } = await ton.v3.nft.sales({ address: sellers }, { signal }).catch(() => ({ nft_sales: [] }))
  return new Map(
    nft_sales.flatMap((sale) => {
      const price =
        sale.type === 'getgems_sale' ? sale.details.full_price : sale.type === 'getgems_auction' ? sale.details.last_bid : sale.details.bid
      return price === undefined || price === '0' ? [] : [[sale.address, price] as const]
    }),
  )
}

interface ItemProps {
  readonly of: NftItem
  /** Price or highest bid in nanograms, if the item is on sale. */
  readonly price: string | undefined
}

const ItemTile = ({ of, price }: ItemProps) => {
  const names = useNames()
  const token = tokenOf(of.address, names)
  const content = of.content as Readonly<Record<string, unknown>>
  const address = friendly(of.address, names)
  const { name, label, isShared, warnings } = useCalled(of.address)
  const collection = useCalled(of.collection_address ?? '')
  return (
    <a class="tile" href={hrefOf('account', address)}>
      <TokenPicture image={imageOf(token, content)} name={token?.name ?? name ?? ''} id={of.address} size={160} />
      <span class="title">{label ?? `Item ${of.index.length > 12 ? `${of.index.slice(0, 10)}…` : of.index}`}</span>
      {isShared && <span class="mono tell">{shortened(address, 6, 6)}</span>}
      <Warnings of={warnings} />
      <span class="dim">
        {collection.name ?? (of.collection_address ? 'collection without a name' : 'no collection')}
        {collection.isShared && <span class="mono tell"> {shortened(friendly(of.collection_address ?? '', names), 6, 6)}</span>}
        <Warnings of={collection.warnings} />
      </span>
      {of.on_sale && (
        <span>
          <Badge tone="open">on sale</Badge> {price !== undefined && <Amount of={price} />}
        </span>
      )}
    </a>
  )
}

interface ItemsProps {
  readonly title: string
  readonly empty: string
  readonly filter: Methods['v3.nft.items']['params']
}

const Items = ({ title, empty, filter }: ItemsProps) => {
  const load = async (cursor: string, signal?: AbortSignal) => {
    const page = await ton.v3.nft.items({ ...filter, limit: ROWS, cursor }, { signal })
    return { ...page, prices: await loadPrices(page.nft_items, signal) }
  }
  return (
    <Card title={title}>
      <Paged
        load={load}
        rows={({ nft_items, prices }) => nft_items.map((item) => ({ item, price: prices.get(sellerOf(item) ?? '') }))}
        deps={['items', filter]}
        follow
      >
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{empty}</Empty>
          ) : (
            <div class="tiles">
              {rows.map(({ item, price }) => (
                <ItemTile key={item.address} of={item} price={price} />
              ))}
            </div>
          )
        }
      </Paged>
    </Card>
  )
}

export const Nfts = ({ of: { raw } }: { readonly of: Subject }) => (
  <Items title="NFTs" empty="It holds no NFTs." filter={{ owner_address: [raw], include_on_sale: true }} />
)

export const CollectionItems = ({ of: { raw } }: { readonly of: Subject }) => (
  <Items title="Items" empty="It has no items yet." filter={{ collection_address: [raw] }} />
)

/** The holders of a jetton, largest first. If the request for the supply fails, shares are unknown. */
export const JettonHolders = ({ of: { raw } }: { readonly of: Subject }) => {
  const { data } = useCall((signal) => ton.v3.jetton.masters({ address: [raw] }, { signal }), ['master', raw], true)
  const supply = data?.jetton_masters[0]?.total_supply
  return (
    <Card title="Holders">
      <Paged
        load={walletPages({ jetton_address: [raw], exclude_zero_balance: true, sort: 'desc' })}
        rows={walletsOf}
        deps={['holders', raw]}
        follow
      >
        {(wallets) => (
          <Table
            label="Holders"
            of={wallets}
            id={({ address }) => address}
            columns={{
              Owner: ({ owner }) => <Account of={owner} />,
              Balance: ({ balance }) => <JettonAmount of={balance} jetton={raw} exact isNamed />,
              Share: ({ balance }) => shareText(balance, supply),
              'Jetton wallet': ({ address }) => <Account of={address} />,
            }}
            right={['Balance', 'Share']}
            empty="Nobody holds it yet."
          />
        )}
      </Paged>
    </Card>
  )
}
