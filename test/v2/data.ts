import { augEntries, loadAugE } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { TransactionInBlock } from '../../server/chain/chain-port.ts'
import { accountTransactionsAug, loadAccountBlock, shardAccountBlocksAug } from '../../server/tlb/block/account-block.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { readData } from '../kit/data.ts'

/** Every transaction of a block file, by account and lt. */
export const transactionsOf = (path: string): TransactionInBlock[] => {
  const block = loadBlock(parseBocRoot(readData(path)))
  const info = loadBlockInfo(block.info)
  const id = { workchain: info.workchain, shard: info.shard, seqno: info.seqno, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
  const found: TransactionInBlock[] = []
  for (const [, , value] of augEntries(
    shardAccountBlocksAug,
    loadAugE(loadBlockExtra(block.extra).accountBlocks.slice(), shardAccountBlocksAug),
    { cells: 1e9 },
  )) {
    for (const [, , transaction] of augEntries(accountTransactionsAug, loadAccountBlock(value).transactions, { cells: 1e9 })) {
      const root = transaction.loadRef()
      found.push({ transaction: loadTransaction(root), hash: root.hash(), workchain: info.workchain, block: id })
    }
  }
  return found
}
