import type { utils } from '../v2/utils.ts'
import type { Examples } from './example.ts'
import { FRIENDLY, HASH, HASH_HEX, NON_BOUNCEABLE, RAW } from './values.ts'

export const utilsExamples = {
  detectAddress: [
    { title: 'a raw address', params: { address: RAW } },
    { title: 'a friendly address', params: { address: NON_BOUNCEABLE } },
  ],
  detectHash: [
    { title: 'base64', params: { hash: HASH } },
    { title: 'hex', params: { hash: HASH_HEX } },
  ],
  packAddress: [{ title: 'a raw address', params: { address: RAW } }],
  unpackAddress: [{ title: 'a friendly address', params: { address: FRIENDLY } }],
} satisfies Examples<keyof typeof utils>
