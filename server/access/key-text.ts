import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/* Text of a key: `tw_<id>_<secret>`. The id identifies the key, and may be shown and logged. Only the owner of the key has the secret. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Lengths in characters. The id has 71 random bits, the secret has 238. */
const ID = 12
const SECRET = 40
const LENGTH = 3 + ID + 1 + SECRET
const UNDERSCORE = '_'.charCodeAt(0)

/** Random characters with a uniform distribution: bytes that would favour some characters are discarded. */
const randomText = (length: number): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
  return text
}

/** SHA-256 of the whole text of a key. A slow hash would add no protection, because the secret has about as many bits as the hash. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

export const makeKey = (): { readonly id: string; readonly key: string; readonly hash: Buffer } => {
  const id = randomText(ID)
  const key = `tw_${id}_${randomText(SECRET)}`
  return { id, key, hash: hashKey(key) }
}

export const KEY_ID = new RegExp(`^[0-9A-Za-z]{${ID}}$`)

/** Id in a text with the format of a key; undefined for any other text. The characters are not checked: use KEY_ID. */
export const idOfKey = (text: string): string | undefined =>
  text.length === LENGTH && text.startsWith('tw_') && text.charCodeAt(3 + ID) === UNDERSCORE ? text.slice(3, 3 + ID) : undefined

/** Bytes of a key's text in UTF-16. In this encoding, different texts always have different bytes. */
const WIDTH = 2 * LENGTH
/** Compared with the given key if no text is cached, so that a check always takes the same time. */
const NONE = Buffer.alloc(WIDTH)

/**
 * Returns a function that checks a text against the hash of a key. Its time depends only on the result. It runs for every request, so a correct text is
 * cached for as long as the hash object exists: comparing texts takes a quarter of the time of hashing.
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
    // Hashing to a string and writing it into a reused buffer takes a third of the time of a Hash object and a new Buffer.
    made.write(hash('sha256', text, 'binary'), 'latin1')
    const isRight = timingSafeEqual(made, expected)
    if (isRight && isWhole) proven.set(expected, Buffer.from(shown))
    return isRight
  }
}
