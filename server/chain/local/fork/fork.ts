import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { untilAborted } from '../../../base/abort.ts'
import { outwardNetwork, publishedNetworks } from '../../../config/global-config-text.ts'
import { toHex } from '../../../tlb/bytes.ts'
import { type AccountId, type BlockId, blockText, MASTERCHAIN, WHOLE_SHARD } from '../../../tlb/ids.ts'
import type { LiteServer } from '../../liteserver.ts'
import { faucetWallets } from '../faucet.ts'
import { openFetchedLog } from '../store/fetched-log.ts'
import { readForkBase } from './base.ts'
import { pathOf } from './dictionary-paths.ts'
import { createFetcher, createOpening } from './fetcher.ts'
import { createForkGenesis, readByEveryBlock } from './genesis.ts'
import { createForkReads, type ForkReads } from './reads.ts'

/* A fork: an embedded chain that starts from the accounts of another network. */

export interface ForkRemote {
  readonly source: LiteServer
  /** Proven id of a masterchain block; of the head if `seqno` is undefined. */
  block(seqno: number | undefined, signal: AbortSignal): Promise<BlockId>
  close(): void
}

export interface ForkSettings {
  readonly network: string
  /** Seqno of the masterchain block after which the fork begins; undefined for the head. */
  readonly seqno?: number | undefined
  readonly keep: readonly AccountId[]
  /** Connects at the first call. A failure is logged, and rejects with an Error whose text is for operators. */
  connect(signal: AbortSignal): Promise<ForkRemote>
}

export interface ForkMark {
  readonly network: string
  /** Seqno of the masterchain block after which the fork begins; hashes are lower-case hex. */
  readonly seqno: number
  readonly rootHash: string
  readonly fileHash: string
  readonly utime: number
  /** End lt of the masterchain block, decimal. */
  readonly endLt: string
}

export const blockOfFork = ({ seqno, rootHash, fileHash }: ForkMark): BlockId => {
  const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash: bytes(rootHash), fileHash: bytes(fileHash) }
}

const fileOf = (path: string): string => join(path, 'fork.cells')

/** Undefined if there are no files of a fork and the settings ask for no fork. */
export const openFork = async (path: string, settings: ForkSettings | undefined) => {
  if (settings === undefined && !existsSync(fileOf(path))) return undefined
  const fetched = await openFetchedLog(fileOf(path))
  let remote: Promise<ForkRemote> | undefined
  let mark: ForkMark | undefined
  const closing = new AbortController()

  const connect = (): Promise<ForkRemote> => {
    remote ??= settings!.connect(closing.signal).catch((error: unknown) => {
      remote = undefined
      throw error
    })
    return remote
  }
  /** Connection to the forked network. Rejects with an Error whose text is for callers: it names no hosts and files. */
  const source = async (): Promise<LiteServer> => {
    if (settings === undefined) throw new Error('this chain was started without --fork; with it, more of that network can be read')
    // The reason may name hosts and files, so callers do not get it. `connect` has logged it.
    const open = await connect().catch((cause: unknown) => {
      throw new Error('it cannot be reached, see the log', { cause })
    })
    return open.source
  }
  const reads = async (): Promise<ForkReads> => createForkReads(await source(), blockOfFork(mark!))
  const fetcher = createFetcher({ fetched, reads, place: () => ({ network: outwardNetwork(mark!.network), block: blockOfFork(mark!) }) })
  const opening = createOpening(fetcher)

  return {
    fetched,
    fetcher,
    opening,
    source,
    /** Makes the zerostates of a new fork. After a rejection the caller must close the fork, which stops running fetches. */
    begin: async (validatorSeed: Uint8Array, signal: AbortSignal) => {
      const from = await untilAborted(connect(), signal)
      const block = await from.block(settings!.seqno, signal)
      const at = createForkReads(from.source, block)
      const base = await readForkBase(at, fetched, signal)
      const { globalId, utime, endLt } = base
      const [rootHash, fileHash] = [toHex(block.rootHash), toHex(block.fileHash)]
      mark = { network: settings!.network, seqno: block.seqno, rootHash, fileHash, utime, endLt: endLt.toString() }
      const accounts = faucetWallets(globalId).map(({ account }) => account)
      const first = [...accounts.map(({ account }) => account), ...readByEveryBlock(base), ...settings!.keep]
      await fetcher.fetch(first.map(pathOf), signal)
      return { genesis: await opening(() => createForkGenesis(base, { validatorSeed, accounts }), signal), mark, globalId }
    },
    /** Continues a stored fork. Throws an Error with a text for users if the settings name another fork. */
    resume: (saved: ForkMark): void => {
      mark = saved
      const seqno = settings?.seqno
      // A path and a URL may name the same network, so different names are allowed. Every answer is checked from the block at which the fork begins, so
      // answers of another network would fail the checks.
      const names = [saved.network, settings?.network ?? saved.network]
      if (settings !== undefined && names[0] !== names[1] && names.every((name) => publishedNetworks.includes(name)))
        throw new Error(`${path} holds a fork of ${saved.network}, not of ${settings.network}; take another directory for a new fork`)
      if (seqno !== undefined && seqno !== saved.seqno)
        throw new Error(
          `${path} holds a fork at block ${blockText(blockOfFork(saved))}, not at ${seqno}; take another directory for a new fork`,
        )
      // A failure is ignored: accounts that are missing are fetched when they are read.
      if (settings !== undefined && settings.keep.length > 0) fetcher.fetch(settings.keep.map(pathOf), closing.signal).catch(() => {})
    },
    close: (): void => {
      closing.abort()
      remote?.then(
        (open) => open.close(),
        () => {},
      )
      fetched.close()
    },
  }
}
export type Fork = NonNullable<Awaited<ReturnType<typeof openFork>>>
