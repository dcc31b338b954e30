import type { VNode } from 'preact'
import { outcomeOf } from '../../outcome.ts'
import { friendlyOf, isNonBounceable, parseAddress, rawOf } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { status } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { useHold } from '../base/show-when-loaded.ts'
import { useStore } from '../base/store.ts'
import type { AccountState } from '../base/types.ts'
import { kindsOf } from '../parts/address.tsx'
import { AnswerNames, type Describing } from '../parts/answer-names.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Details, EmptyCard, Facts, Heading, Loading, Tabs } from '../parts/layout.tsx'
import { Together } from '../parts/show-together.tsx'
import { Amount, Badge, currenciesOf, Hash, Time } from '../parts/values.tsx'
import { Contract } from './contract.tsx'
import { History, Transactions } from './history.tsx'
import { MultisigCard, OrderCard } from './multisig.tsx'
import { SaleCard } from './sale.tsx'
import { otherForm, shownAddress, Title } from './title.tsx'
import { CollectionCard, ItemCard, JettonCard, JettonWalletCard } from './token-cards.tsx'
import { CollectionItems, JettonHolders, Nfts, Tokens } from './tokens.tsx'
import { PlainTransactions } from './transactions.tsx'
import { VestingCard } from './vesting.tsx'

export interface Answered extends Describing {
  /** undefined for an account that never existed. */
  readonly state: AccountState | undefined
  readonly interfaces: readonly string[]
  /** Unix seconds of the account's last transaction; undefined if unknown. */
  readonly usedAt?: number | undefined
  /** True if the account's last transaction failed. */
  readonly hasFailed?: boolean
  /** Whether a token contract holds tokens. Undefined for all other accounts: their tabs of tokens are always shown. */
  readonly holds?: { readonly tokens: boolean; readonly nfts: boolean } | undefined
}

export interface Subject extends Answered {
  readonly raw: string
  readonly friendly: string
}

const TOKENS = /^(jetton_(master|wallet)|nft_(collection|item|sale.*|auction.*)|teleitem)$/

const loadHolds = async (raw: string, signal: AbortSignal) => {
  const [{ jetton_wallets }, { nft_items }] = await Promise.all([
    ton.v3.jetton.wallets({ owner_address: [raw], exclude_zero_balance: true, limit: 1 }, { signal }),
    ton.v3.nft.items({ owner_address: [raw], include_on_sale: true, limit: 1 }, { signal }),
  ])
  return { tokens: jetton_wallets.length > 0, nfts: nft_items.length > 0 }
}

const loadIndexed = async (raw: string, signal: AbortSignal): Promise<Answered> => {
  const [{ accounts, address_book, metadata }, { transactions }] = await Promise.all([
    ton.v3.accountStates({ address: [raw], include_boc: false }, { signal }),
    ton.v3.transactions({ account: [raw], limit: 1 }, { signal }),
  ])
  const state = accounts[0]
  const last = transactions.find(({ hash }) => hash === state?.last_transaction_hash)
  const own = address_book[raw]?.interfaces
  return {
    ...{ state, address_book, metadata, interfaces: own ?? state?.interfaces ?? [] },
    usedAt: last?.now,
    hasFailed: last !== undefined && outcomeOf(last).failed,
    holds: own?.some((name) => TOKENS.test(name)) ? await loadHolds(raw, signal) : undefined,
  }
}

/** Loads an account from v2, for services without an index. */
const loadPlain = async (raw: string, signal: AbortSignal): Promise<Answered> => {
  const { balance, state, last_transaction_id } = await ton.getAddressInformation({ address: raw }, { signal })
  // An account of the genesis state exists without a transaction.
  const isUsed = last_transaction_id.lt !== '0'
  const exists = isUsed || state !== 'uninitialized' || String(balance) !== '0'
  const plain: AccountState = {
    address: raw,
    account_state_hash: '',
    balance: String(balance),
    extra_currencies: {},
    status: state === 'uninitialized' ? 'uninit' : state,
    last_transaction_hash: isUsed ? last_transaction_id.hash : null,
    last_transaction_lt: last_transaction_id.lt,
    contract_methods: null,
    interfaces: [],
  }
  return { state: exists ? plain : undefined, interfaces: [] }
}

const STATUS: Readonly<Record<string, string>> = {
  active: 'active',
  uninit: 'not deployed (uninit): it holds coins, but has no code',
  frozen: 'frozen for its debts',
  nonexist: 'gone (nonexist)',
}

/** Seqno and id of a wallet. Undefined if the account is not a wallet, or if its contract shows neither. */
const useWalletText = (raw: string, isWallet: boolean): string | undefined => {
  const { data } = useCall(
    isWallet ? async (signal) => (await ton.v3.walletStates({ address: [raw] }, { signal })).wallets[0] ?? null : undefined,
    ['wallet', raw],
    true,
  )
  // The row of a wallet is shown before its value is loaded, so that no other row moves.
  if (data === undefined) return isWallet ? 'not known yet' : undefined
  if (!data?.is_wallet) return undefined
  const parts = [data.seqno !== undefined && `seqno ${data.seqno}`, data.wallet_id !== undefined && `wallet id ${data.wallet_id}`]
  return parts.filter((each) => each !== false).join(', ') || undefined
}

const OtherForms = ({ raw, shown }: { readonly raw: string; readonly shown: string }) => {
  const kind = isNonBounceable(shown) ? 'Bounceable' : 'Non-bounceable'
  return (
    <Details summary={`${kind} and raw`}>
      {() => (
        <Facts
          rows={{
            [kind]: (
              <Copyable class="address" text={otherForm(shown)} what="Copy the other form of the address">
                <span class="mono wrap">{otherForm(shown)}</span>
              </Copyable>
            ),
            'Raw address': <Copyable text={raw} what="Copy the raw address" />,
          }}
        />
      )}
    </Details>
  )
}

const Summary = ({ of: { raw, interfaces, state, friendly, usedAt, hasFailed } }: { readonly of: Subject }) => {
  const wallet = useWalletText(
    raw,
    interfaces.some((name) => name.startsWith('wallet_')),
  )
  const balance = <Amount of={state?.balance ?? '0'} exact />
  return (
    <Card>
      <Facts
        rows={{
          // A token contract's coins pay for its storage and are not the token's value.
          ...(interfaces.some((name) => TOKENS.test(name))
            ? { 'Contract balance': balance }
            : { Balance: <strong class="balance">{balance}</strong> }),
          'Other currencies': currenciesOf(state?.extra_currencies),
          Status:
            state === undefined ? 'not deployed (nonexist): there is no transaction of it yet' : (STATUS[state.status] ?? state.status),
          // The heading already names the kind of an account that has only one.
          Kinds: interfaces.length < 2 ? undefined : kindsOf(interfaces).map((kind) => <Badge key={kind}>{kind}</Badge>),
          Wallet: wallet && <span class="dim">{wallet}</span>,
          'Other forms': <OtherForms raw={raw} shown={shownAddress(friendly, state)} />,
          'Last transaction': state?.last_transaction_hash ? (
            <>
              {usedAt !== undefined && <Time of={usedAt} />} <Hash of={state.last_transaction_hash} to="tx" />{' '}
              {hasFailed && <Badge tone="bad">failed</Badge>}
            </>
          ) : undefined,
        }}
      />
    </Card>
  )
}

interface Tab {
  readonly id: string
  readonly name: string
  readonly View: (props: { readonly of: Subject }) => VNode | null
  /** Whether the account has the tab. Default: always. */
  readonly isOf?: (of: Subject) => boolean
  readonly needsIndex?: boolean
}

const TABS: readonly Tab[] = [
  { id: 'history', name: 'History', View: History, needsIndex: true },
  { id: 'transactions', name: 'Transactions', View: Transactions },
  { id: 'holders', name: 'Holders', View: JettonHolders, isOf: ({ interfaces }) => interfaces.includes('jetton_master') },
  { id: 'items', name: 'Items', View: CollectionItems, isOf: ({ interfaces }) => interfaces.includes('nft_collection') },
  { id: 'tokens', name: 'Tokens', View: Tokens, isOf: ({ holds }) => holds?.tokens !== false, needsIndex: true },
  { id: 'nfts', name: 'NFTs', View: Nfts, isOf: ({ holds }) => holds?.nfts !== false, needsIndex: true },
  { id: 'contract', name: 'Contract', View: Contract, isOf: ({ state }) => state?.status === 'active' },
]

const NoPart = () => <EmptyCard>This account has no such part.</EmptyCard>

type KindCards = readonly (readonly [names: RegExp, View: Tab['View']])[]

/** Cards that stand above the cards of every account, because people look for this data first. */
const TOKEN_CARDS: KindCards = [
  [/^nft_(sale|auction)|^teleitem$/, SaleCard],
  [/^jetton_master$/, JettonCard],
  [/^jetton_wallet$/, JettonWalletCard],
  [/^nft_collection$/, CollectionCard],
  [/^(nft_item|teleitem)$/, ItemCard],
  [/^multisig_order_v2$/, OrderCard],
]
const WALLET_CARDS: KindCards = [
  [/^multisig_v2$/, MultisigCard],
  [/^wallet_vesting$/, VestingCard],
]

const Cards = ({ of, cards }: { readonly of: Subject; readonly cards: KindCards }) => (
  <>
    {cards
      .filter(([names]) => of.interfaces.some((name) => names.test(name)))
      .map(([names, View]) => (
        <View key={String(names)} of={of} />
      ))}
  </>
)

const AccountView = ({ of, tab, indexed }: { readonly of: Subject; readonly tab: string | undefined; readonly indexed: boolean }) => {
  const tabs = TABS.filter(({ id, isOf, needsIndex }) => (indexed || !needsIndex) && (!isOf || isOf(of) || (needsIndex && id === tab)))
  const at = tab ?? tabs[0]!.id
  const View = at === 'transactions' && !indexed ? PlainTransactions : (TABS.find(({ id }) => id === at)?.View ?? NoPart)
  return (
    <>
      {indexed && <Cards of={of} cards={TOKEN_CARDS} />}
      <Summary of={of} />
      {indexed && <Cards of={of} cards={WALLET_CARDS} />}
      <Tabs label="Parts of the account" at={at} tabs={tabs.map(({ id, name }) => ({ id, name, to: ['account', of.friendly, id] }))} />
      <Together key={at}>
        <View of={of} />
      </Together>
    </>
  )
}

export const AccountPage = ({ address, tab }: { readonly address: string; readonly tab: string | undefined }) => {
  const serviceStatus = useStore(status)
  const parsed = parseAddress(address)
  const raw = parsed ? rawOf(parsed) : ''
  const indexed = serviceStatus?.index !== undefined
  useHold(serviceStatus === undefined)
  const answer = useCall(
    raw === '' || serviceStatus === undefined ? undefined : (signal) => (indexed ? loadIndexed : loadPlain)(raw, signal),
    ['account', raw, indexed],
    true,
  )
  if (!parsed)
    return (
      <>
        <Heading title="Account" />
        <EmptyCard>
          This is not an address. Raw addresses look like 0: and 64 hex digits, others have 48 letters and digits and a checksum.
        </EmptyCard>
      </>
    )
  return (
    <AnswerNames of={answer.data}>
      <Title raw={raw} typed={friendlyOf(parsed, !isNonBounceable(address))} of={answer.data} />
      <Loading of={answer} lines={6}>
        {(data) => {
          const friendly = data.address_book?.[raw]?.user_friendly ?? friendlyOf(parsed, !isNonBounceable(address))
          return <AccountView of={{ raw, friendly, ...data }} tab={tab} indexed={indexed} />
        }}
      </Loading>
    </AnswerNames>
  )
}
