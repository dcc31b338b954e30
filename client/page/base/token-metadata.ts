import type { Metadata, Names } from './types.ts'

/* Metadata of tokens. All of it is untrusted text. */

type Info = NonNullable<Metadata[string]>['token_info'][number]

export const tokenOf = (raw: string | null | undefined, names: Names | undefined): Info | undefined =>
  raw ? names?.metadata?.[raw]?.token_info[0] : undefined

/** A warning of the service's operator about a token. */
export type Warning = 'scam' | 'NSFW'

/** The operator's warnings about the tokens of an account. */
export const warningsOf = (tokens: readonly Info[] | undefined): readonly Warning[] => [
  ...(tokens?.some(({ is_scam }) => is_scam) ? (['scam'] as const) : []),
  ...(tokens?.some(({ is_nsfw }) => is_nsfw) ? (['NSFW'] as const) : []),
]

export const warningText = (warnings: readonly Warning[]): string => warnings.map((each) => ` (${each})`).join('')

const DEFAULT = 9

const readDecimals = (said: unknown): number | undefined => {
  const text = String(said)
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined
}

/**
 * Decimals of a jetton (TEP-64) from its content; 9 if the content is loaded and specifies none. Undefined if the content is not loaded, or if its decimals
 * are not a number from 0 to 255: a guess would show a wrong amount. `content`: content from the jetton master, for decimals that the index's metadata
 * lacks.
 */
export const decimalsOf = (raw: string, names: Names, content?: Readonly<Record<string, unknown>>): number | undefined => {
  const token = tokenOf(raw, names)
  const said = token?.extra?.['decimals'] ?? content?.['decimals']
  if (said !== undefined && said !== null) return readDecimals(said)
  return names.metadata?.[raw]?.is_indexed === true && token?.valid !== false ? DEFAULT : undefined
}

/** Normalizes a name for comparison by looks: removes invisible characters, and replaces wide and styled letters with plain ones. */
export const plainOf = (text: string): string => text.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\s]/gu, '')

/** Matches TON DNS names, Telegram usernames, and full or shortened addresses. */
const OTHERS = /\.ton(?![a-z])|\.t\.me(?![a-z])|^-?\d+:[0-9a-f]{4}|^[EUk0][Qf][\w+/-]{4,}(…|\.\.\.)|^[\w+/-]{48}$/i

/** True if a token's name looks like a TON DNS name, a Telegram username or an address. */
export const looksLikeAccount = (name: string): boolean => OTHERS.test(plainOf(name))
