import { type ComponentChildren, Fragment } from 'preact'
import { useContext } from 'preact/hooks'
import { isRawAddress } from '../base/address.ts'
import { counted, exact, groups, humanised, moment, NO_END, shareText } from '../base/format.ts'
import { Account } from '../parts/address.tsx'
import { Tree } from '../parts/json.tsx'
import { Details, FactList } from '../parts/layout.tsx'
import { LongTable } from '../parts/more-rows.tsx'
import { Amount, Hash } from '../parts/values.tsx'
import { capabilitiesOf } from './capabilities.ts'
import { isDictionary, wordsOf } from './names.ts'
import { RolesContext } from './roles.ts'

type Show = (value: string) => ComponentChildren

const DAY = 86_400

/** A duration in seconds: `18 h 12 min 16 s`. */
const span: Show = (text) => {
  const seconds = Number(text)
  const parts = [
    [Math.floor(seconds / DAY), 'd'],
    [Math.floor((seconds % DAY) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}\u00a0${unit}`)
  return <span title={`${groups(text)} seconds`}>{shown.length === 0 ? '0\u00a0s' : shown.join(' ')}</span>
}
const coins: Show = (text) => <Amount of={text} exact />
/** Prices are always in nanograms, so that the prices of both chains can be compared. The title has the amount in GRAM. */
const nanograms: Show = (text) => <span title={`${exact(text, 9)} GRAM`}>{counted(Number(text), 'nanogram')}</span>
const nanogramsPerSecond: Show = (text) => `${counted(Number(text), 'nanogram')} a second`
/** A value of 1000 milliseconds or more is shown in seconds. */
const milliseconds: Show = (text) => (Number(text) < 1_000 ? `${groups(text)}\u00a0ms` : `${exact(text, 3)}\u00a0s`)
const gas: Show = (text) => `${groups(text)} gas`
const beforeEnd: Show = (text) => <>{span(text)} before the round ends</>
const bytes: Show = (text) => `${groups(text)} bytes`
const time: Show = (text) => (text === '0' ? 'the beginning' : Number(text) === NO_END ? 'no end is set' : moment(Number(text)))

/** Formats a number in units of 1/65536 with at most four digits after the point. Small numbers have two significant digits. */
const rounded = (text: string): string => {
  const number = Number(text) / 65_536
  if (number === 0) return '0'
  const digits = number >= 1 ? 4 : Math.min(16, Math.max(4, 1 - Math.floor(Math.log10(number))))
  const [whole = '0', fraction = ''] = number.toFixed(digits).split('.')
  const cut = fraction.replace(/0+$/, '')
  return `${groups(whole)}${cut === '' ? '' : `.${cut}`}`
}
/** A fixed-point number of 1/65536 in words. If the words are rounded, the exact number follows. `isRound`: the words are exact. */
const Fraction = ({ of, words, isRound }: { readonly of: string; readonly words: ComponentChildren; readonly isRound: boolean }) => (
  <span title={`${groups(of)} / 65536`}>
    {words} {!isRound && <span class="dim">({`${groups(of)}\u202f/\u202f65536`})</span>}
  </span>
)
const PARTS = 65_536n
const per =
  (unit: string): Show =>
  (text) => <Fraction of={text} words={`${rounded(text)} ${unit}`} isRound={(BigInt(text) * 10_000n) % PARTS === 0n} />
/** A price in 1/65536 nanograms. */
const nanogramParts = per('nanograms')
/** A share in 1/65536 of `what`. */
const share =
  (what: string): Show =>
  (text) => (
    <Fraction
      of={text}
      words={`${Math.round((Number(text) / 65_536) * 10_000) / 100} % of ${what}`}
      isRound={(BigInt(text) * 10_000n) % PARTS === 0n}
    />
  )
const times = per('times the smallest stake')

const Capabilities = ({ of }: { readonly of: string }) => (
  <ul class="plain-list">
    {capabilitiesOf(of).map((each) => (
      <li key={each}>
        {each.replace(/ \(.*/, '')} <span class="unbroken">{/\(.*/.exec(each)?.[0]}</span>
      </li>
    ))}
    <li class="dim">{`as a number: ${groups(of)}`}</li>
  </ul>
)

const GAS: Readonly<Record<string, Show>> = {
  gas_price: per('nanograms for a unit of gas'),
  price: nanograms,
  limit: gas,
  freeze_due_limit: coins,
  delete_due_limit: coins,
}
const FORWARD: Readonly<Record<string, Show>> = {
  lump_price: nanograms,
  bit_price: nanogramParts,
  cell_price: nanogramParts,
  first_frac: share('the fee'),
  next_frac: share('what is left'),
  ihr_price_factor: per('times the price'),
}
const CONSENSUS: Readonly<Record<string, Show>> = {
  next_candidate_delay_ms: milliseconds,
  consensus_timeout_ms: milliseconds,
  attempt_duration: span,
  max_block_bytes: bytes,
  max_collated_bytes: bytes,
  target_rate_ms: milliseconds,
  first_block_timeout_ms: milliseconds,
}
const BRIDGE: Readonly<Record<string, Show>> = {
  burn_bridge_fee: coins,
  bridge_burn_fee: coins,
  bridge_mint_fee: coins,
  wallet_min_tons_for_storage: coins,
  wallet_gas_consumption: coins,
  minter_min_tons_for_storage: coins,
  discover_gas_consumption: coins,
}

/** Display of fields, by parameter. Fields that are not listed are shown as plain numbers, texts and hashes. */
const UNITS: Readonly<Record<number, Readonly<Record<string, Show>>>> = {
  8: { capabilities: (text) => <Capabilities of={text} /> },
  6: { mint_new_price: coins, mint_add_price: coins },
  11: { min_store_sec: span, max_store_sec: span, bit_price: nanogramsPerSecond, cell_price: nanogramsPerSecond },
  13: { deposit: coins, bit_price: nanogramsPerSecond, cell_price: nanogramsPerSecond },
  14: { masterchain_block_fee: coins, basechain_block_fee: coins },
  15: { validators_elected_for: span, elections_start_before: beforeEnd, elections_end_before: beforeEnd, stake_held_for: span },
  17: { min_stake: coins, max_stake: coins, min_total_stake: coins, max_stake_factor: times },
  18: {
    ...{ bit_price_ps: per('nanograms a second'), cell_price_ps: per('nanograms a second') },
    ...{ mc_bit_price_ps: per('nanograms a second'), mc_cell_price_ps: per('nanograms a second') },
  },
  20: GAS,
  21: GAS,
  24: FORWARD,
  25: FORWARD,
  28: { mc_catchain_lifetime: span, shard_catchain_lifetime: span, shard_validators_lifetime: span },
  29: CONSENSUS,
  30: CONSENSUS,
  40: { default_flat_fine: coins, unpunishable_interval: span, long_interval: span, medium_interval: span },
  43: { max_ext_msg_size: bytes },
  44: { suspended_until: (text) => (text === '0' ? 'never: nobody is suspended' : time(text)) },
  ...Object.fromEntries([71, 72, 73, 79, 81, 82].map((param) => [param, BRIDGE])),
}

const COMMON: Readonly<Record<string, Show>> = {
  utime_since: time,
  utime_until: time,
  enabled_since: time,
  public_key: (text) => <Hash of={text} />,
  adnl_addr: (text) => <Hash of={text} />,
  code_hash: (text) => <Hash of={text} />,
  new_code_hash: (text) => <Hash of={text} />,
  zerostate_root_hash: (text) => <Hash of={text} />,
  zerostate_file_hash: (text) => <Hash of={text} />,
}

const NUMBER = /^\d{1,40}$/

/** A number in groups of three digits. A line can break between groups. */
const Digits = ({ of }: { readonly of: string }) => (
  <span class="digits">
    {groups(of)
      .split('\u202f')
      .map((group, i) => (
        <Fragment key={i}>
          {i > 0 && (
            <>
              {'\u202f'}
              <wbr />
            </>
          )}
          {group}
        </Fragment>
      ))}
  </span>
)

const Leaf = ({ param, name, value }: { readonly param: number; readonly name: string; readonly value: unknown }) => {
  const text = String(value)
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (isRawAddress(text)) return <Account of={text} full />
  const show = UNITS[param]?.[name] ?? COMMON[name]
  if (show && (NUMBER.test(text) || typeof value === 'string')) return <>{show(text)}</>
  if (NUMBER.test(text)) return <Digits of={text} />
  return <span class={/\s/.test(text) ? 'wrap' : 'mono wrap'}>{text}</span>
}

interface Validator {
  readonly public_key: string
  readonly weight: string
  readonly adnl_addr?: string
}

const isValidator = (of: unknown): of is Validator => {
  const { public_key, weight } = (of ?? {}) as Readonly<Record<string, unknown>>
  return typeof public_key === 'string' && typeof weight === 'string' && NUMBER.test(weight)
}

const FIRST_VALIDATORS = 10
const MORE_VALIDATORS = 100

const Validators = ({ of }: { readonly of: readonly Validator[] }) => {
  const total = of.reduce((sum, { weight }) => sum + BigInt(weight), 0n).toString()
  return (
    <LongTable
      label="Validators"
      columns={{
        'No.': (_, i) => String(i + 1),
        'Public key': ({ public_key }) => <Hash of={public_key} />,
        Weight: ({ weight }) => <span title={groups(weight)}>{shareText(weight, total)}</span>,
        'ADNL address': ({ adnl_addr }) => <Hash of={adnl_addr} />,
      }}
      right={['Weight']}
      empty="The set is empty."
      of={of}
      first={FIRST_VALIDATORS}
      more={MORE_VALIDATORS}
    />
  )
}

/** Number of rows of a nested list that are shown without a click. */
const FEW = 8
/** A list with more rows than this is drawn in part. */
const MANY = 1_000

/** Nouns for one element of a list or dictionary, by the name of the field. */
const THINGS: Readonly<Record<string, string>> = { addresses: 'account', oracles: 'oracle' }
const ELEMENTS: Readonly<Record<number, string>> = { 18: 'period', 31: 'contract' }
const SYSTEM_CONTRACTS = 31
/** What the keys of a dictionary are called, by parameter. */
const KEYS: Readonly<Record<number, string>> = { 7: 'Currency', 12: 'Workchain' }

/** Replaces numerator and denominator of a fraction with one field. */
const joined = (param: number, of: object): object => {
  const {
    fee_burn_num: part,
    fee_burn_denom: whole,
    ...others
  } = of as { readonly fee_burn_num?: unknown; readonly fee_burn_denom?: unknown }
  return param === 5 && part !== undefined && whole !== undefined ? { ...others, fees_burned: shareText(String(part), String(whole)) } : of
}

/** A decoded value with its names in words and its numbers with their units. Long lists are folded, except a list that is the whole parameter. */
export const ConfigValue = ({ param, of, name = '' }: { readonly param: number; readonly of: unknown; readonly name?: string }) => {
  const roles = useContext(RolesContext)
  if (typeof of !== 'object' || of === null) return <Leaf param={param} name={name} value={of} />
  const entries = Object.entries(joined(param, of))
  if (entries.length === 0) return <span class="dim">none</span>
  if (Array.isArray(of) && of.every((each) => typeof each === 'number')) return <>{of.join(', ')}</>
  if (Array.isArray(of) && name === 'list' && of.every(isValidator)) return <Validators of={of} />
  const dictionary = isDictionary(of)
  const row = (key: string, value: unknown) => {
    const field = <ConfigValue param={param} of={value} name={key} />
    const role = param === SYSTEM_CONTRACTS ? roles.get(String(value)) : undefined
    if (role !== undefined) return [role, field] as const
    if (Array.isArray(of)) return [humanised(`${THINGS[name] ?? ELEMENTS[param] ?? 'number'} ${Number(key) + 1}`), field] as const
    return dictionary ? ([`${KEYS[param] ?? ''} ${key}`.trim(), field] as const) : ([wordsOf(key), field, key] as const)
  }
  const shown = () => <FactList rows={entries.map(([key, value]) => row(key, value))} />
  const folded = (Array.isArray(of) || dictionary) && entries.length > FEW && name !== ''
  if (!folded) return shown()
  return (
    <Details summary={counted(entries.length, THINGS[name] ?? 'row')}>{() => (entries.length > MANY ? <Tree of={of} /> : shown())}</Details>
  )
}
