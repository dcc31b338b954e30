import { it } from 'vitest'
import { expectAsCore } from './as-core.ts'
import { allBlocks } from './data.ts'

it('every transaction of every block equals that of @ton/core field by field', () => {
  for (const block of allBlocks()) expectAsCore(block)
})
