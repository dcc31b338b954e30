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
import { createHistory } from './history.ts'
import { MAX_LIBRARIES } from './libraries.ts'
import { createListProofs } from './list-proofs.ts'
import type { LiteServer } from './liteserver.ts'
import { createLookups } from './lookups.ts'
import { createTraces } from './replay-transaction.ts'

export interface ChainDeps {
  readonly source: LiteServer
  readonly tvm: Pick<Tvm, 'runGetMethod' | 'runTransaction'>
  /** True for the embedded chain, whose blocks this service signs. */
  readonly isOwn?: boolean
}

const MAX_RETRIES = 3

type Read = (...args: never[]) => Promise<unknown>

/** Repeats a read during which the chain was reverted, because that read may have requested blocks that no longer exist. */
const retryAfterRevert = <T extends { readonly [name: string]: Read }>(reads: T, epoch: () => number): T => {
  const retried =
    (read: Read): Read =>
    async (...args) => {
      for (let left = MAX_RETRIES; ; left -= 1) {
        const before = epoch()
        try {
          return await read(...args)
        } catch (error) {
          if (epoch() === before || left === 0) throw error
        }
      }
    }
  return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, retried(read)])) as unknown as T
}

/** Makes a Chain from any source: decodes answers and checks their proofs. Blocks are proven from the source's head, which the source must check itself. */
export const createChain = ({ source, tvm, isOwn = false }: ChainDeps): Chain => {
  const { head } = source
  if (head === undefined) throw new Error('the source does not follow its head')
  const ask = createCheckedQuery(source)
  const blocks = createBlocks(ask)
  const { lookupBlock, pin } = createLookups(blocks, head)
  const accountAt = createAccountStates(blocks)
  const { config: configAt, libraries: librariesAt } = blocks
  const blockReads = createBlockReads(ask, blocks, head)
  const lists = createBlockTransactions(ask)
  const transactions = createHistory(ask, async (id, stop) => {
    const { lastTransLt, lastTransHash } = await accountAt(id, head().id, stop)
    return { lt: lastTransLt, hash: lastTransHash }
  })

  const reads = {
    pin,
    lookupBlock,
    account: async (id, at, stop) => await accountAt(id, await pin(at, stop), stop),
    transactions,
    runGetMethod: createGetMethods({ tvm, pin, accountAt, configAt, librariesAt }),
    traceTransaction: createTraces({
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
    ...blockReads,
    ...lists,
    ...createBlockProofs({ ask, pin, zeroState: blocks.zeroState, isOwn }),
    ...createListProofs(ask, blocks),
    config: async (at, stop) => await configAt(await pin(at, stop), stop),
    libraries: async (hashes, stop, at) => {
      if (hashes.length > MAX_LIBRARIES) {
        const text = `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${MAX_LIBRARIES} maximum`
        throw new TonError('CHAIN', text)
      }
      return librariesAt(at ?? head().id)(hashes, stop)
    },
  } satisfies Omit<Chain, 'head' | 'heads' | 'sendMessage'>

  return {
    head,
    heads: source.heads,
    ...retryAfterRevert(reads, () => head().epoch),
    async sendMessage(boc, stop) {
      try {
        await source.query('sendMessage', { body: boc }, stop)
      } catch (error) {
        throw chainError(error, stop)
      }
    },
  }
}
