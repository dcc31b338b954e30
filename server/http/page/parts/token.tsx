import { useEffect, useState } from 'preact/hooks'
import { tame } from '../base/format.ts'
import { loadPicture, readKey } from '../base/service.ts'
import { decimalsOf, tokenOf } from '../base/token.ts'
import type { Names } from '../base/types.ts'
import { Amount } from './values.tsx'

/* Pictures and amounts of tokens. Everything here was written by strangers. */

/** A hue of its own for every token. */
const hueOf = (text: string): number => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7)

/** What a token says of its picture: bytes in its content, or an address. Undefined where it says nothing. */
export const imageOf = (token: { readonly image?: unknown; readonly extra?: unknown } | undefined, content?: Details): unknown =>
  (token?.extra as Details | undefined)?.['image_data'] ?? content?.['image_data'] ?? token?.image ?? content?.['image']

type Details = Readonly<Record<string, unknown>>

/** Where a picture is loaded from: the service, which passes on raster pictures alone. Undefined until it is known, and where there is none. */
const useSource = (id: string, wanted: boolean): string | undefined => {
  // Browsers send no key with a picture. With a key it is loaded here.
  const [loaded, setLoaded] = useState<string>()
  const needsKey = wanted && readKey() !== ''
  useEffect(() => {
    if (!needsKey) return
    const leaving = new AbortController()
    loadPicture(id, leaving.signal).then(setLoaded, () => {})
    return () => leaving.abort()
  }, [id, needsKey])
  return needsKey ? loaded : wanted ? `picture/${id}` : undefined
}

/** The picture of a token; its first letter until it is there, and where there is none. */
export const TokenPicture = ({
  image,
  name,
  id,
  size = 32,
}: {
  /** What the token says of its picture. */
  readonly image: unknown
  readonly name: string
  /** Raw address of the token. */
  readonly id: string
  readonly size?: number
}) => {
  const source = useSource(id, typeof image === 'string' && image !== '')
  const [failed, setFailed] = useState(false)
  if (source !== undefined && !failed)
    return <img class="token" src={source} alt="" width={size} height={size} loading="lazy" onError={() => setFailed(true)} />
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
