import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { ExecutorError } from '../../../server/tvm/executor/error.ts'
import { executeTransaction } from '../../../server/tvm/executor/execute.ts'
import { shardAccountOf } from '../../kit/tvm/replay.ts'
import { base64, type GoOracle } from './go-oracle.ts'
import { configOfCase, type TransactionCase } from './transactions.ts'
import '../../kit/tvm/curves.ts'

/** What an engine made of a case: a transaction, or `refused` for an external message that was not accepted, or `impossible`. */
export interface TransactionAnswer {
  readonly outcome: 'made' | 'refused' | 'impossible'
  readonly transaction: Cell | undefined
  readonly detail: string
}

/** The project's own executor. Whatever it throws besides its own error is a fault and goes on. */
export const ownAnswer = (c: TransactionCase): TransactionAnswer => {
  try {
    const made = executeTransaction({
      kind: c.kind,
      config: configOfCase(c),
      account: { workchain: c.workchain, hash: c.id },
      shardAccount: shardAccountOf(c.account),
      message: c.message,
      lt: c.lt,
      now: c.now,
      blockSeed: c.blockSeed,
      libraries: c.libraries,
    })
    if (made.accepted) return { outcome: 'made', transaction: made.transaction, detail: '' }
    return { outcome: 'refused', transaction: undefined, detail: `exit ${made.exitCode} gas ${made.gasUsed} steps ${made.steps}` }
  } catch (error) {
    if (error instanceof ExecutorError) return { outcome: 'impossible', transaction: undefined, detail: error.message }
    throw error
  }
}

export const goAnswer = async (oracle: GoOracle, c: TransactionCase): Promise<TransactionAnswer> => {
  const answer = await oracle.ask({
    op: 'transaction',
    config: await oracle.config(configOfCase(c)),
    kind: c.kind,
    address: `${c.workchain}:${Buffer.from(c.id).toString('hex')}`,
    account: base64(c.account),
    ...(c.message === undefined ? {} : { message: base64(c.message) }),
    now: c.now,
    lt: Number(c.lt),
    blockLt: Number(c.lt - (c.lt % 1_000_000n)),
    seed: Buffer.from(c.blockSeed).toString('hex'),
    ...(c.libraries === undefined ? {} : { libraries: base64(c.libraries) }),
  })
  if (answer.transaction !== undefined) {
    return { outcome: 'made', transaction: parseBocRoot(Buffer.from(answer.transaction, 'base64')), detail: '' }
  }
  if (answer.error !== undefined) return { outcome: 'impossible', transaction: undefined, detail: answer.error }
  return { outcome: 'refused', transaction: undefined, detail: `exit ${answer.exit} gas ${answer.gas} steps ${answer.steps}` }
}

/** Whether two answers say the same. */
export const agree = (a: TransactionAnswer, b: TransactionAnswer): boolean => {
  if (a.transaction !== undefined && b.transaction !== undefined) return a.transaction.equals(b.transaction)
  if (a.transaction !== undefined || b.transaction !== undefined) return false
  // Engines draw the line between refusing and being unable differently; there is no transaction either way.
  return true
}
