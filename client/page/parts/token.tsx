import type { RefObject } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { tame } from '../base/format.ts'
import { live } from '../base/live.ts'
import { useIsShared } from '../base/names-in-view.ts'
import { loadPicture } from '../base/service.ts'
import { useStore } from '../base/store.ts'
import { decimalsOf, tokenOf, warningsOf } from '../base/token-metadata.ts'
import type { Fields } from '../base/types.ts'
import { AddressesContext } from './account-names.ts'
import { ShortAddress } from './address.tsx'
import { useNames } from './answer-names.tsx'
import { Amount, type AmountProps, Warnings } from './values.tsx'

const hueOf = (text: string): number => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7)

/** The picture in a token's metadata: bytes, or a URL. Undefined if there is none, or if it is not safe for work. */
export const imageOf = (
  token: { readonly image?: unknown; readonly extra?: unknown; readonly is_nsfw?: boolean | undefined } | undefined,
  content?: Fields,
): unknown =>
  token?.is_nsfw
    ? undefined
    : ((token?.extra as Fields | undefined)?.['image_data'] ?? content?.['image_data'] ?? token?.image ?? content?.['image'])

/** Milliseconds before a failed picture load is retried; each further pause doubles. */
const PAUSE = 30_000
const LONGEST = 30 * PAUSE

/** True once the picture's element is in sight or has been in sight. */
const useSeen = (place: RefObject<Element | null>, isEnabled: boolean): boolean => {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!isEnabled || seen || place.current === null) return
    const watcher = new IntersectionObserver((found) => found.some(({ isIntersecting }) => isIntersecting) && setSeen(true), {
      rootMargin: '300px',
    })
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [isEnabled, seen])
  return seen
}

/** The URL of a loaded picture. The service serves only raster pictures. Undefined until it is loaded, and if there is none. */
const useSource = (id: string, isEnabled: boolean): string | undefined => {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly source: string }>()
  const [failures, setFailures] = useState(0)
  // A load that failed because the service was down is retried when the service responds again.
  const returns = useStore(live, (value) => value.returns)
  const source = loaded?.id === id ? loaded.source : undefined
  useEffect(() => {
    if (!isEnabled || source !== undefined) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    loadPicture(id, leaving.signal).then(
      (found) => !leaving.signal.aborted && setLoaded({ id, source: found }),
      () => {
        if (leaving.signal.aborted) return
        timer = setTimeout(() => setFailures(failures + 1), Math.min(LONGEST, PAUSE * 2 ** failures))
      },
    )
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [id, isEnabled, source, failures, returns])
  return source
}

interface TokenPictureProps {
  readonly image: unknown
  readonly name: string
  /** Raw address of the token. */
  readonly id: string
  readonly size?: number
}

/** The picture of a token. Without a loaded picture, the token's first letter. `size`: pixels. */
export const TokenPicture = ({ image, name, id, size = 32 }: TokenPictureProps) => {
  const place = useRef<SVGSVGElement>(null)
  const hasImage = typeof image === 'string' && image !== ''
  const source = useSource(id, useSeen(place, hasImage))
  if (source !== undefined) return <img class="token" src={source} alt="" width={size} height={size} />
  const letter = [...tame(name.trim() || '?', 4)][0]!.toUpperCase()
  return (
    <svg class="token" ref={place} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" fill={`hsl(${hueOf(id)} 45% 42%)`} />
      <text x="16" y="21.5" text-anchor="middle" fill="#fff" font-size="15" font-weight="600">
        {letter}
      </text>
    </svg>
  )
}

interface WhichProps {
  /** Raw address of the minter. */
  readonly of: string
  readonly called: string | undefined
  readonly isNamed: boolean
}

/** A link to a jetton's minter after its ticker. Shown if a different jetton in view has the same ticker, or if the view shows all minters. */
const Which = ({ of, called, isNamed }: WhichProps) => {
  const isShared = useIsShared(called, of)
  const tellsAll = useContext(AddressesContext)
  if (isNamed || !(isShared || tellsAll)) return null
  return (
    <>
      {' '}
      <ShortAddress class="mono tell" of={of} />
    </>
  )
}

interface JettonAmountProps extends Pick<AmountProps, 'exact' | 'flow'> {
  readonly of: string
  /** Raw address of the master. */
  readonly jetton: string
  readonly content?: Fields
  /** True if the jetton itself is named next to the amount. */
  readonly isNamed?: boolean
}

/**
 * An amount with the jetton's unit, or in the smallest units if the decimals are unknown. `content`: content from the jetton master, for decimals that the
 * index's metadata lacks.
 */
export const JettonAmount = ({ of, jetton, content, exact = false, flow = '', isNamed = false }: JettonAmountProps) => {
  const names = useNames()
  const token = tokenOf(jetton, names)
  const decimals = decimalsOf(jetton, names, content)
  const warnings = isNamed ? [] : warningsOf(names.metadata?.[jetton]?.token_info)
  const unit = decimals === undefined ? undefined : (token?.symbol ?? token?.name)
  const shown = decimals === undefined ? { decimals: 0, unit: 'smallest units' } : { decimals, unit: unit ?? 'units', exact, flow }
  return (
    <>
      <Amount of={of} {...shown} />
      <Which of={jetton} called={unit} isNamed={isNamed} />
      <Warnings of={warnings} />
    </>
  )
}
