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
import { Copyable } from './copy.tsx'

/* Values of the chain in a readable form, each with its exact value in the title. */

/** A hash, shortened, with a button that copies it whole. `to`: the view that it leads to. */
export const Hash = ({
  of,
  to,
  full = false,
}: {
  readonly of: string | null | undefined
  readonly to?: 'tx' | undefined
  readonly full?: boolean
}) => {
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

/** Digits after the point of an amount that is longer than a line. Small amounts keep their first two digits: 0.0000012. */
const shortFraction = (whole: string, fraction: string): string => {
  const first = fraction.search(/[1-9]/)
  return fraction.slice(0, whole === '0' && first > 2 ? first + 2 : 4).replace(/0+$/, '')
}

/** Most digits after the point that are shown. A jetton may say that it has 255. */
const MAX_DIGITS = 24
/** Characters of an amount that stand in one line. */
const ONE_LINE = 18

/** Whether the account of the view got an amount or gave it; '' where nobody did. */
export type Flow = 'in' | 'out' | ''
const FLOW_SIGNS = { in: '+', out: '−', '': '' } as const

/**
 * An amount of a token: every digit if it stands in one line, otherwise the whole part and at most four digits after the point, the exact value in the title.
 * `exact`: every digit, on several lines if need be.
 */
export const Amount = ({
  of,
  decimals = 9,
  unit = 'GRAM',
  exact = false,
  flow = '',
}: {
  readonly of: string | null | undefined
  readonly decimals?: number
  readonly unit?: string
  readonly exact?: boolean
  readonly flow?: Flow
}) => {
  if (of === null || of === undefined) return <span class="dim">none</span>
  const parts = unitsOf(of, decimals)
  if (parts === undefined) return <span class="mono">{tame(of, 60)}</span>
  const { sign, whole, fraction } = parts
  const shown = whole.length > 30 ? shortened(whole, 12, 4) : groups(whole)
  const digits = exact || shown.length + fraction.length <= ONE_LINE ? fraction : shortFraction(whole, fraction)
  // The exact amount is in the title.
  const cut = digits.length > MAX_DIGITS || digits.length < fraction.length ? `${digits.slice(0, MAX_DIGITS)}…` : digits
  return (
    <span
      class={`amount ${shown.length + cut.length > ONE_LINE ? 'long' : ''} ${flow}`}
      title={`${exactly(of, decimals)} ${tame(unit, 40)}`}
    >
      {FLOW_SIGNS[flow]}
      {sign}
      {shown}
      {/* Of an amount below one, the digits after the point are what counts. */}
      {cut !== '' && (whole === '0' ? `.${cut}` : <span class="fraction">.{cut}</span>)} <span class="unit">{tame(unit, 16)}</span>
    </span>
  )
}

/** Extra currencies by their number; undefined for none. They have no decimals that everybody agrees on. */
export const currenciesOf = (of: Readonly<Record<string, string>> | null | undefined): string | undefined => {
  const all = Object.entries(of ?? {})
  return all.length === 0 ? undefined : all.map(([id, amount]) => `${groups(amount)} of #${id}`).join(', ')
}

/** Where the date of a time of day stands. `alone`: nothing else in the view shows dates. `in a wide window`: without a date, and only where there is room. */
export type Clock = 'below its date' | 'with its date' | 'alone' | 'in a wide window'

/** Seconds after which the age of something says less than its date. */
const DAY = 86_400

interface TimeProps {
  readonly of: number | string | null | undefined
  readonly clock?: Clock | undefined
}

/**
 * How long ago something was, the exact time in the title. Unix seconds. Each is drawn again only when its text changes. `clock`: its time of day, and beside
 * that its age; where there is no room for both, its date in place of the age, unless that stands above it. Alone, its date and its time zone from one day on.
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

/** A time in full, then how long ago it was. */
export const FullTime = ({ of }: { readonly of: number | string }) => (
  <span>
    {moment(Number(of))}{' '}
    <span class="dim">
      (<Time of={of} />)
    </span>
  </span>
)

/** `open`: under way. `warn`: went back, or needs care. */
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

/** A name of the wire in words: `jetton_transfer` as `Jetton transfer`. */
export const Words = ({ of }: { readonly of: string }) => <span title={of}>{tame(humanised(of), 60)}</span>

/**
 * A block as a link: a masterchain block by its number, a shard block as `basechain block 42`, with its shard where the workchain has several. `brief`: the
 * number alone where the workchain is one shard, because something beside it names the workchain.
 */
export const BlockLink = ({
  workchain,
  shard,
  seqno,
  brief = false,
}: {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly brief?: boolean
}) => {
  const number = groups(String(seqno))
  const name = `${workchainText(workchain)} block ${number}`
  const part = shard === WHOLE_SHARD ? '' : shard.replace(/0+$/, '') || '0'
  const short = part === '' ? number : `${part} · ${number}`
  const long = part === '' ? name : `${name} of shard ${part}`
  const isShort = brief || workchain === -1
  return (
    <a
      // Links with the same number lead to several blocks.
      {...(isShort && { class: 'mono', 'aria-label': long })}
      href={hrefOf('block', workchain, shard, seqno)}
      title={blockIdText(workchain, shard, seqno)}
    >
      {isShort ? short : long}
    </a>
  )
}

/** A masterchain block as a link. */
export const MasterBlockLink = ({ seqno }: { readonly seqno: number }) => <BlockLink workchain={-1} shard={WHOLE_SHARD} seqno={seqno} />

/** The masterchain block that commits a shard block, so that nobody takes what stands in the shard block for a part of the masterchain. */
export const CommittedBy = ({ seqno }: { readonly seqno: number }) => (
  <>
    masterchain block <MasterBlockLink seqno={seqno} />
  </>
)
