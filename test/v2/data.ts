import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { augEntries, loadAugE } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { TransactionInBlock } from '../../server/chain/types.ts'
import { accountTransactionsAug, loadAccountBlock, shardAccountBlocksAug } from '../../server/tlb/block/account-block.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'

/** The folder of real TON data, undefined where it is missing: tests that need it say so and are skipped. */
export const dataFolder = ((folder) => (existsSync(folder) ? folder : undefined))(
  process.env['TONWAY_TEST_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
)
export const NO_DATA = 'no TON data: set TONWAY_TEST_DATA'

export const dataFile = (path: string): Buffer => readFileSync(`${dataFolder}/${path}`)
export const dataNames = (path: string): string[] => (dataFolder ? readdirSync(`${dataFolder}/${path}`) : [])

/** Every transaction of a block file, by account and lt. */
export const transactionsOf = (path: string): TransactionInBlock[] => {
  const block = loadBlock(parseBocRoot(dataFile(path)))
  const info = loadBlockInfo(block.info)
  const id = { workchain: info.workchain, shard: info.shard, seqno: info.seqno, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
  const found: TransactionInBlock[] = []
  for (const [, , value] of augEntries(
    shardAccountBlocksAug,
    loadAugE(loadBlockExtra(block.extra).accountBlocks.slice(), shardAccountBlocksAug),
  )) {
    for (const [, , transaction] of augEntries(accountTransactionsAug, loadAccountBlock(value).transactions)) {
      const root = transaction.loadRef()
      found.push({ transaction: loadTransaction(root), hash: root.hash(), workchain: info.workchain, block: id })
    }
  }
  return found
}
