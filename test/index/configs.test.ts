import { expect, it } from 'vitest'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { SourceBlock } from '../../server/chain/blocks.ts'
import { createConfigs } from '../../server/index/derive/config-at.ts'
import { withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import { fakeConfig } from '../v2/fake-chain.ts'

it('with a parameter 8 that cannot be read, the version after a block is that of its header', async () => {
  const root = withConfigParam(undefined, 8, EMPTY_CELL)
  const configs = createConfigs({ config: async () => fakeConfig({ root }) })
  const block = { id: { seqno: 5 }, info: { keyBlock: true, genSoftware: { version: 9 } } } as SourceBlock
  expect(await configs.version(block, new AbortController().signal)).toBe(9)
})
