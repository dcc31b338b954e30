import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { LiteAnswer, LiteArgs } from '../../../server/chain/liteserver.ts'
import { must, proving } from '../../../server/chain/proofs/error.ts'
import { checkHeader } from '../../../server/chain/proofs/header.ts'
import { transactionIn } from '../../../server/chain/proofs/transactions.ts'
import { loadBlockExtra } from '../../../server/tlb/block/block.ts'
import { sameBytes } from '../../../server/tlb/bytes.ts'
import { blockFullText, sameBlock } from '../../../server/tlb/ids.ts'

/** Checks an answer of getOneTransaction. Undefined means that the block provably has no such transaction. */
export const checkOneTransaction = (answer: LiteAnswer<'getOneTransaction'>, args: LiteArgs<'getOneTransaction'>): Cell | undefined =>
  proving('transaction', () => {
    must(sameBlock(answer.id, args.id), 'transaction', () => `an answer for ${blockFullText(answer.id)}`)
    const { block, info } = checkHeader(answer.proof, args.id)
    // For an lt outside the block's range a lite-server proves only the header.
    const inTime = args.lt > info.startLt && args.lt < info.endLt
    const found = inTime ? transactionIn(loadBlockExtra(block.extra).accountBlocks, args.account.hash, args.lt) : undefined
    if (found === undefined) {
      must(answer.transaction.length === 0, 'transaction', 'the block has none, but one was sent')
      return undefined
    }
    must(answer.transaction.length > 0, 'transaction', 'the block has one, but none was sent')
    const sent = parseBocRoot(answer.transaction)
    must(sameBytes(found.hash(0), sent.hash()), 'transaction', 'not the one in the block')
    return sent
  })
