import type { ComponentChildren } from 'preact'
import { isRawAddress } from '../base/address.ts'
import { humanised, tame, timeOf, withLowerHex } from '../base/format.ts'
import type { Fields } from '../base/types.ts'
import { Account, AccountList } from './address.tsx'
import { Tree } from './json.tsx'
import { JettonAmount } from './token.tsx'
import { Amount, FullTime } from './values.tsx'

/** Members that are amounts in nanograms. */
const COINS: readonly string[] = ['forward_amount', 'forward_ton_amount', 'fwd_amount', 'ton_amount', 'coins', 'value']
/** Members that are amounts in the smallest units of a jetton. */
const UNITS: readonly string[] = ['amount', 'jetton_amount', 'master_msg_jetton_amount']
/** Types of bodies whose `amount` is an amount of a jetton. */
const OF_JETTONS = /^jetton_/
const LABELS: Readonly<Record<string, string>> = {
  response: 'Excess goes to',
  response_address: 'Excess goes to',
  response_destination: 'Excess goes to',
  forward_amount: 'Forwarded with',
  forward_ton_amount: 'Forwarded with',
}

const EMPTY: readonly unknown[] = ['addr_none', 'nothing', 'nothing_from_maybe', 'empty_cell']

/** True if a member contains no information: an absent value, no address, or an empty cell. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && EMPTY.includes((value as Fields)['@type'])) ||
  (typeof value === 'object' && (value as Fields)['@type'] === 'first_from_either' && isEmpty((value as Fields)['value']))

/** The decimal digits of an integer in either form: `"12"`, `{ "@type": "var_uint", "value": "12" }`. */
const digitsOf = (value: unknown): string | undefined => {
  if (typeof value === 'object' && value !== null) {
    const { value: inner, amount } = value as Fields
    return digitsOf(typeof inner === 'string' ? inner : amount)
  }
  const text = String(value)
  return /^\d{1,90}$/.test(text) ? text : undefined
}

interface MemberProps {
  readonly name: string
  readonly of: unknown
  readonly isJetton: boolean
  readonly jetton: string | undefined
}

const Member = ({ name, of, isJetton, jetton }: MemberProps): ComponentChildren => {
  const digits = digitsOf(of)
  if (digits !== undefined && COINS.includes(name)) return <Amount of={digits} exact />
  if (digits !== undefined && isJetton && UNITS.includes(name))
    return jetton === undefined ? (
      <Amount of={digits} decimals={0} unit="smallest units" />
    ) : (
      <JettonAmount of={digits} jetton={jetton} exact />
    )
  const time = timeOf(name, digits)
  if (time !== undefined) return <FullTime of={time} />
  if (typeof of === 'boolean') return of ? 'yes' : 'no'
  if (Array.isArray(of) && of.every((each) => typeof each === 'string' && isRawAddress(each))) return <AccountList of={of} />
  if (typeof of === 'object') return <Tree of={of} depth={1} />
  const text = String(of)
  if (isRawAddress(text)) return <Account of={text} />
  return <span class={text.length > 40 ? 'mono wrap' : 'wrap'}>{tame(withLowerHex(text), 2_000)}</span>
}

/** The members that contain information, the query id last. `without`: names of members to omit. */
const membersOf = (of: Fields, without: readonly string[]): readonly (readonly [name: string, value: unknown])[] => {
  const shown = Object.entries(of).filter(([name, value]) => name !== '@type' && !without.includes(name) && !isEmpty(value))
  return [...shown.filter(([name]) => name !== 'query_id'), ...shown.filter(([name]) => name === 'query_id')]
}

export const isBlank = (of: Fields): boolean => membersOf(of, []).length === 0

interface BodyProps {
  readonly of: Fields
  /** Name of the body: `jetton_transfer`. */
  readonly type: string
  /** Raw address of the master of the jetton that the message moves. */
  readonly jetton: string | undefined
  readonly without?: readonly string[]
}

/** The members of a decoded body that contain information. `without`: members that are shown elsewhere on the page. */
export const Body = ({ of, type, jetton, without = [] }: BodyProps) => {
  const members = membersOf(of, without)
  if (members.length === 0) return null
  return (
    <ul class="tree">
      {members.map(([name, value]) => (
        <li key={name}>
          <span class="name" title={tame(name, 80)}>
            {LABELS[name] ?? tame(humanised(name), 80)}
          </span>{' '}
          <Member name={name} of={value} isJetton={OF_JETTONS.test(type)} jetton={jetton} />
        </li>
      ))}
    </ul>
  )
}
