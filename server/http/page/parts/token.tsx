import { tame } from '../base/format.ts'
import type { Metadata, Names } from '../base/types.ts'

/* Pictures, names and decimals of tokens. Everything here was written by strangers. */

type Info = NonNullable<Metadata[string]>['token_info'][number]

/** Raster pictures that are in the content itself. Other URLs are not loaded: the page asks no other host. */
const INLINE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/
const LONGEST = 400_000

/** What is known of a token. */
export const tokenOf = (raw: string | null | undefined, names: Names | undefined): Info | undefined =>
  raw ? names?.metadata[raw]?.token_info[0] : undefined

/** Decimals of a jetton (TEP-64): 9 unless its content says otherwise. */
export const decimalsOf = (content: Readonly<Record<string, unknown>> | undefined): number => {
  const said = Number(content?.['decimals'] ?? 9)
  return Number.isInteger(said) && said >= 0 && said <= 255 ? said : 9
}

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
