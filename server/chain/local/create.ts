import { createHash } from 'node:crypto'
import type { Log } from '../../base/log.ts'
import { mapWithPauses, runSteps } from '../../base/yield.ts'
import { augGet, loadAugE } from '../../cell/aug.ts'
import { outwardNetwork } from '../../config/global-config-text.ts'
import { blockText } from '../../tlb/ids.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import { shardAccountsAug } from '../../tlb/state/shard-account.ts'
import { loadShardState } from '../../tlb/state/shard-state.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { createAnswers } from './answers/answers.ts'
import { createChainClock } from './chain-clock.ts'
import { createCollator } from './collator.ts'
import { createControls, stateWithOffset } from './controls.ts'
import { faucetWallets } from './faucet.ts'
import { createForkCollator, fetching } from './fork/collator.ts'
import { blockOfFork, type Fork, type ForkMark, type ForkSettings, openFork } from './fork/fork.ts'
import { createForkQuery } from './fork/fork-query.ts'
import { genesisSteps } from './genesis.ts'
import { hashOfAccounts } from './genesis-accounts.ts'
import { keyOf } from './hash-keys.ts'
import type { FaucetWallet, LocalChain } from './local-chain.ts'
import { createMempool, type Mempool } from './mempool.ts'
import type { AccountInput, CollatorDeps } from './model.ts'
import { createPrinted } from './produce/debug-output.ts'
import { createWithheldSteps } from './produce/withheld-steps.ts'
import { createProducer } from './producer.ts'
import { readExternal } from './read-external.ts'
import type { BeginState } from './state-file.ts'
import { type ChainStore, openChainStore } from './store/chain-store.ts'
import { type ChainDirectory, chainFiles, takeDataDirectory, takeTemporaryDirectory } from './store/lock-directory.ts'
import { LogDamage } from './store/log-file.ts'
import { checkLog } from './store/repair.ts'

export interface LocalChainOptions {
  /** Directory of the chain. If undefined, the chain uses a temporary directory, which is deleted when the chain is closed. */
  readonly dataDir?: string | undefined
  /** Milliseconds between idle blocks; 0 makes no idle blocks. */
  readonly blockTimeMs: number
  /** Makes no block at all, not even for messages that wait: the chain is only read. */
  readonly isStill?: boolean | undefined
  readonly globalId: number
  /** Accounts of the genesis in addition to the faucet's accounts. A stored chain with a different genesis is not opened. */
  readonly accounts?: readonly AccountInput[] | undefined
  /** Exported state of another chain from which a new chain begins. All accounts are then in `accounts`: the faucet's accounts are not added. */
  readonly state?: BeginState | undefined
  readonly wallets?: readonly FaucetWallet[] | undefined
  /** The network to fork: its accounts and its global id become the chain's. */
  readonly fork?: ForkSettings | undefined
}

export interface LocalChainDeps {
  readonly tvm: Pick<Tvm, 'runGetMethod' | 'runTransaction'>
  readonly log: Log
  /** The machine's clock, unix seconds. */
  readonly clock: { now(): number }
  /** Aborts the start. Only the start of a fork takes long enough to be stopped. */
  readonly signal?: AbortSignal | undefined
}

/** Seed of the single validator's key. The seed is public, because the chain is for tests. */
const VALIDATOR_SEED = new Uint8Array(createHash('sha256').update('tonway embedded validator').digest())
const FORMAT = 1
/**
 * Version of the elector's and the configuration contract's code in a genesis. Version 1: empty code, with which any get-method succeeds. Version 2: code
 * with get-methods.
 */
const CONTRACTS = 2
const MEMPOOL = 16_384
/** Interval of fdatasync for a log in a data directory, ms. A crash of the process alone loses nothing; a crash of the machine can lose this interval. */
const SYNC_MS = 1000

const damageText = async (path: string, { at, next }: LogDamage): Promise<string> => {
  const { seqno } = await checkLog(chainFiles(path).log)
  const intact = seqno === undefined ? 'not even the genesis is whole' : `blocks up to ${seqno} are whole`
  return (
    `${chainFiles(path).log} is damaged at byte ${at} (${intact}), and more records follow from byte ${next} on. Nothing was changed. ` +
    'Put a copy of the file in its place; or run `tonway repair` with the same --data-dir, which keeps what stands before the damage and puts the rest aside'
  )
}

interface GenesisText {
  readonly format: number
  readonly globalId: number
  /** Version of the code of the elector and the configuration contract (CONTRACTS); absent for version 1. */
  readonly contracts?: number
  /** Hash of the accounts of the user's genesis; absent if there are no such accounts. */
  readonly accounts?: string
  readonly fork?: ForkMark
}
const genesisOf = ({ genesisText }: ChainStore): GenesisText => JSON.parse(genesisText) as GenesisText

const notesOf = ({ contracts, fork }: GenesisText): readonly string[] => [
  ...(fork === undefined ? [] : [forkNote(fork)]),
  ...((contracts ?? 1) >= CONTRACTS
    ? []
    : [
        'the elector and the configuration contract are those that this chain began with: they have empty code, and any get-method on them ends with ' +
          'exit code 0. A chain in a new data directory has them with the get-methods of TON',
      ]),
]

const forkNote = (fork: ForkMark): string =>
  `a fork of ${outwardNetwork(fork.network)} at block ${blockText(blockOfFork(fork))} of ${new Date(fork.utime * 1000).toISOString()}. Messages that were in ` +
  'flight there are dropped, its blocks prove nothing to the validators there, and the elector and the validators are those of an embedded chain. ' +
  'Messages that you sign are not sent to that network, but everybody who can read the fork can send them there'

/** Age in seconds of the forked network's block above which the chain continues at that block's time, not at the machine's time. */
const OLD_BLOCK = 600
/** Offset of a new chain's time from the machine's time, seconds. */
const beginOffset = ({ fork }: GenesisText, state: BeginState | undefined, now: number): number => {
  if (fork === undefined) return state?.offset ?? 0
  return now - fork.utime > OLD_BLOCK ? fork.utime - now : 0
}

/** `accountsHash`: the hash of `options.accounts`, if there are any. */
const newGenesis = async (
  options: Omit<LocalChainOptions, 'dataDir'>,
  accountsHash: string | undefined,
  fork: Fork | undefined,
  now: number,
  signal: AbortSignal,
) => {
  if (options.fork !== undefined && fork !== undefined) {
    const { genesis, mark, globalId } = await fork.begin(VALIDATOR_SEED, signal)
    const made: GenesisText = { format: FORMAT, globalId, contracts: CONTRACTS, fork: mark }
    return { genesis, text: JSON.stringify(made) }
  }
  const { globalId, accounts: own = [], state } = options
  const steps = genesisSteps({
    globalId,
    utime: state?.utime ?? now,
    validatorSeed: VALIDATOR_SEED,
    accounts: state === undefined ? [...faucetWallets(globalId).map(({ account }) => account), ...own] : own,
    state,
  })
  const genesis = await runSteps(steps, signal)
  const made: GenesisText = {
    format: FORMAT,
    globalId,
    contracts: CONTRACTS,
    ...(accountsHash !== undefined && { accounts: accountsHash }),
  }
  return { genesis, text: JSON.stringify(made) }
}

/** Throws an Error with a text for users if the stored chain does not match the settings. */
const checkMade = (
  path: string,
  made: GenesisText,
  options: Omit<LocalChainOptions, 'dataDir'>,
  accountsHash: string | undefined,
): void => {
  const { globalId } = options
  if (made.format !== FORMAT) throw new Error(`${path} was written by another version (format ${made.format}, this one has ${FORMAT})`)
  if (options.fork !== undefined && made.fork === undefined)
    throw new Error(`${path} has a chain that is not a fork; set another data directory for a fork`)
  if (made.fork === undefined && made.globalId !== globalId)
    throw new Error(`${path} holds a chain of global id ${made.globalId}, not ${globalId}`)
  if (accountsHash !== undefined && made.accounts !== accountsHash)
    throw new Error(`${path} holds a chain that began with other accounts than this genesis has; take another directory for a new chain`)
}

/** A mempool with the messages that waited when the chain was closed. */
const openMempool = async (store: ChainStore, signal: AbortSignal): Promise<Mempool> => {
  const mempool = createMempool(MEMPOOL, (at) => readExternal(store.message(at).boc))
  const add = (place: number): void => {
    const { at, acceptedAt, boc } = store.message(place)
    mempool.add({ ...readExternal(boc), bytes: boc.length, at, acceptedAt })
  }
  await mapWithPauses(store.waiting, add, signal)
  return mempool
}

const openStore = async (
  { path }: ChainDirectory,
  options: Omit<LocalChainOptions, 'dataDir'>,
  { clock, log }: LocalChainDeps,
  signal: AbortSignal,
) => {
  const { accounts = [] } = options
  const accountsHash = accounts.length > 0 ? await runSteps(hashOfAccounts(accounts), signal) : undefined
  const fork = await openFork(path, options.fork)
  let store: ChainStore | undefined
  try {
    store = await openChainStore(chainFiles(path), () => newGenesis(options, accountsHash, fork, clock.now(), signal), {
      fetched: fork?.fetched,
      onDamage: (reason) => log.error('chain.damaged', { reason }),
    })
    const made = genesisOf(store)
    checkMade(path, made, options, accountsHash)
    const mempool = await openMempool(store, signal)
    if (made.fork !== undefined && fork === undefined)
      throw new Error(
        `${path} holds a fork of ${made.fork.network}, but not what it has fetched; start it with --fork ${made.fork.network}`,
      )
    if (made.fork === undefined) {
      // This chain is not a fork, so it does not need the fetched cells that an earlier fork left in the directory.
      fork?.close()
      return { store, made, fork: undefined, mempool }
    }
    fork?.resume(made.fork)
    return { store, made, fork, mempool }
  } catch (error) {
    store?.close()
    fork?.close()
    throw error instanceof LogDamage ? new Error(await damageText(path, error), { cause: error }) : error
  }
}

const faucetOf = async (store: ChainStore, globalId: number): Promise<readonly FaucetWallet[]> => {
  const zero = await store.state(store.zeroIds[1])
  if (zero === undefined) return []
  const accounts = loadAugE(loadShardState(zero).accounts.slice(), shardAccountsAug)
  return faucetWallets(globalId)
    .map(({ wallet }) => wallet)
    .filter(({ address }) => augGet(shardAccountsAug, accounts, keyOf(address.hash)) !== undefined)
}

/** Resolves when the chain has its first block. Throws if the chain's files are damaged or in use. */
export const createLocalChain = async (options: LocalChainOptions, deps: LocalChainDeps): Promise<LocalChain> => {
  const { dataDir } = options
  const directory = dataDir === undefined ? takeTemporaryDirectory() : takeDataDirectory(dataDir)
  try {
    return await openInDirectory(directory, options, deps)
  } catch (error) {
    directory.release()
    throw error
  }
}

/** Closing the chain also unlocks the directory. */
const openInDirectory = async (
  directory: ChainDirectory,
  options: Omit<LocalChainOptions, 'dataDir'>,
  deps: LocalChainDeps,
): Promise<LocalChain> => {
  const { signal = new AbortController().signal } = deps
  const { store, made, fork, mempool } = await openStore(directory, options, deps, signal)
  const { globalId } = made
  const { cutBytes, missingSteps } = store.mended
  if (cutBytes > 0) deps.log.warn('chain.tail_cut', { path: directory.path, bytes: cutBytes, seqno: store.head().id.seqno })
  if (missingSteps > 0) deps.log.warn('chain.shorter_than_index', { path: directory.path, missingSteps, seqno: store.head().id.seqno })
  if (made.fork !== undefined && options.fork === undefined) deps.log.warn('chain.fork_alone', { network: made.fork.network })
  const { damagedAt } = fork?.fetched ?? {}
  if (damagedAt !== undefined) deps.log.warn('chain.fork_damaged', { path: directory.path, from: damagedAt })
  if (store.head().id.seqno === 0 && store.control() === undefined) {
    const offset = beginOffset(made, options.state, deps.clock.now())
    if (offset !== 0) store.saveControl(stateWithOffset(offset))
  }
  const clock = createChainClock(deps.clock.now)
  const collatorDeps: CollatorDeps = {
    make: (request, stop) => deps.tvm.runTransaction(request, stop, { urgent: true }),
    // Many messages to an account with slow transactions must not delay blocks, nor the messages to other accounts.
    tryOut: (request, stop) =>
      deps.tvm.runTransaction(request, stop, { client: `messages to ${rawAddress(request.account.workchain, request.account.hash)}` }),
    validatorSeed: VALIDATOR_SEED,
    globalId,
  }
  const withheld = createWithheldSteps(store)
  const printed = createPrinted()
  const producer = createProducer({
    store,
    collator: fork === undefined ? createCollator(collatorDeps) : fetching(createForkCollator(collatorDeps), fork),
    withheld,
    clock,
    mempool,
    printed,
    log: deps.log,
    blockTimeMs: options.blockTimeMs,
  })
  const wallets = [...(await faucetOf(store, globalId)), ...(options.wallets ?? [])]
  const control = createControls({ store, producer, withheld, clock, mempool, printed, wallets, globalId })
  const answers = createAnswers({
    store: withheld.blocks,
    tvm: deps.tvm,
    sendMessage: producer.send,
    clock: deps.clock,
    pendingShardBlocks: withheld.newest,
  })
  const query = fork === undefined || made.fork === undefined ? answers.query : createForkQuery(answers.query, fork, made.fork)

  const syncAll = async (): Promise<void> => {
    // The chain's log refers to cells of the fork by their hashes, so these cells must be on the disk first.
    await fork?.fetched.sync()
    await store.sync()
  }
  const sync = (): void => {
    syncAll().catch((error: unknown) => deps.log.error('chain.sync_failed', { err: error }))
  }
  const syncing = directory.isPermanent ? setInterval(sync, SYNC_MS).unref() : undefined
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    clearInterval(syncing)
    await producer.close()
    if (directory.isPermanent) await syncAll()
    store.close()
    fork?.close()
    directory.release()
  }
  const first = store.head().id.seqno === 0 && !options.isStill ? producer.inject({}, new AbortController().signal) : undefined
  if (!options.isStill) producer.start()
  try {
    await first
  } catch (error) {
    await close()
    throw error
  }
  return {
    query,
    heads: store.heads,
    head: store.head,
    control,
    notes: notesOf(made),
    fork: made.fork?.network,
    trouble: store.trouble,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
