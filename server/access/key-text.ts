import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/* A key's text: `tw_<id>_<secret>`. The id is for finding the key and may be shown and logged; the secret stands nowhere but with its holder. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters: 71 bits tell keys apart, 238 bits keep them secret. */
const ID = 12
const SECRET = 40
const LENGTH = 3 + ID + 1 + SECRET
const UNDERSCORE = '_'.charCodeAt(0)

/** Uniform: bytes that would favour some characters are left out. */
const randomText = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
  return text
}

/** SHA-256 of the whole text. The secret is as long as the hash: a slow hash would protect nothing more. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** A new key. */
export const makeKey = (): { readonly id: string; readonly key: string; readonly hash: Buffer } => {
  const id = randomText(ID)
  const key = `tw_${id}_${randomText(SECRET)}`
  return { id, key, hash: hashKey(key) }
}

/** What a key's id looks like. */
export const KEY_ID = new RegExp(`^[0-9A-Za-z]{${ID}}$`)

/** The id in a text that has the outline of a key (KEY_ID tells whether it can be one); undefined for any other. */
export const idOfKey = (text: string): string | undefined =>
  text.length === LENGTH && text.startsWith('tw_') && text.charCodeAt(3 + ID) === UNDERSCORE ? text.slice(3, 3 + ID) : undefined

/** Bytes of a key's text in UTF-16, which tells all characters apart. */
const WIDTH = 2 * LENGTH
/** Compared with where nothing is remembered, so that it takes the same time. */
const NONE = Buffer.alloc(WIDTH)

/**
 * Tells whether a text is the key of a hash, in a time that depends on the answer alone. It is done for every request: what was right once is remembered
 * for as long as the object of the hash lives (in memory only), because comparing texts takes a quarter of the time of a digest.
 */
export const createKeyCheck = (): ((text: string, expected: Uint8Array) => boolean) => {
  const proven = new WeakMap<Uint8Array, Buffer>()
  const shown = Buffer.alloc(WIDTH)
  const made = Buffer.alloc(32)
  return (text, expected) => {
    const isWhole = text.length === LENGTH
    if (isWhole) {
      shown.write(text, 'utf16le')
      const before = proven.get(expected)
      if (timingSafeEqual(shown, before ?? NONE) && before !== undefined) return true
    }
    // A digest as a text, and memory that is used again, take a third of the time of a Hash object and its Buffer.
    made.write(hash('sha256', text, 'binary'), 'latin1')
    const isRight = timingSafeEqual(made, expected)
    if (isRight && isWhole) proven.set(expected, Buffer.from(shown))
    return isRight
  }
}
