import { createHash, createHmac, pbkdf2, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { Lru } from '../../base/memory/lru.ts'
import { keyFromSeed, privateKey } from '../adnl/keys.ts'

/* Derives keys of mnemonics like TON's wallets (@ton/crypto's mnemonicToPrivateKey, without a password). */

const derive = promisify(pbkdf2)

const ROUNDS = 100_000
/** Rounds of the check for a valid mnemonic. One of 256 random word lists passes the check. */
const CHECK_ROUNDS = Math.floor(ROUNDS / 256)

/** Cached public keys by the hash of the words. Deriving a key takes a tenth of a second in Node's thread pool. */
const publicKeys = new Lru<string, Promise<Uint8Array>>({ max: 1_000 })

/** The ed25519 seed (32 bytes) of a mnemonic. Rejects like `publicKeyOfMnemonic`. */
const seedOfWords = async (words: string): Promise<Uint8Array> => {
  const entropy = createHmac('sha512', words).digest()
  const [check] = await derive(entropy, 'TON seed version', CHECK_ROUNDS, 64, 'sha512')
  if (check !== 0) throw new Error('these words are not a mnemonic of TON: one is misspelled, missing or too many')
  const seed = await derive(entropy, 'TON default seed', ROUNDS, 64, 'sha512')
  return seed.subarray(0, 32)
}

/** Normal form: lower case, single spaces. */
export const wordsOf = (mnemonic: string | readonly string[]): readonly string[] =>
  (typeof mnemonic === 'string' ? mnemonic : mnemonic.join(' '))
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** The public key of a mnemonic. Rejects with an Error whose message is for the user if the mnemonic is invalid. The message does not contain the words. */
export const publicKeyOfMnemonic = (mnemonic: readonly string[]): Promise<Uint8Array> => {
  const words = mnemonic.join(' ')
  const name = createHash('sha256').update(words).digest('hex')
  const found = publicKeys.get(name) ?? seedOfWords(words).then((seed) => keyFromSeed(seed).publicKey)
  publicKeys.set(name, found)
  return found
}

/** Makes a function that signs bytes with the key of a mnemonic (ed25519, 64 bytes). Rejects like `publicKeyOfMnemonic`. */
export const signerOfMnemonic = async (mnemonic: readonly string[]): Promise<(bytes: Uint8Array) => Uint8Array> => {
  const key = privateKey('ed25519', await seedOfWords(mnemonic.join(' ')))
  return (bytes) => new Uint8Array(sign(null, bytes, key))
}
