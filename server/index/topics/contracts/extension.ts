import { rowsOf } from '../../../store/rows/rows.ts'
import { contractCodes } from '../../../store/schema/contracts.ts'
import type { Extension } from '../topic.ts'
import { detect } from './detect.ts'

/** Codes with the ids of their get-methods. The interface names of accounts come from them (server/book/interfaces.ts). */
export const contractsExtension: Extension = {
  name: 'contracts',
  version: 1,
  tables: [contractCodes],
  async derive(block, context) {
    const { fresh } = await detect(block, context)
    const rows = fresh.map(({ codeHash, methods }) => ({ code_hash: codeHash, mc_seqno: block.mcSeqno, methods }))
    return { tables: [rowsOf(contractCodes, rows)] }
  },
}
