import * as z from 'zod'
import { blockIdExt, transactionId } from './block.ts'
import { flag, hex64, int, many, model, text } from './value-formats.ts'

/** Values before the instruction is executed. */
const vmStep = model('VmStep', {
  cell: hex64('Hash of the code cell that contains the instruction.'),
  offset: int('The bit in that cell at which it begins.', 16),
  instruction: text('The instruction with its operands; also `implicit RET`, `implicit JMPREF` and `exception 7`.', 'PUSHINT 5'),
  gas: int('Gas that was left before it; for an external message that is not accepted yet, what is left of the gas credit.', 999_980),
  stack: many('The stack before it, the bottom first, in short form; a long one is cut at the bottom.', z.string()),
  registers: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        'Registers that changed since the step before, by name (`c0` to `c5`, `c7`), in short form; all of them in the first step.',
      examples: [{ c4: 'C{96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7}' }],
    }),
})

/** Output of debug instructions: `debug.print` and `debug.printString` in Tolk, `~dump` and `~strdump` in FunC. `what`: start of the description. */
export const debugTexts = (what: string) =>
  many(
    `${what} (DUMP, STRDUMP and DUMPSTK), as TON's node writes it, without its \`#DEBUG#: \`; at most 100 texts and 16,000 characters.`,
    z.string(),
  )

/** The steps of a run. Abbreviations: `C{hash}` is a cell, `CS{bits,references}` a slice, `BC{bits,references}` a builder, `[...]` a tuple. */
export const vmTrace = model('VmTrace', {
  exit: text('What the exit code means, in words; empty where only the contract knows.', 'success'),
  steps: many('The steps, the first one first; at most 10,000, and 4 MB of text.', vmStep),
  truncated: flag('Whether the run had more steps than the answer shows.'),
  debug: debugTexts('What its debug instructions printed'),
})

export const tracedTransaction = model('TracedTransaction', {
  transaction_id: transactionId.describe('The transaction that was run again. The new run gave the same hash.'),
  block: blockIdExt.describe('The block that holds it.'),
  version: int('Global version whose rules it ran by.', 15),
  exit_code: int('Exit code of the TVM; null if it did not run.', 0).nullable(),
  gas_used: int('Gas that it used; null if the TVM did not run.', 3308).nullable(),
  result_code: int('Result code of the action phase; null if there was none.', 0).nullable(),
  result: text('What the result code means, in words; empty if there was no action phase or nobody knows.', 'success'),
  trace: vmTrace.describe('The steps of the TVM; empty if it did not run.'),
})
