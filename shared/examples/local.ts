import type { local } from '../local/chain.ts'
import type { localTokens } from '../local/tokens.ts'
import type { Examples } from './example.ts'
import { EMPTY_CELL, FRIENDLY, RAW } from './values.ts'

export const localExamples = {
  'local.wallets': [{ title: 'all', params: {} }],
  'local.fund': [{ title: 'one TON', params: { address: FRIENDLY, amount: '1000000000' } }],
  'local.mine': [{ title: 'two blocks', params: { count: 2 } }],
  'local.setTime': [{ title: 'the year 2036', params: { utime: 2_082_758_400 } }],
  'local.increaseTime': [{ title: 'an hour', params: { seconds: 3600 } }],
  'local.snapshot': [{ title: 'now', params: {} }],
  'local.revert': [{ title: 'a snapshot that never was', params: { snapshot: 'none' }, fails: 'NOT_FOUND' }],
  'local.setAccount': [{ title: 'a balance', params: { address: RAW, balance: '5000000000' } }],
  'local.sendInternal': [
    { title: 'an empty message', params: { from: RAW, to: FRIENDLY, amount: '1000000', body: EMPTY_CELL, bounce: false } },
  ],
  'local.setConfig': [{ title: 'a parameter of our own', params: { params: { '-999': EMPTY_CELL } } }],
  'local.deployJetton': [
    { title: 'with its content on the chain', params: { name: 'Acorn', symbol: 'ACRN', decimals: 6, description: 'Of an oak.' } },
    { title: 'with its content elsewhere', params: { uri: 'https://example.com/acorn.json' } },
  ],
  'local.mintJetton': [{ title: 'where no jetton is', params: { jetton: FRIENDLY, owner: RAW, amount: '1000' }, fails: 'NOT_FOUND' }],
  'local.deployCollection': [
    { title: 'of NFTs', params: { name: 'Leaves', royalty: { numerator: 5, denominator: 100 } } },
    { title: 'of SBTs', params: { kind: 'sbt', name: 'Diplomas' } },
  ],
  'local.mintNft': [{ title: 'where no collection is', params: { collection: FRIENDLY, owner: RAW, name: 'Leaf 1' }, fails: 'NOT_FOUND' }],
} satisfies Examples<keyof typeof local | keyof typeof localTokens>
