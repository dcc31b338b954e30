import { TonError } from '../../shared/errors.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createAccountStates } from './account-states.ts'
import { createBlockProofs } from './block-proofs.ts'
import { createBlockReads } from './block-reads.ts'
import { createBlockTransactions } from './block-transactions.ts'
import { createBlocks } from './blocks.ts'
import type { Chain } from './chain-port.ts'
import { chainError, createCheckedQuery } from './checked-query.ts'
import { createGetMethods } from './get-methods.ts'
import { createHeads } from './heads.ts'
import { createHistory } from './history.ts'
import { MAX_LIBRARIES } from './libraries.ts'
import { createListProofs } from './list-proofs.ts'
import type { LiteServer } from './liteserver.ts'
import { createLookups } from './lookups.ts'
import { createTraces } from './replay-transaction.ts'

export interface ChainDeps {
  readonly source: LiteServer
  readonly tvm: Pick<Tvm, 'runGetMethod' | 'runTransaction'>
  /** Gas limit of a get-method; 4,000,000 by default. */
  readonly gasLimit?: bigint
  /** True for the embedded chain, whose blocks this service signs. */
  readonly isOwn?: boolean
}

export interface RunningChain extends Chain {
  /** Stops following heads. Reads in progress are not aborted. */
  close(): void
}

const MAX_RETRIES = 3

/**
 * Makes a Chain from any lite-server source: decodes answers and checks their proofs. Resolves with the first head. Blocks are proven from the head; the
 * source must check the head itself.
 */
export const createChain = async ({ source, tvm, gasLimit, isOwn = false }: ChainDeps, signal?: AbortSignal): Promise<RunningChain> => {
  const heads = createHeads(source)
  signal?.addEventListener('abort', heads.close, { once: true })
  await heads.ready

  const ask = createCheckedQuery(source)
  const { head } = heads
  const blocks = createBlocks(ask)
  const { lookupBlock, pin } = createLookups(blocks, head)
  const accountAt = createAccountStates(blocks)
  const { config: configAt, libraries: librariesAt } = blocks
  const reads = createBlockReads(ask, blocks, head)
  const lists = createBlockTransactions(ask)
  const proofs = createBlockProofs({ ask, pin, zeroState: reads.zeroState, isOwn })
  const listProofs = createListProofs(ask, blocks)
  const transactions = createHistory(ask, async (id, stop) => {
    const { lastTransLt, lastTransHash } = await accountAt(id, head().id, stop)
    return { lt: lastTransLt, hash: lastTransHash }
  })

  /* Repeats a read during which the chain was reverted, because that read may have requested blocks that no longer exist. */
  const retryAfterRevert =
    <A extends unknown[], R>(read: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
    async (...args) => {
      for (let left = MAX_RETRIES; ; left -= 1) {
        const { epoch } = head()
        try {
          return await read(...args)
        } catch (error) {
          if (head().epoch === epoch || left === 0) throw error
        }
      }
    }

  return {
    head,
    heads: heads.heads,
    close: heads.close,
    pin: retryAfterRevert(pin),
    lookupBlock: retryAfterRevert(lookupBlock),
    account: retryAfterRevert(async (id, at, stop) => await accountAt(id, await pin(at, stop), stop)),
    transactions: retryAfterRevert(transactions),
    runGetMethod: retryAfterRevert(createGetMethods({ tvm, pin, accountAt, configAt, librariesAt, gasLimit })),
    traceTransaction: retryAfterRevert(
      createTraces({
        blocks,
        tvm,
        pin,
        accountAt,
        configAt,
        librariesAt,
        lookupBlock,
        transactions,
        blockTransactionIds: lists.blockTransactionIds,
      }),
    ),
    masterchainInfo: retryAfterRevert(reads.masterchainInfo),
    blockHeader: retryAfterRevert(reads.blockHeader),
    shards: retryAfterRevert(reads.shards),
    outMsgQueueSizes: retryAfterRevert(reads.outMsgQueueSizes),
    blockTransactionIds: retryAfterRevert(lists.blockTransactionIds),
    blockTransactions: retryAfterRevert(lists.blockTransactions),
    signatures: retryAfterRevert(proofs.signatures),
    shardBlockProof: retryAfterRevert(proofs.shardBlockProof),
    shardLinks: retryAfterRevert(proofs.shardLinks),
    masterchainLinks: retryAfterRevert(proofs.masterchainLinks),
    blockProof: retryAfterRevert(proofs.blockProof),
    accountProof: retryAfterRevert(listProofs.accountProof),
    transactionProof: retryAfterRevert(listProofs.transactionProof),
    transactionListProof: retryAfterRevert(listProofs.transactionListProof),
    config: retryAfterRevert(async (at, stop) => await configAt(await pin(at, stop), stop)),
    libraries: retryAfterRevert(async (hashes, stop, at) => {
      if (hashes.length > MAX_LIBRARIES) {
        const text = `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${MAX_LIBRARIES} maximum`
        throw new TonError('CHAIN', text)
      }
      return librariesAt(at ?? head().id)(hashes, stop)
    }),
    async sendMessage(boc, stop) {
      try {
        await source.query('sendMessage', { body: boc }, stop)
      } catch (error) {
        throw chainError(error, stop)
      }
    },
  }
}
