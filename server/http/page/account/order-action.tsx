import type { ComponentChildren } from 'preact'
import { isRawAddress } from '../base/address.ts'
import { humanised, tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Answer, Book, Metadata, Names } from '../base/types.ts'
import { titleOf } from '../parts/action.tsx'
import { JettonAmount } from '../parts/token.tsx'
import { Account, AccountList, Amount } from '../parts/values.tsx'

/* One action of an order of a multisig: the message that it sends, with the amounts and accounts in its body. */

type OrderAction = NonNullable<Answer<'v3.multisig.orders'>['orders'][number]['actions']>[number]

/** Jettons that actions move. */
interface Jettons {
  /** Raw address of a jetton wallet or master that a message goes to -> raw address of its master. */
  readonly masters: ReadonlyMap<string, string>
  readonly book: Book
  readonly metadata: Metadata
}

/** The jettons of all wallets and masters that actions go to. */
export const loadJettons = async (actions: readonly OrderAction[], signal: AbortSignal): Promise<Jettons> => {
  const targets = [
    ...new Set(actions.flatMap(({ parsed_body_type, destination }) => (/^jetton_/.test(parsed_body_type) && destination) || [])),
  ]
  if (targets.length === 0) return { masters: new Map(), book: {}, metadata: {} }
  const query = { address: targets, limit: targets.length }
  const [wallets, masters] = await Promise.all([ton.v3.jetton.wallets(query, { signal }), ton.v3.jetton.masters(query, { signal })])
  return {
    masters: new Map([
      ...wallets.jetton_wallets.map(({ address, jetton }) => [address, jetton] as const),
      ...masters.jetton_masters.map(({ address }) => [address, address] as const),
    ]),
    book: { ...wallets.address_book, ...masters.address_book },
    metadata: { ...wallets.metadata, ...masters.metadata },
  }
}

/** Members in nanotons. */
const COINS = ['forward_amount', 'ton_amount', 'coins', 'value']
/** Fields whose value is an amount in the jetton's smallest units. */
const UNITS = ['amount', 'jetton_amount', 'master_msg_jetton_amount']

interface Context {
  readonly names: Names
  /** The master of the jetton that the action moves. */
  readonly jetton: string | undefined
}

const shownMember = (name: string, value: unknown, { names, jetton }: Context): ComponentChildren => {
  if (Array.isArray(value)) return <AccountList of={value.map(String)} names={names} />
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  if (isRawAddress(text)) return <Account of={text} names={names} />
  if (COINS.includes(name)) return <Amount of={text} />
  if (UNITS.includes(name))
    return jetton === undefined ? (
      <Amount of={text} decimals={0} unit="smallest units" />
    ) : (
      <JettonAmount of={text} jetton={jetton} names={names} />
    )
  return <span class={text.length > 40 ? 'mono wrap' : 'wrap'}>{tame(text, 2_000)}</span>
}

/** One action of an order. Empty and absent parts of its body are left out. */
export const OrderActionRow = ({
  of: { parsed, parsed_body_type, parsed_body, error, value, destination },
  names,
  jettons,
}: {
  readonly of: OrderAction
  readonly names: Names
  readonly jettons: Jettons
}) => {
  const context = { names, jetton: jettons.masters.get(destination ?? '') }
  const members = Object.entries(parsed_body ?? {}).filter(([, each]) => each !== null && each !== '' && each !== false)
  return (
    <li>
      {parsed ? titleOf(parsed_body_type) : `Not readable: ${error ?? ''}`} {value !== null && <Amount of={value} />}{' '}
      {destination && <Account of={destination} names={names} />}
      {members.length > 0 && (
        <ul class="tree">
          {members.map(([name, each]) => (
            <li key={name}>
              <span class="name" title={name}>
                {humanised(name)}
              </span>{' '}
              {shownMember(name, each, context)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
