import { shareText, shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Names } from '../base/types.ts'
import { friendly, useCalled } from '../parts/account-names.ts'
import { Account } from '../parts/address.tsx'
import { Card, Empty, Table } from '../parts/layout.tsx'
import { Paged } from '../parts/paged.tsx'
import { imageOf, JettonAmount, TokenPicture } from '../parts/token.tsx'
import { Amount, Badge } from '../parts/values.tsx'
import { Warnings } from '../parts/warnings.tsx'
import type { Subject } from './account.tsx'
import { holderPages, itemPages, type PricedItem, walletPages } from './token-pages.ts'

export const JettonName = ({ of, names }: { readonly of: string; readonly names: Names }) => {
  const token = tokenOf(of, names)
  const address = friendly(of, names)
  const { name, isShared, warnings } = useCalled(of, names)
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

export const Tokens = ({ of: { raw } }: { readonly of: Subject }) => {
  return (
    <Card title="Tokens">
      <Paged load={walletPages({ owner_address: [raw], exclude_zero_balance: true })} deps={['tokens', raw]} follow>
        {(rows) => (
          <Table
            label="Jettons"
            head={['Jetton', 'Balance', 'Jetton wallet']}
            right={['Balance']}
            empty="It holds no jettons."
            rows={rows.map(({ wallet, names }) => ({
              key: wallet.address,
              cells: [
                <JettonName of={wallet.jetton} names={names} />,
                <JettonAmount of={wallet.balance} jetton={wallet.jetton} names={names} exact isNamed />,
                <Account of={wallet.address} names={names} />,
              ],
            }))}
          />
        )}
      </Paged>
    </Card>
  )
}

const ItemTile = ({ of: { item: of, names, price } }: { readonly of: PricedItem }) => {
  const token = tokenOf(of.address, names)
  const content = of.content as Readonly<Record<string, unknown>>
  const address = friendly(of.address, names)
  const { name, label, isShared, warnings } = useCalled(of.address, names)
  const collection = useCalled(of.collection_address ?? '', names)
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

const Items = ({ rows, empty }: { readonly rows: readonly PricedItem[]; readonly empty: string }) =>
  rows.length === 0 ? (
    <Empty>{empty}</Empty>
  ) : (
    <div class="tiles">
      {rows.map((row) => (
        <ItemTile key={row.item.address} of={row} />
      ))}
    </div>
  )

export const Nfts = ({ of: { raw } }: { readonly of: Subject }) => {
  return (
    <Card title="NFTs">
      <Paged load={itemPages({ owner_address: [raw], include_on_sale: true })} deps={['nfts', raw]} follow>
        {(rows) => <Items rows={rows} empty="It holds no NFTs." />}
      </Paged>
    </Card>
  )
}

export const JettonHolders = ({ of: { raw } }: { readonly of: Subject }) => {
  return (
    <Card title="Holders">
      <Paged load={holderPages(raw)} deps={['holders', raw]} follow>
        {(rows) => (
          <Table
            label="Holders"
            head={['Owner', 'Balance', 'Share', 'Jetton wallet']}
            right={['Balance', 'Share']}
            empty="Nobody holds it yet."
            rows={rows.map(({ wallet, names, supply }) => ({
              key: wallet.address,
              cells: [
                <Account of={wallet.owner} names={names} />,
                <JettonAmount of={wallet.balance} jetton={raw} names={names} exact isNamed />,
                shareText(wallet.balance, supply),
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
