import type { runs } from '../v2/run.ts'
import type { Examples } from './example.ts'
import { EMPTY_CELL, FRIENDLY } from './values.ts'

export const runExamples = {
  runGetMethod: [
    { title: 'without arguments', params: { address: FRIENDLY, method: 'seqno', stack: [] } },
    {
      title: 'with arguments, by number, at a block',
      params: {
        address: FRIENDLY,
        method: 85143,
        seqno: 1,
        stack: [
          ['num', '0x1f'],
          ['tvm.Cell', EMPTY_CELL],
          ['slice', { bytes: EMPTY_CELL }],
          ['tuple', { '@type': 'tvm.tuple', elements: [] }],
        ],
      },
    },
  ],
  runGetMethodStd: [
    {
      title: 'with arguments',
      params: {
        address: FRIENDLY,
        method: 'seqno',
        stack: [
          { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '31' } },
          { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: EMPTY_CELL } },
          { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
        ],
      },
    },
  ],
} satisfies Examples<keyof typeof runs>
