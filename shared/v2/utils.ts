import * as z from 'zod'
import { address } from '../fields/address.ts'
import { quote } from '../fields/field.ts'
import { hash } from '../fields/hash.ts'
import { method } from '../method.ts'
import { detectedAddress, detectedHash } from '../models/result.ts'
import { friendly, rawUpper } from '../models/value-formats.ts'
import { FRIENDLY, HASH, HASH_HEX, NON_BOUNCEABLE, RAW } from '../samples.ts'

/** Methods that access neither the chain nor the index. */
export const pure = { heading: 'Utils', effect: 'read', needs: 'nothing', rest: 'GET, POST', weight: 1, cache: 'never' } as const

export const utils = {
  detectAddress: method({
    ...pure,
    summary: 'An address in all its forms.',
    examples: [
      { title: 'a raw address', params: { address: RAW } },
      { title: 'a friendly address', params: { address: NON_BOUNCEABLE } },
    ],
    params: z.object({ address: address('The address to write in another form.') }),
    result: detectedAddress,
  }),
  detectHash: method({
    ...pure,
    summary: 'A hash in all its forms.',
    examples: [
      { title: 'base64', params: { hash: HASH } },
      { title: 'hex', params: { hash: HASH_HEX } },
    ],
    params: z.object({ hash: hash('The hash to write in another form.', { refused: (value) => `invalid hash: ${quote(value)}` }) }),
    result: detectedHash,
  }),
  packAddress: method({
    ...pure,
    summary: 'The url-safe friendly form of an address; a friendly one keeps its flags.',
    examples: [{ title: 'a raw address', params: { address: RAW } }],
    params: z.object({ address: address('The address to write in another form.') }),
    result: friendly('The address in its friendly form.'),
  }),
  unpackAddress: method({
    ...pure,
    summary: 'The raw form of an address, in upper case.',
    examples: [{ title: 'a friendly address', params: { address: FRIENDLY } }],
    params: z.object({ address: address('The address to write in another form.') }),
    result: rawUpper('The address in its raw form.'),
  }),
}
