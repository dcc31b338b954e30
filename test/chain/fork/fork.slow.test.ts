import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import { type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import { pathOf } from '../../../server/chain/local/fork/dictionary-paths.ts'
import { createFetcher } from '../../../server/chain/local/fork/fetcher.ts'
import { createForkReads, type ForkReads } from '../../../server/chain/local/fork/reads.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { AccountInput } from '../../../server/chain/local/model.ts'
import { type AccountId, MASTERCHAIN } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { forkOf } from '../../kit/chain/fork-settings.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { messageTo, RELAY } from '../../kit/chain/small-contracts.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { countTurns } from '../../kit/turns.ts'
import { sleep } from '../../kit/wait.ts'
import { lying } from '../kit.ts'

const signal = new AbortController().signal
const TON = 1_000_000_000n
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Accounts that are neighbours in the dictionary: all have the same first 240 bits, in groups of two. */
const neighbour = (group: number, n: number): AccountId => {
  const hash = new Uint8Array(32).fill(group)
  hash[31] = n
  return { workchain: 0, hash }
}
const plain = (account: AccountId, balance = 5n * TON): AccountInput => ({ account, balance })

const HEIR = neighbour(0x31, 9)
const DESTROYED = neighbour(0x21, 1)
const SENDER = ownWallet(1)
const NOBODY = neighbour(0x51, 1)

const codeOf = (bytes: string): Cell => beginCell().storeBytes(Buffer.from(bytes, 'hex')).end()
const libraryCell = (code: Cell): Cell => beginCell().storeUint(2, 8).storeBytes(code.hash()).endExotic()
/** 77 PUSHINT, whatever the method. */
const PUSHING = codeOf('804d')
const UNNAMED = codeOf('804e')
const BY_LIBRARY = neighbour(0x91, 1)
const LOADER = neighbour(0x91, 2)
/** A masterchain account that publishes both. */
const PUBLISHER: AccountId = { workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0xee) }
const published = [PUSHING, UNNAMED].reduce<Cell | undefined>(
  (root, code) => dictSet(root, 256, BigInt(`0x${code.hashHex()}`), beginCell().storeBit(1).storeRef(code)),
  undefined,
)!

const accounts: AccountInput[] = [
  { ...plain(BY_LIBRARY), code: libraryCell(PUSHING), data: beginCell().end() },
  // DROP; LDREF; DROP; CTOS; DROP: loads the first reference of a message's body, which fails if that is a library that is not found.
  { ...plain(LOADER), code: codeOf('30d430d030'), data: beginCell().end() },
  SENDER.account,
  ...[0x21, 0x31, 0x41, 0x61, 0x71, 0x81, 0xa1].flatMap((group) => [0, 2, 0x80].map((n) => plain(neighbour(group, n)))),
  {
    ...plain(DESTROYED),
    code: RELAY,
    data: beginCell()
      .storeUint(128 + 32, 8)
      .storeRef(messageTo(HEIR))
      .end(),
  },
  plain({ workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0x77) }),
]

let tvm: Tvm
let remote: LocalChain
let remoteChain: Chain
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-fork-'))
  tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
  remote = await createTestChain(tvm, { accounts, globalId: -7 })
  await remote.control.setAccount(PUBLISHER, { balance: TON, code: PUSHING, data: beginCell().end(), library: published }, signal)
  // History before the fork.
  await remote.query('sendMessage', { body: SENDER.transfer(0, neighbour(0x61, 0), TON) }, signal)
  await remote.control.mine(3, signal)
  remoteChain = createChain({ source: remote, tvm })
})
afterAll(async () => {
  await remote?.close()
  await tvm?.close()
  rmSync(folder, { recursive: true, force: true })
})

const balanceOf = async (chain: Chain, id: AccountId): Promise<bigint> => (await chain.account(id, undefined, signal)).balance.grams

/** The other network, and a switch that makes it forget the states of its accounts. */
const createForgetful = () => {
  let forgot = false
  const source: LiteServer = {
    ...remote,
    query: (fn, args, stop) =>
      forgot && fn === 'getAccountState' ? Promise.reject(new LiteServerError(651, 'state already gc-ed')) : remote.query(fn, args, stop),
  }
  return {
    source,
    setForgotten: (is: boolean): void => {
      forgot = is
    },
  }
}

/** Asks for the oldest transactions, which only the other network has. */
const historyBefore = (local: LocalChain) =>
  local.query('getTransactions', { count: 1, account: SENDER.id, lt: 1n, hash: new Uint8Array(32) }, signal)

/** Files below a directory that this process has open; none where the system does not tell them. */
const openFilesBelow = (directory: string): readonly string[] => {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(`${directory}/`) ? [path] : []
    } catch {
      // Closed meanwhile.
      return []
    }
  })
}

/** A fork of the remote and a chain that reads it with its proofs. */
const startFork = async (options: { source?: () => LiteServer; dataDir?: string; keep?: AccountId[]; seqno?: number } = {}) => {
  const { source = () => remote, dataDir, keep = [], seqno } = options
  const local = await createTestChain(tvm, { dataDir, fork: forkOf(source, tvm, { keep, seqno }) })
  const chain = createChain({ source: local, tvm })
  return {
    local,
    chain,
    async [Symbol.asyncDispose]() {
      await local.close()
    },
  }
}

describe('a fork', () => {
  it('a fork has the accounts, the global id, the time and the lt of the other network', async () => {
    await using fork = await startFork()
    const { chain } = fork
    for (const { account } of accounts) expect(await balanceOf(chain, account)).toBe(await balanceOf(remoteChain, account))
    expect(await balanceOf(chain, NOBODY)).toBe(0n)
    const [ours, theirs] = await Promise.all(
      [chain, remoteChain].map(async (each) => each.blockHeader((await each.masterchainInfo(signal)).last, signal)),
    )
    expect(ours!.globalId).toBe(-7)
    expect(ours!.info.genUtime).toBeGreaterThanOrEqual(theirs!.info.genUtime)
    expect(ours!.info.startLt).toBeGreaterThanOrEqual(theirs!.info.endLt)
    const price = async (each: Chain) => (await each.config(undefined, signal)).param(21)!.hashHex()
    expect(await price(chain)).toBe(await price(remoteChain))
    await expect(fork.local.control.exportState(signal)).rejects.toThrow('a fork has no whole state to export')
    expect(fork.local.notes.join()).toContain('a fork of another network at block (-1,8000000000000000,')
  })

  it('accounts next to others that were never read are changed, made, deleted and bounced to', async () => {
    await using fork = await startFork()
    const { local, chain } = fork
    // Changed by a transfer that a wallet of the other network signs.
    const before = await balanceOf(chain, neighbour(0x71, 2))
    await local.query('sendMessage', { body: SENDER.transfer(1, neighbour(0x71, 2), 2n * TON) }, signal)
    await local.control.mine(1, signal)
    expect(await balanceOf(chain, neighbour(0x71, 2))).toBeGreaterThan(before + TON)
    // Made.
    await local.control.fund(neighbour(0x81, 0x81), 3n * TON, signal)
    expect(await balanceOf(chain, neighbour(0x81, 0x81))).toBe(3n * TON)
    // Deleted: its fork in the dictionary collapses onto the neighbour.
    await local.control.fund(DESTROYED, TON, signal)
    await local.control.mine(1, signal)
    expect((await chain.account(DESTROYED, undefined, signal)).account).toBeUndefined()
    expect(await balanceOf(chain, HEIR)).toBeGreaterThan(5n * TON)
    // Bounced.
    const sender = neighbour(0x61, 2)
    const sent = await balanceOf(remoteChain, sender)
    await local.control.sendInternal({ from: sender, to: NOBODY, value: 4n * TON, bounce: true }, signal)
    await local.control.mine(1, signal)
    expect(await balanceOf(chain, sender)).toBeGreaterThan(sent + 3n * TON)
    expect((await chain.account(NOBODY, undefined, signal)).account).toBeUndefined()
    // The others are what they were.
    for (const group of [0x21, 0x31, 0x41, 0xa1]) {
      expect(await balanceOf(chain, neighbour(group, 0x80))).toBe(await balanceOf(remoteChain, neighbour(group, 0x80)))
    }
    expect(await balanceOf(remoteChain, DESTROYED)).toBe(5n * TON)
  })

  it('the history of an account goes on below the fork, proven transaction by transaction', async () => {
    await using fork = await startFork()
    const { local, chain } = fork
    await local.query('sendMessage', { body: SENDER.transfer(1, neighbour(0x71, 2), TON) }, signal)
    await local.control.mine(1, signal)
    const { transactions } = await chain.transactions(SENDER.id, { from: undefined, limit: 10, toLt: 0n }, signal)
    const theirs = await remoteChain.transactions(SENDER.id, { from: undefined, limit: 10, toLt: 0n }, signal)
    expect(transactions).toHaveLength(2)
    expect(hex(transactions[1]!.hash)).toBe(hex(theirs.transactions[0]!.hash))
    const older = transactions[1]!.block
    expect((await chain.blockTransactions(older, { count: 10, after: undefined }, signal)).transactions.length).toBeGreaterThan(0)
  })

  it('local.setConfig, snapshot and revert work, and what was fetched stays', async () => {
    const asked: string[] = []
    const counting: LiteServer = {
      ...remote,
      query: (fn, args, stop) => {
        if (fn === 'getAccountState') asked.push(hex((args as { account: AccountId }).account.hash))
        return remote.query(fn, args, stop)
      },
    }
    await using fork = await startFork({ source: () => counting })
    const { local, chain } = fork
    const snapshot = await local.control.snapshot(signal)
    await local.control.setConfig(new Map([[100, beginCell().storeUint(7, 8).end()]]), signal)
    expect((await chain.config(undefined, signal)).param(100)!.slice().loadUint(8)).toBe(7)
    await local.control.fund(neighbour(0xa1, 2), TON, signal)
    await local.control.revert(snapshot, signal)
    expect(await balanceOf(chain, neighbour(0xa1, 2))).toBe(5n * TON)
    const times = asked.length
    await local.control.fund(neighbour(0xa1, 2), TON, signal)
    expect(await balanceOf(chain, neighbour(0xa1, 2))).toBe(6n * TON)
    expect(asked.length).toBe(times)
  })

  it('libraries of the other network are found by get-methods and by transactions', async () => {
    await using fork = await startFork()
    const { local, chain } = fork
    const { exitCode, stack } = await chain.runGetMethod(BY_LIBRARY, 1, [], undefined, signal)
    expect([exitCode, stack.at(-1)]).toEqual([0, { type: 'int', value: 77n }])
    // No account names this one, so it is missed while the block is made.
    const send = async (code: Cell): Promise<bigint> => {
      const before = await balanceOf(chain, LOADER)
      const body = beginCell().storeRef(libraryCell(code)).end()
      await local.control.sendInternal({ from: neighbour(0x61, 2), to: LOADER, value: TON, bounce: true, body }, signal)
      await local.control.mine(1, signal)
      return (await balanceOf(chain, LOADER)) - before
    }
    expect(await send(UNNAMED)).toBeGreaterThan(TON / 2n)
    expect(await send(codeOf('804f'))).toBeLessThan(1n)
  })

  it('a library that stands next to what was asked for is fetched when a transaction needs it', async () => {
    // A library with a reference: proofs of another key show that it is there, and leave it out.
    const deep = beginCell().storeBytes(Buffer.from('8050', 'hex')).storeRef(beginCell().storeUint(7, 8).end()).end()
    const library = dictSet(undefined, 256, BigInt(`0x${deep.hashHex()}`), beginCell().storeBit(1).storeRef(deep))
    const single = await createTestChain(tvm, { accounts, globalId: -7 })
    await single.control.setAccount(PUBLISHER, { balance: TON, code: PUSHING, data: beginCell().end(), library }, signal)
    {
      await using fork = await startFork({ source: () => single })
      const { local, chain } = fork
      const before = await balanceOf(chain, LOADER)
      const body = beginCell().storeRef(libraryCell(deep)).end()
      await local.control.sendInternal({ from: neighbour(0x61, 2), to: LOADER, value: TON, bounce: true, body }, signal)
      await local.control.mine(1, signal)
      expect(await balanceOf(chain, LOADER)).toBeGreaterThan(before + TON / 2n)
    }
    await single.close()
  })

  it('a fork at a block has what was at that block', async () => {
    await using fork = await startFork({ seqno: 1 })
    expect(await balanceOf(fork.chain, neighbour(0x61, 0))).toBe(5n * TON)
    await using newest = await startFork()
    expect(await balanceOf(newest.chain, neighbour(0x61, 0))).toBeGreaterThan(5n * TON)
  })
})

describe('a fork that is kept', () => {
  it('a fork goes on without the other network, with what was fetched', async () => {
    const dataDir = join(folder, 'kept')
    {
      await using fork = await startFork({ dataDir, keep: [neighbour(0x31, 2), SENDER.id] })
      await fork.local.control.fund(neighbour(0x21, 2), TON, signal)
    }
    const gone = (): LiteServer => {
      throw new Error('connection refused')
    }
    {
      await using fork = await startFork({ dataDir, source: gone })
      expect(await balanceOf(fork.chain, neighbour(0x21, 2))).toBe(6n * TON)
      expect(await balanceOf(fork.chain, neighbour(0x31, 2))).toBe(5n * TON)
      await fork.local.control.fund(neighbour(0x31, 2), TON, signal)
      expect(await balanceOf(fork.chain, neighbour(0x31, 2))).toBe(6n * TON)
      const text =
        /account 0:a1a1[0-9a-f]{60} was not read before, and cannot be fetched from another network at block \(-1,8000000000000000,\d+\): it cannot be reached/
      await expect(balanceOf(fork.chain, neighbour(0xa1, 0))).rejects.toThrow(text)
      await expect(fork.local.control.fund(neighbour(0xa1, 0), TON, signal)).rejects.toThrow(text)
      await fork.local.control.mine(1, signal)
      const history = historyBefore(fork.local)
      await expect(history).rejects.toBeInstanceOf(LiteServerError)
      await expect(history).rejects.toThrow('what is older than this fork cannot be read from another network: it cannot be reached')
    }
    // Without --fork it is the same chain.
    const alone = await createTestChain(tvm, { dataDir })
    const chain = createChain({ source: alone, tvm })
    expect(await balanceOf(chain, neighbour(0x31, 2))).toBe(6n * TON)
    await expect(balanceOf(chain, neighbour(0xa1, 0))).rejects.toThrow('this chain was started without --fork')
    await expect(historyBefore(alone)).rejects.toThrow('what is older than this fork cannot be read from another network: this chain was')
    await alone.close()
    {
      await using fork = await startFork({ dataDir })
      expect(await balanceOf(fork.chain, neighbour(0xa1, 0))).toBe(5n * TON)
    }
  })

  it('a directory of another chain is refused', async () => {
    const dataDir = join(folder, 'own')
    await (await createTestChain(tvm, { dataDir })).close()
    await expect(startFork({ dataDir })).rejects.toThrow('has a chain that is not a fork')
    const forked = join(folder, 'forked')
    await (await startFork({ dataDir: forked, seqno: 1 }))[Symbol.asyncDispose]()
    await expect(startFork({ dataDir: forked, seqno: 2 })).rejects.toThrow('holds a fork at block (-1,8000000000000000,1), not at 2')
    // A network may have moved, or have another path.
    await (await createTestChain(tvm, { dataDir: forked, fork: forkOf(() => remote, tvm, { network: 'elsewhere' }) })).close()
    const named = join(folder, 'named')
    await (await createTestChain(tvm, { dataDir: named, fork: forkOf(() => remote, tvm, { network: 'mainnet' }) })).close()
    const other = createTestChain(tvm, { dataDir: named, fork: forkOf(() => remote, tvm, { network: 'testnet' }) })
    await expect(other).rejects.toThrow('holds a fork of mainnet, not of testnet')
    rmSync(join(named, 'fork.cells'))
    await expect(createTestChain(tvm, { dataDir: named })).rejects.toThrow('but not what it has fetched; start it with --fork mainnet')
  })
})

describe('another network that fails', () => {
  it('a network that is away at the start ends the start, and leaves nothing behind', async () => {
    const dataDir = join(folder, 'away')
    const away = () => Promise.reject(new Error('no lite-server can be reached'))
    await expect(createTestChain(tvm, { dataDir, fork: forkOf(away, tvm) })).rejects.toThrow('no lite-server can be reached')
    expect(openFilesBelow(dataDir)).toEqual([])
    await using fork = await startFork({ dataDir })
    expect(fork.local.head!().id.seqno).toBe(1)
    if (existsSync('/proc/self/fd')) expect(openFilesBelow(dataDir)).not.toEqual([])
  })

  it('a start that is given up does not wait for the other network, and leaves nothing behind', async () => {
    const dataDir = join(folder, 'given-up')
    const giveUp = new AbortController()
    const never = () => new Promise<never>(() => {})
    const start = createTestChain(tvm, { dataDir, fork: forkOf(never, tvm) }, { signal: giveUp.signal })
    giveUp.abort(new Error('the start was given up'))
    await expect(start).rejects.toThrow('the start was given up')
    expect(openFilesBelow(dataDir)).toEqual([])
    await using fork = await startFork({ dataDir })
    expect(fork.local.head!().id.seqno).toBe(1)
  })

  it('a block whose message goes to an account that cannot be fetched fails, and the chain goes on', async () => {
    const { source, setForgotten } = createForgetful()
    await using fork = await startFork({ source: () => source })
    const { local, chain } = fork
    const relay: AccountId = { workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0x79) }
    const receiver = neighbour(0xa1, 2)
    // Mode 64: passes on the value of the message that it gets.
    const data = beginCell().storeUint(64, 8).storeRef(messageTo(receiver)).end()
    await local.control.setAccount(relay, { balance: 10n * TON, code: RELAY, data }, signal)
    await balanceOf(chain, neighbour(0x61, 2))
    setForgotten(true)
    const send = () => local.control.sendInternal({ from: neighbour(0x61, 2), to: relay, value: 2n * TON, bounce: false }, signal)
    await expect(send()).rejects.toThrow(/account 0:a1a1.* was not read before/)
    await local.control.fund(neighbour(0x61, 2), TON, signal)
    await local.control.mine(2, signal)
    setForgotten(false)
    await send()
    await local.control.mine(1, signal)
    expect(await balanceOf(chain, receiver)).toBeGreaterThan(6n * TON)
  })

  it('a network that lies about an account is not believed, and the chain goes on', async () => {
    let lies = false
    const other = neighbour(0x81, 0)
    const liar: LiteServer = {
      ...remote,
      query: async (fn, args, stop) => {
        if (!lies || fn !== 'getAccountState') return remote.query(fn, args, stop)
        const { id } = args as { id: never }
        return remote.query(fn, { id, account: other } as never, stop)
      },
    }
    await using fork = await startFork({ source: () => liar })
    const { local, chain } = fork
    lies = true
    await expect(balanceOf(chain, neighbour(0xa1, 0))).rejects.toThrow('cannot be fetched from another network')
    await expect(local.control.fund(neighbour(0xa1, 0), TON, signal)).rejects.toThrow('cannot be fetched from another network')
    lies = false
    await local.control.fund(neighbour(0xa1, 0), TON, signal)
    expect(await balanceOf(chain, neighbour(0xa1, 0))).toBe(6n * TON)
  })

  it('garbage in place of any answer ends the start with an error', async () => {
    for (const fn of ['getAccountState', 'getConfigAll', 'getAllShardsInfo', 'getLibrariesWithProof'] as const) {
      const source = lying(remote, (asked, answer) => {
        if (asked !== fn) return answer
        return Object.fromEntries(
          Object.entries(answer).map(([key, value]) => [key, value instanceof Uint8Array ? new Uint8Array(value.length).fill(7) : value]),
        ) as typeof answer
      })
      await expect(createTestChain(tvm, { fork: forkOf(() => source, tvm) }), fn).rejects.toThrow()
    }
  })

  it('a connection that does not open ends a fetch, and the next one waits for the time that is left to it', async () => {
    let open: (reads: ForkReads) => void = () => {}
    const opened = new Promise<ForkReads>((resolve) => {
      open = resolve
    })
    const { last } = await remoteChain.masterchainInfo(signal)
    const fetcher = createFetcher({
      fetched: { add: () => {} } as never,
      reads: () => opened,
      place: () => ({ network: 'another network', block: last }),
      times: { first: 20, again: 600_000 },
    })
    await expect(fetcher.fetch([pathOf(NOBODY)], signal)).rejects.toThrow(
      /account 0:5151.* cannot be fetched from another network .*: it did not answer in time$/,
    )
    const second = fetcher.fetch([pathOf(NOBODY)], signal)
    await sleep(100)
    open({ account: async () => undefined } as never)
    await second
  })

  it('an account that was fetched is searched for libraries and written in turns of their own', async () => {
    const { last } = await remoteChain.masterchainInfo(signal)
    const steps: string[] = []
    const other = (): void => void steps.push('other work')
    const fetcher = createFetcher({
      fetched: { add: () => steps.push('written') } as never,
      reads: async () =>
        ({
          async account() {
            setImmediate(other)
            return { account: beginCell().end(), found: new Map() }
          },
        }) as never,
      place: () => ({ network: 'another network', block: last }),
    })
    await fetcher.fetch([pathOf(NOBODY)], signal)
    expect(steps).toEqual(['other work', 'written'])
  })

  it('an account that is fetched is checked in one turn and copied in another', async () => {
    const { last } = await remoteChain.masterchainInfo(signal)
    const turns = countTurns()
    let answered = 0
    const query: LiteServer['query'] = async (...args) => {
      const answer = await remote.query(...args)
      answered = turns.count()
      return answer
    }
    await createForkReads({ ...remote, query }, last).account(NOBODY, signal)
    turns.stop()
    expect(turns.count()).toBeGreaterThan(answered)
  })

  it('a state that the network forgot is named with its account and block', async () => {
    const { source, setForgotten } = createForgetful()
    await using fork = await startFork({ source: () => source })
    setForgotten(true)
    await expect(balanceOf(fork.chain, neighbour(0xa1, 0))).rejects.toThrow(
      /account 0:a1a1.* at block .* state already gc-ed\. Most lite-servers keep states/,
    )
  })
})
