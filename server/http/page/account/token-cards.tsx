import { useCall } from '../base/call.ts'
import { groups, tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token.ts'
import { Tree } from '../parts/json.tsx'
import { Card, Facts, Loading, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { imageOf, JettonAmount, TokenPicture } from '../parts/token.tsx'
import { Account, Badge } from '../parts/values.tsx'
import type { Subject } from './account.tsx'
import { itemPages, walletPages } from './token-pages.ts'
import { Items } from './tokens.tsx'

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

/** Owner, collection and content of an NFT. */
export const ItemCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.nft.items({ address: [raw] }, { signal }), ['item', raw], true)
  return (
    <Loading of={answer}>
      {({ nft_items: [item], address_book, metadata }) => {
        if (item === undefined) return null
        const names = { book: address_book, metadata }
        const token = tokenOf(raw, names)
        const { content } = item
        const name = token?.name ?? String(content['name'] ?? content['domain'] ?? '')
        return (
          <Card
            title={
              <span class="token-name">
                <TokenPicture image={imageOf(token, content)} name={name} id={raw} size={40} />{' '}
                {name === '' ? 'NFT without a name' : tame(name, 80)}
              </span>
            }
            side={<Badge>{item.on_sale ? 'on sale' : 'NFT'}</Badge>}
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
        )
      }}
    </Loading>
  )
}

export const JettonHolders = ({ of: { raw } }: { readonly of: Subject }) => {
  return (
    <Card title="Holders">
      <Paged load={walletPages({ jetton_address: [raw], exclude_zero_balance: true, sort: 'desc' })} deps={['holders', raw]} follow>
        {(rows) => (
          <Table
            label="Holders"
            head={['Owner', 'Balance', 'Jetton wallet']}
            right={['Balance']}
            empty="Nobody holds it yet."
            rows={rows.map(({ wallet, names }) => ({
              key: wallet.address,
              cells: [
                <Account of={wallet.owner} names={names} />,
                <JettonAmount of={wallet.balance} jetton={raw} names={names} />,
                <Account of={wallet.address} names={names} />,
              ],
            }))}
          />
        )}
      </Paged>
    </Card>
  )
}

export const CollectionItems = ({ of: { raw } }: { readonly of: Subject }) => {
  return (
    <Card title="Items">
      <Paged load={itemPages({ collection_address: [raw] })} deps={['items', raw]} follow>
        {(rows) => <Items rows={rows} empty="It has no items yet." />}
      </Paged>
    </Card>
  )
}
