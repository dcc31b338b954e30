import type { ComponentChildren } from 'preact'
import { hashToHex, WHOLE_SHARD } from '../base/address.ts'
import { useNow } from '../base/clock.ts'
import {
  ago,
  blockIdText,
  clockTime,
  dayOf,
  exact as exactly,
  groups,
  humanised,
  moment,
  shortened,
  tame,
  unitsOf,
  workchainText,
  zoneOf,
} from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import type { Warning } from '../base/token-metadata.ts'
import type { BlockPosition } from '../base/types.ts'
import { Copyable } from './copy.tsx'

interface HashProps {
  readonly of: string | null | undefined
  readonly to?: 'tx' | undefined
  readonly full?: boolean
}

/** A shortened hash with a button that copies all of it. `to`: the view that the hash links to. */
export const Hash = ({ of, to, full = false }: HashProps) => {
  if (!of) return <span class="dim">none</span>
  const hex = hashToHex(of) ?? of
  const text = <span class={full ? 'mono wrap' : 'mono'}>{full ? hex : shortened(hex, 8, 8)}</span>
  return (
    <Copyable class="hash" text={hex} what="Copy the hash">
      {to === undefined ? (
        <span title={hex}>{text}</span>
      ) : (
        <a href={hrefOf(to, hex)} title={hex}>
          {text}
        </a>
      )}
    </Copyable>
  )
}

/** Digits after the point for an amount that does not fit in a line. Small amounts keep their first two significant digits: 0.0000012. */
const shortFraction = (whole: string, fraction: string): string => {
  const first = fraction.search(/[1-9]/)
  return fraction.slice(0, whole === '0' && first > 2 ? first + 2 : 4).replace(/0+$/, '')
}

/** Maximum number of digits after the point. A jetton can have up to 255 decimals. */
const MAX_DIGITS = 24
const ONE_LINE = 18

/** Direction of an amount for the view's account: `in` if received, `out` if given, '' if neither. */
export type Flow = 'in' | 'out' | ''
const FLOW_SIGNS = { in: '+', out: '−', '': '' } as const

export interface AmountProps {
  readonly of: string | null | undefined
  readonly decimals?: number
  readonly unit?: string
  readonly exact?: boolean
  readonly flow?: Flow
}

/**
 * An amount of a token. If not all digits fit in one line, at most four digits after the point are shown. The title has the exact value. `exact`: shows all
 * digits, on several lines if necessary.
 */
export const Amount = ({ of, decimals = 9, unit = 'GRAM', exact = false, flow = '' }: AmountProps) => {
  if (of === null || of === undefined) return <span class="dim">none</span>
  const parts = unitsOf(of, decimals)
  if (parts === undefined) return <span class="mono">{tame(of, 60)}</span>
  const { sign, whole, fraction } = parts
  const shown = whole.length > 30 ? shortened(whole, 12, 4) : groups(whole)
  const digits = exact || shown.length + fraction.length <= ONE_LINE ? fraction : shortFraction(whole, fraction)
  // The title has the digits that are cut off here.
  const cut = digits.length > MAX_DIGITS || digits.length < fraction.length ? `${digits.slice(0, MAX_DIGITS)}…` : digits
  return (
    <span
      class={`amount ${shown.length + cut.length > ONE_LINE ? 'long' : ''} ${flow}`}
      title={`${exactly(of, decimals)} ${tame(unit, 40)}`}
    >
      {FLOW_SIGNS[flow]}
      {sign}
      {shown}
      {/* Below one, the digits after the point are the significant digits, so they are not dimmed. */}
      {cut !== '' && (whole === '0' ? `.${cut}` : <span class="fraction">.{cut}</span>)} <span class="unit">{tame(unit, 16)}</span>
    </span>
  )
}

/** Extra currencies by their number; undefined if there are none. Shown without decimals, because there is no standard for them. */
export const currenciesOf = (of: Readonly<Record<string, string>> | null | undefined): string | undefined => {
  const all = Object.entries(of ?? {})
  return all.length === 0 ? undefined : all.map(([id, amount]) => `${groups(amount)} of #${id}`).join(', ')
}

/**
 * Where the date of a time is shown. `alone`: nothing else in the view shows dates. `in a wide window`: time of day without a date, if the window is wide
 * enough.
 */
export type Clock = 'below its date' | 'with its date' | 'alone' | 'in a wide window'

/** Age in seconds from which the date says more than the age. */
const DAY = 86_400

interface TimeProps {
  readonly of: number | string | null | undefined
  readonly clock?: Clock | undefined
}

/**
 * The age of a time (unix seconds), with the exact time in the title. Drawn again only when its text changes. `clock`: adds the time of day; without space
 * for age and time of day, the date replaces the age, unless a date already stands above the time. With `alone`, times that are older than a day have a
 * date and a time zone.
 */
export const Time = ({ of, clock }: TimeProps) => {
  const utime = Number(of)
  const isOld = useNow((now) => clock === 'alone' && now - utime >= DAY)
  const text = useNow((now) => (isOld ? dayOf(utime) : ago(utime, now)))
  if (of === null || of === undefined || !Number.isFinite(utime) || utime <= 0) return <span class="dim">unknown</span>
  const valid = utime < 8_640_000_000_000
  return (
    <time dateTime={valid ? new Date(utime * 1000).toISOString() : undefined} title={moment(utime)}>
      {clock === undefined || clock === 'in a wide window' ? (
        text
      ) : (
        <span class="age">
          {text}
          <span class="between"> · </span>
        </span>
      )}
      {clock === 'with its date' && <span class="date">{dayOf(utime)}, </span>}
      {clock === 'in a wide window' ? <span class="clock"> · {clockTime(utime)}</span> : clock !== undefined && clockTime(utime)}
      {isOld && ` ${zoneOf(utime)}`}
    </time>
  )
}

export const FullTime = ({ of }: { readonly of: number | string }) => (
  <span>
    {moment(Number(of))}{' '}
    <span class="dim">
      (<Time of={of} />)
    </span>
  </span>
)

/** `open`: in progress. `warn`: returned, or needs attention. */
type Tone = 'ok' | 'bad' | 'open' | 'warn' | 'plain'

interface BadgeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}

export const Badge = ({ tone = 'plain', title, children }: BadgeProps) => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
)

const MEANINGS: Readonly<Record<Warning, string>> = {
  scam: 'The operator of this service lists this token as a scam.',
  NSFW: 'The operator of this service lists this token as not safe for work.',
}

export const Warnings = ({ of }: { readonly of: readonly Warning[] }) => (
  <>
    {of.map((warning) => (
      <span class="warning" key={warning}>
        {' '}
        <Badge tone={warning === 'scam' ? 'bad' : 'warn'} title={MEANINGS[warning]}>
          {warning}
        </Badge>
      </span>
    ))}
  </>
)

export const Words = ({ of }: { readonly of: string }) => <span title={of}>{tame(humanised(of), 60)}</span>

/**
 * A link to a block: a masterchain block by its number, a shard block as `basechain block 42`. The shard is added if the workchain is split. `brief`: only
 * the number if the workchain is not split, for lists that already name the workchain.
 */
export const BlockLink = ({ workchain, shard, seqno, brief = false }: BlockPosition & { readonly brief?: boolean }) => {
  const number = groups(String(seqno))
  const name = `${workchainText(workchain)} block ${number}`
  const part = shard === WHOLE_SHARD ? '' : shard.replace(/0+$/, '') || '0'
  const short = part === '' ? number : `${part} · ${number}`
  const long = part === '' ? name : `${name} of shard ${part}`
  const isShort = brief || workchain === -1
  return (
    <a
      // Blocks of different chains can have the same number, so the accessible label names the chain.
      {...(isShort && { class: 'mono', 'aria-label': long })}
      href={hrefOf('block', workchain, shard, seqno)}
      title={blockIdText(workchain, shard, seqno)}
    >
      {isShort ? short : long}
    </a>
  )
}

export const MasterBlockLink = ({ seqno }: { readonly seqno: number }) => <BlockLink workchain={-1} shard={WHOLE_SHARD} seqno={seqno} />

/** The words `masterchain block` stand before the link, because its text is only a number, which could be read as that of a shard block. */
export const CommittedBy = ({ seqno }: { readonly seqno: number }) => (
  <>
    masterchain block <MasterBlockLink seqno={seqno} />
  </>
)
