import * as z from 'zod'
import { bytes } from '../fields/bytes.ts'
import { method } from '../method.ts'
import { flag, hash44, int, many, model, text } from '../models/value-formats.ts'
import { EMPTY_CELL } from '../samples.ts'
import { pure } from './utils.ts'

const line = text('One instruction: its mnemonic and operands; `invalid` for bits that are none.', 'PUSHINT 5')
const lines = (what: string) => many(what, line)

const codeMethod = model('CodeMethod', {
  id: int('Number of the get-method.', 85_143),
  name: text('Its name, if a usual name has this number; null for any other number.', 'seqno').nullable(),
  lines: lines('Its instructions.'),
})

const codeCell = model('CodeCell', { hash: hash44('Hash of the cell.'), lines: lines('Its instructions.') })

export const code = {
  inspectCode: method({
    ...pure,
    // High, because one call lists up to 20,000 instructions.
    weight: 5,
    summary: 'Get-methods and instructions of code. The code is not run.',
    examples: [{ title: 'an empty cell', params: { code: EMPTY_CELL } }],
    params: z.object({ code: bytes('The code, as a BoC.') }),
    result: model('InspectedCode', {
      hash: hash44('Hash of the code.'),
      library: hash44('Hash of the library that the code is a reference to; null if it is code itself.').nullable(),
      methods: many('The get-methods in the dictionary at the beginning of the code, by their numbers.', codeMethod),
      lines: lines('Instructions of the root cell.'),
      cells: many('Cells below it that the root and the get-methods refer to, each once.', codeCell),
      truncated: flag('Whether there is more code than the answer lists: 300 cells and 20,000 instructions.'),
    }),
  }),
}
