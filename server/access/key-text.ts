import { hash, randomBytes } from 'node:crypto'

/* Text of a key: `tw_<id>_<secret>`. The id identifies the key, and may be shown and logged. Only the owner of the key has the secret. */

/** Random bytes of both parts, as hex. */
const ID_BYTES = 6
const SECRET_BYTES = 20

/** SHA-256 of the whole text of a key. A slow hash would add no protection, because nobody can try as many secrets as 20 random bytes have. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

export const makeKey = (): { readonly id: string; readonly key: string; readonly hash: Buffer } => {
  const id = randomBytes(ID_BYTES).toString('hex')
  const key = `tw_${id}_${randomBytes(SECRET_BYTES).toString('hex')}`
  return { id, key, hash: hashKey(key) }
}

/** Keys of earlier releases have letters and digits of any kind. */
const KEY = /^tw_([0-9A-Za-z]{12})_[0-9A-Za-z]{40}$/

/** Id in the text of a key; undefined for any other text. */
export const idOfKey = (text: string): string | undefined => KEY.exec(text)?.[1]
