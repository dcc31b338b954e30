import type { config } from '../v2/config.ts'
import type { Examples } from './example.ts'
import { HASH, HASH_HEX } from './values.ts'

export const configExamples = {
  getConfigParam: [
    { title: 'the validators', params: { config_id: 34 } },
    { title: 'by the other name, at a block', params: { param: '8', seqno: 1 } },
  ],
  getConfigAll: [{ title: 'now', params: {} }],
  getLibraries: [
    { title: 'two hashes', params: { libraries: [HASH, HASH_HEX] } },
    { title: 'none', params: {} },
  ],
} satisfies Examples<keyof typeof config>
