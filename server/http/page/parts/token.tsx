import { tame } from '../base/format.ts'
import { decimalsOf, tokenOf } from '../base/token.ts'
import type { Names } from '../base/types.ts'
import { Amount } from './values.tsx'

/* Pictures and amounts of tokens. Everything here was written by strangers. */

/** Raster pictures that are in the content itself. Other URLs are not loaded: the page asks no other host. */
const INLINE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/
const LONGEST = 400_000

/** A hue of its own for every token. */
const hueOf = (text: string): number => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7)

/** The picture of a token: the one in its content, else its first letter. */
export const TokenPicture = ({
  image,
  name,
  id,
  size = 32,
}: {
  readonly image?: unknown
  readonly name: string
  readonly id: string
  readonly size?: number
}) => {
  if (typeof image === 'string' && image.length < LONGEST && INLINE.test(image))
    return <img class="token" src={image} alt="" width={size} height={size} loading="lazy" />
  const letter = [...tame(name.trim() || '?', 4)][0]!.toUpperCase()
  return (
    <svg class="token" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill={`hsl(${hueOf(id)} 45% 42%)`} />
      <text x="16" y="21.5" text-anchor="middle" fill="#fff" font-size="15" font-weight="600">
        {letter}
      </text>
    </svg>
  )
}

/** An amount of a jetton; in its smallest units where its decimals are not known. `content`: what the master itself tells. */
export const JettonAmount = ({
  of,
  jetton,
  names,
  content,
}: {
  readonly of: string
  /** Raw address of the master. */
  readonly jetton: string
  readonly names: Names
  readonly content?: Readonly<Record<string, unknown>>
}) => {
  const token = tokenOf(jetton, names)
  const decimals = decimalsOf(jetton, names, content)
  if (decimals === undefined) return <Amount of={of} decimals={0} unit="smallest units" />
  return <Amount of={of} decimals={decimals} unit={token?.symbol ?? token?.name ?? 'units'} />
}
