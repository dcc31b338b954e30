import { hash, randomBytes } from 'node:crypto'

/* Text of a key: `tw_<id>_<secret>`. The id identifies the key, and may be shown and logged. Only the owner of the key has the secret. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Lengths in characters. The id has 71 random bits, the secret has 238. */
const ID = 12
const SECRET = 40

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

const KEY = new RegExp(`^tw_([0-9A-Za-z]{${ID}})_[0-9A-Za-z]{${SECRET}}$`)

/** Id in the text of a key; undefined for any other text. */
export const idOfKey = (text: string): string | undefined => KEY.exec(text)?.[1]
