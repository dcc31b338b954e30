import { TonError } from '../../../shared/errors.ts'
import { fitsFriendly, formatFriendly, formatRaw } from '../../../shared/fields/address.ts'
import type { blocks } from '../../../shared/v4/blocks.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import { portionsOf } from '../../base/memory/portions.ts'
import { mapWithPauses } from '../../base/yield.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { configParam, withConfigParam } from '../../tlb/config/config-dictionary.ts'
import { type BlockId, blockText, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { base64, bocInTurns } from '../wire.ts'
import { blockId, findMaster, masterAt, type V4Reads } from './at-block.ts'

/** Maximum number of shard blocks that one masterchain block may commit. Usually a few. */
const MAX_SHARD_BLOCKS = 1_000
/** More transactions than any block has, to request all of them. */
const ALL = 1 << 20
const LANES = 16

/** The shard blocks that this masterchain block commits and its predecessor does not, oldest first. */
const shardBlocksOf = async (chain: Chain, master: BlockId, signal: AbortSignal): Promise<readonly BlockId[]> => {
  const topsOf = async (id: BlockId): Promise<readonly BlockId[]> => (await chain.shards(id, signal)).map((shard) => shard.id)
  const before = master.seqno === 1 ? [] : await topsOf(await chain.pin(master.seqno - 1, signal))
  const seen = new Set(before.map(blockText))
  const found: BlockId[] = []
  const previous = async (id: BlockId): Promise<readonly BlockId[]> =>
    seen.has(blockText({ ...id, seqno: id.seqno - 1 })) ? [] : (await chain.blockHeader(id, signal)).prevBlocks
  for (let level = await topsOf(master); level.length > 0; ) {
    const fresh = level.filter((id) => id.seqno > 0 && !seen.has(blockText(id)) && seen.add(blockText(id)))
    found.push(...fresh)
    if (found.length > MAX_SHARD_BLOCKS) throw new TonError('CHAIN', `block ${master.seqno} commits over ${MAX_SHARD_BLOCKS} shard blocks`)
    level = (await Promise.all(fresh.map(previous))).flat()
  }
  return found.reverse()
}

const accountText = (id: { readonly workchain: number; readonly hash: Uint8Array }): string =>
  fitsFriendly(id) ? formatFriendly(id) : formatRaw(id, 'lower')

const withTransactions = async (chain: Chain, id: BlockId, signal: AbortSignal) => {
  const { ids } = await chain.blockTransactionIds(id, { count: ALL, after: undefined }, signal)
  const transactions = await mapWithPauses(
    ids,
    ({ account, hash, lt }) => ({
      account: accountText({ workchain: id.workchain, hash: account }),
      hash: base64(hash),
      lt: lt.toString(),
    }),
    signal,
  )
  return { ...blockId(id), transactions }
}

const onlyParams = (root: Cell, ids: readonly number[]): Cell => {
  let only: Cell | undefined
  for (const id of ids) {
    const value = configParam(root, id)
    if (value !== undefined) only = withConfigParam(only, id, value)
  }
  if (only === undefined) throw new TonError('NOT_FOUND', `ids: the configuration has no parameter ${ids.slice(0, 10).join(', ')}`)
  return only
}

export const v4BlockHandlers = ({ chain, final }: V4Reads): AnswerHandlers<keyof typeof blocks> => {
  const blockAnswer = async (master: BlockId | undefined, signal: AbortSignal) => {
    if (master === undefined) return { body: { exist: false } as const, isTransient: true }
    const ids = [master, ...(await shardBlocksOf(chain, master, signal))]
    const shards = []
    for (const some of portionsOf(ids, LANES)) shards.push(...(await Promise.all(some.map((id) => withTransactions(chain, id, signal)))))
    return final({ exist: true, block: { shards } } as const)
  }
  return {
    async 'v4.getLastBlock'(_, { signal }) {
      // Read in the same event-loop turn as masterchainInfo, so that both use the same head.
      const { utime } = chain.head()
      const { last, init, stateRootHash } = await chain.masterchainInfo(signal)
      return {
        body: {
          last: blockId(last),
          init: { rootHash: base64(init.rootHash), fileHash: base64(init.fileHash) },
          stateRootHash: base64(stateRootHash),
          now: utime,
        },
      }
    },

    async 'v4.getBlock'({ seqno }, { signal }) {
      return blockAnswer(seqno > 0 ? await findMaster(chain, seqno, signal) : undefined, signal)
    },

    async 'v4.getBlockByUtime'({ utime }, { signal }) {
      const isThere = utime > 0 && utime <= chain.head().utime
      const lookup = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }
      return blockAnswer(isThere ? await chain.lookupBlock(lookup, { utime }, signal) : undefined, signal)
    },

    async 'v4.getConfig'({ seqno, ids }, { signal }) {
      const at = await masterAt(chain, seqno, signal)
      const { root, configAddress, globalBalance } = await chain.config(at, signal)
      return final({
        exist: true,
        config: {
          cell: await bocInTurns(ids === undefined ? root : onlyParams(root, ids), signal),
          address: formatFriendly({ workchain: MASTERCHAIN, hash: configAddress }),
          globalBalance: { coins: globalBalance.toString() },
        },
      } as const)
    },
  }
}
