import { useCall } from '../base/call.ts'
import { groups, tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token.ts'
import { Tree } from '../parts/json.tsx'
import { Card, Facts, Loading } from '../parts/layout.tsx'
import { imageOf, JettonAmount, TokenPicture } from '../parts/token.tsx'
import { Account, Badge } from '../parts/values.tsx'
import type { Subject } from './account.tsx'
import { NameCard } from './dns-name.tsx'
import { Sold } from './sale.tsx'
import { JettonName } from './tokens.tsx'

/* What a jetton, a collection or an NFT is, above what any account has. */

/** The supply of a jetton, and what its content says. */
export const JettonCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.jetton.masters({ address: [raw] }, { signal }), ['master', raw], true)
  return (
    <Loading of={answer}>
      {({ jetton_masters: [master], address_book, metadata }) => {
        if (master === undefined) return null
        const names = { book: address_book, metadata }
        const token = tokenOf(raw, names)
        const content = master.jetton_content
        const name = token?.name ?? ''
        return (
          <Card
            title={
              <span class="token-name">
                <TokenPicture image={imageOf(token, content)} name={name} id={raw} size={40} />{' '}
                {name === '' ? 'Jetton without a name' : tame(name, 80)}
              </span>
            }
            side={<Badge>jetton</Badge>}
          >
            {token?.description && <p class="wrap">{tame(token.description, 600)}</p>}
            <Facts
              rows={[
                ['Supply', <JettonAmount of={master.total_supply} jetton={raw} names={names} content={content} />],
                ['Mintable', master.mintable ? 'yes, by its admin' : 'no'],
                ['Admin', <Account of={master.admin_address} names={names} />],
                ['Content', <Tree of={content} />],
              ]}
            />
          </Card>
        )
      }}
    </Loading>
  )
}

/** The balance, the jetton and the owner of a jetton wallet. */
export const JettonWalletCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.jetton.wallets({ address: [raw] }, { signal }), ['jetton wallet', raw], true)
  return (
    <Loading of={answer}>
      {({ jetton_wallets: [wallet], address_book, metadata }) => {
        if (wallet === undefined) return null
        const names = { book: address_book, metadata }
        return (
          <Card title="Jetton wallet">
            <Facts
              rows={[
                ['Holds', <JettonAmount of={wallet.balance} jetton={wallet.jetton} names={names} />],
                ['Jetton', <JettonName of={wallet.jetton} names={names} />],
                ['Owner', <Account of={wallet.owner} names={names} full />],
              ]}
            />
          </Card>
        )
      }}
    </Loading>
  )
}

/** Name, owner and number of items of a collection. */
export const CollectionCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.nft.collections({ collection_address: [raw] }, { signal }), ['collection', raw], true)
  return (
    <Loading of={answer}>
      {({ nft_collections: [collection], address_book, metadata }) => {
        if (collection === undefined) return null
        const names = { book: address_book, metadata }
        const token = tokenOf(raw, names)
        const content = collection.collection_content ?? {}
        const name = token?.name ?? ''
        return (
          <Card
            title={
              <span class="token-name">
                <TokenPicture image={imageOf(token, content)} name={name} id={raw} size={40} />{' '}
                {name === '' ? 'Collection without a name' : tame(name, 80)}
              </span>
            }
            side={<Badge>NFT collection</Badge>}
          >
            {token?.description && <p class="wrap">{tame(token.description, 600)}</p>}
            <Facts
              rows={[
                ['Items', collection.next_item_index === '-1' ? 'not numbered' : groups(collection.next_item_index)],
                ['Owner', <Account of={collection.owner_address} names={names} />],
                ['Content', <Tree of={content} />],
              ]}
            />
          </Card>
        )
      }}
    </Loading>
  )
}

/** Owner, collection and content of an NFT, then its price and, if it is a name, its records. */
export const ItemCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.nft.items({ address: [raw] }, { signal }), ['item', raw], true)
  return (
    <Loading of={answer}>
      {({ nft_items: [item], address_book, metadata }) => {
        if (item === undefined) return null
        const names = { book: address_book, metadata }
        const token = tokenOf(raw, names)
        const { content } = item
        const domain = token?.extra?.['domain'] ?? content['domain']
        const name = token?.name ?? String(content['name'] ?? domain ?? '')
        const seller = item.sale_contract_address ?? item.auction_contract_address
        return (
          <>
            <Card
              title={
                <span class="token-name">
                  <TokenPicture image={imageOf(token, content)} name={name} id={raw} size={40} />{' '}
                  {name === '' ? 'NFT without a name' : tame(name, 80)}
                </span>
              }
              side={<Badge tone={item.on_sale ? 'warn' : 'plain'}>{item.on_sale ? 'on sale' : 'NFT'}</Badge>}
            >
              {token?.description && <p class="wrap">{tame(token.description, 600)}</p>}
              <Facts
                rows={[
                  ['Owner', <Account of={item.real_owner ?? item.owner_address} names={names} />],
                  ['Collection', <Account of={item.collection_address} names={names} />],
                  ['Index', <span class="mono wrap">{item.index.length > 20 ? item.index : groups(item.index)}</span>],
                  ['Content', <Tree of={content} />],
                ]}
              />
            </Card>
            {seller && seller !== raw && <Sold raw={seller} at="item" />}
            {typeof domain === 'string' && domain !== '' && <NameCard raw={raw} domain={domain} />}
          </>
        )
      }}
    </Loading>
  )
}
