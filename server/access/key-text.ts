import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/* A key's text: `tw_<id>_<secret>`. The id finds the key and may be shown and logged. Only the holder has the secret. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Lengths in characters: 71 bits for the id, 238 bits for the secret. */
const ID = 12
const SECRET = 40
const LENGTH = 3 + ID + 1 + SECRET
const UNDERSCORE = '_'.charCodeAt(0)

/** Uniform: bytes that would favour some characters are skipped. */
const randomText = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
  return text
}

/** SHA-256 of the whole text. The secret has about as many bits as the hash, so a slow hash would add no protection. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** A new key. */
export const makeKey = (): { readonly id: string; readonly key: string; readonly hash: Buffer } => {
  const id = randomText(ID)
  const key = `tw_${id}_${randomText(SECRET)}`
  return { id, key, hash: hashKey(key) }
}

/** Pattern of a key's id. */
export const KEY_ID = new RegExp(`^[0-9A-Za-z]{${ID}}$`)

/** The id part of a text that is shaped like a key (check it with KEY_ID); undefined for any other text. */
export const idOfKey = (text: string): string | undefined =>
  text.length === LENGTH && text.startsWith('tw_') && text.charCodeAt(3 + ID) === UNDERSCORE ? text.slice(3, 3 + ID) : undefined

/** Bytes of a key's text in UTF-16, in which different texts never have the same bytes. */
const WIDTH = 2 * LENGTH
/** Compared with if nothing is remembered, so that it takes the same time. */
const NONE = Buffer.alloc(WIDTH)

/**
 * Whether a text is the key of a hash. The time it takes depends only on the answer. It runs for every request, so a correct text is remembered
 * (in memory only) for as long as the hash object lives: comparing texts takes a quarter of the time of a digest.
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
    // A digest as a string and reused memory take a third of the time of a Hash object and its Buffer.
    made.write(hash('sha256', text, 'binary'), 'latin1')
    const isRight = timingSafeEqual(made, expected)
    if (isRight && isWhole) proven.set(expected, Buffer.from(shown))
    return isRight
  }
}
