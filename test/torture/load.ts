import { Address } from '@ton/core'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import { transferBody } from '../kit/chain/jetton-bodies.ts'
import { type OwnWallet, ownWallet } from '../kit/chain/own-wallet.ts'
import type { Random } from '../kit/random.ts'
import { CallError, call, isUnavailable } from '../kit/service/client.ts'
import { sleep } from '../kit/wait.ts'
import { type Ledger, MASTERCHAIN, soon } from './ledger.ts'

/* What clients do while the service is hurt. Each step is one client's; what it was told goes into the ledger. */

export const WALLETS = Array.from({ length: 6 }, (_, n) => ownWallet(n))
const OWNERS = [1, 2, 3].map((byte) => new Address(0, Buffer.alloc(32, byte)).toString())

/** The raw address of a wallet of the load. */
export const addressOf = ({ id }: OwnWallet): string => formatRaw(id, 'upper')

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const boc = (cell: Cell): string => base64(serializeBoc(cell))

/** What one client does again and again, at the service of a URL. */
export type Step = (url: string) => Promise<void>

/** Whether a call ended because the service is gone. */
export const isGone = (error: unknown): boolean =>
  error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')

/** Runs each step again and again until the service is gone. What ends otherwise is thrown. */
export const untilGone = async (url: string, steps: readonly Step[]): Promise<void> => {
  const forever = async (step: Step): Promise<void> => {
    for (;;) await step(url)
  }
  for (const end of await Promise.allSettled(steps.map(forever))) if (end.status === 'rejected' && !isGone(end.reason)) throw end.reason
}

/** Runs each step again and again until the signal. `isExpected`: what a client may meet meanwhile. */
export const untilOver = async (
  url: () => string,
  steps: readonly Step[],
  signal: AbortSignal,
  isExpected: (error: unknown) => boolean,
): Promise<void> => {
  const again = async (step: Step): Promise<void> => {
    while (!signal.aborted) {
      try {
        await step(url())
      } catch (error) {
        if (!isExpected(error)) throw error
        await sleep(20)
      }
    }
  }
  await Promise.all(steps.map(again))
}

/** Puts the wallets of the load into a new chain. */
export const setUpWallets = async (url: string): Promise<void> => {
  for (const { account } of WALLETS) {
    const state = { balance: account.balance!.toString(), code: boc(account.code!), data: boc(account.data!) }
    await call(url, 'local.setAccount', { address: formatRaw(account.account, 'upper'), ...state })
  }
}

/** Spends from a wallet and looks at the head. */
export const createSpender = (ledger: Ledger, random: Random, n: number): Step => {
  const wallet = WALLETS[n]!
  const address = addressOf(wallet)
  return async (url) => {
    const at = ledger.now()
    const seqno = (await call(url, 'getWalletInformation', { address })).seqno ?? 0
    const message = wallet.transfer(seqno, WALLETS[(n + 1) % WALLETS.length]!.id, 1_000_000n)
    // A message of this seqno may be on its way already: it is the same one, and acknowledged again, or its seqno is over.
    const isSent = await call(url, 'sendBoc', { boc: base64(message) }).then(
      () => true,
      (error: Error) => {
        if (!error.message.startsWith('LITE_SERVER_UNKNOWN')) throw error
        return false
      },
    )
    if (isSent) ledger.accept(at, n, address, { seqno, hash: base64(parseBocRoot(message).hash()) })
    ledger.see(at, (await call(url, 'getMasterchainInfo', {})).last)
    await sleep(random.below(20))
  }
}

/** Reads the newest of v3. What is there now has to be there later. */
export const createReader = (ledger: Ledger, random: Random): Step => {
  let head = 0
  let epoch = ledger.now()
  return async (url) => {
    const at = ledger.now()
    if (at !== epoch) head = 0
    epoch = at
    try {
      const { last } = await call(url, 'v3.masterchainInfo', {})
      if (at === ledger.now() && at % 2 === 0) {
        if (last.seqno < head) throw new Error(`the head of v3 went back from ${head} to ${last.seqno}`)
        head = last.seqno
      }
      ledger.see(at, last, 'index')
      const { transactions } = await call(url, 'v3.transactions', { limit: 20, sort: 'desc' })
      const hashes = new Set(transactions.map(({ hash }) => hash))
      if (hashes.size !== transactions.length) throw new Error('v3 told a transaction twice in one list')
      for (const { hash, mc_block_seqno } of transactions) ledger.row(at, hash, mc_block_seqno)
    } catch (error) {
      // The index says so until it has its first block.
      if (!isUnavailable(error)) throw error
    }
    await sleep(10 + random.below(20))
  }
}

/** A transfer of one unit, in its owner's name. */
const tokenTransfer = (to: string, from: string): string =>
  base64(transferBody({ amount: 1n, to: Address.parse(to), response: Address.parse(from) }).toBoc())

export interface Tokens {
  readonly steps: readonly Step[]
  /** Throws if the rows of tokens are not those of what was minted and sent. `lost`: how many calls may have been done without their answer. */
  check(url: string, lost: number): Promise<void>
}

/** Makes a jetton and a collection, and mints and moves tokens of them. */
export const createTokens = async (url: string): Promise<Tokens> => {
  const { address: jetton } = await call(url, 'local.deployJetton', { symbol: 'ACRN' })
  const { address: collection } = await call(url, 'local.deployCollection', { name: 'Leaves' })
  const sums = { units: 0n, items: 0, transfers: 0 }
  const step =
    (n: number): Step =>
    async (at) => {
      const owner = OWNERS[n]!
      const { address } = await call(at, 'local.mintJetton', { jetton, owner, amount: '5' })
      sums.units += 5n
      const to = OWNERS[(n + 1) % OWNERS.length]!
      await call(at, 'local.sendInternal', { from: owner, to: address, value: '200000000', body: tokenTransfer(to, owner) })
      sums.transfers++
      if (n > 0) return
      await call(at, 'local.mintNft', { collection, owner, name: `Leaf ${sums.items}` })
      sums.items++
    }
  return {
    steps: OWNERS.map((_, n) => step(n)),
    async check(at, lost) {
      const [master] = (await call(at, 'v3.jetton.masters', { address: [jetton] })).jetton_masters
      const supply = BigInt(master!.total_supply)
      const wallets = (await call(at, 'v3.jetton.wallets', { jetton_address: [jetton] })).jetton_wallets
      const { jetton_transfers } = await call(at, 'v3.jetton.transfers', { jetton_master: jetton, limit: 1000 })
      const { nft_items } = await call(at, 'v3.nft.items', { collection_address: [collection], limit: 1000 })
      const faults = [
        wallets.reduce((sum, { balance }) => sum + BigInt(balance), 0n) !== supply && 'balances are not the supply',
        (supply < sums.units || supply > sums.units + 5n * BigInt(lost)) && `${sums.units} units were minted, and ${supply} are there`,
        jetton_transfers.length < Math.min(1000, sums.transfers) && `${sums.transfers} transfers, and ${jetton_transfers.length} in v3`,
        nft_items.length < Math.min(1000, sums.items) && `${sums.items} items, and ${nft_items.length} in v3`,
        new Set(nft_items.map(({ index }) => index)).size !== nft_items.length && 'an item is told twice',
      ].filter(Boolean)
      if (faults.length > 0) throw new Error(`tokens: ${faults.join('; ')}`)
    },
  }
}

/** Waits until v3 has the chain's newest block. */
export const untilIndexed = async (url: string): Promise<void> => {
  const { last } = await call(url, 'getMasterchainInfo', {})
  const indexed = (): Promise<number> =>
    call(url, 'v3.masterchainInfo', {}).then(
      (info) => info.last.seqno,
      () => 0,
    )
  await soon(
    async () => (await indexed()) >= last.seqno,
    () => `block ${last.seqno}, which v3 does not have`,
  )
}

/** The result of a call; undefined if the service refuses it. */
const orRefused = async <T>(result: Promise<T>): Promise<T | undefined> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof CallError) return undefined
    throw error
  }
}

/**
 * The newest block of v3 if it is one of the chain, and -1 otherwise: after a revert it is not, until the index has gone back too. Then the blocks before it are
 * those of the chain too, because each names the one before it.
 */
const commonHead = async (url: string): Promise<number> => {
  const info = await orRefused(call(url, 'v3.masterchainInfo', {}))
  if (info === undefined) return -1
  const { seqno, root_hash } = info.last
  return (await orRefused(call(url, 'lookupBlock', { ...MASTERCHAIN, seqno })))?.root_hash === root_hash ? seqno : -1
}

/** Waits until v3 has no block any more that the chain has undone. */
export const untilUndone = (url: string): Promise<void> =>
  soon(
    async () => (await commonHead(url)) >= 0,
    () => 'a revert, whose blocks the index still has',
  )

/**
 * Waits until v3 has a block that was made after a revert. Before that, the index can still write blocks that it read before the revert. Blocks that were made
 * again within the same second, of the same messages, equal those, so this one has a message of its own.
 */
const untilFollowed = async (url: string, random: Random): Promise<void> => {
  const { block } = await call(url, 'local.fund', {
    address: addressOf(WALLETS[0]!),
    amount: String(1_000_000 + random.below(1_000_000_000)),
  })
  await soon(
    async () => (await commonHead(url)) >= block.seqno,
    () => `block ${block.seqno}, which was made after a revert, and which v3 does not have`,
  )
}

/** Sends a transfer to an account that does not exist, which comes back, so that there are failed actions too. */
export const createFailing =
  (random: Random): Step =>
  async (url) => {
    const to = `0:${Buffer.from(random.bytes(32)).toString('hex')}`
    await call(url, 'local.sendInternal', { from: OWNERS[0]!, to, amount: '1000000000' })
    await sleep(50)
  }

/** A block after a revert is the one that the index has, whatever was told of its seqno before. */
const checkRemade = async (url: string, seqno: number): Promise<void> => {
  const { last } = await call(url, 'getMasterchainInfo', {})
  if (last.seqno < seqno) await call(url, 'local.mine', { count: seqno - last.seqno })
  // One look for both: an index that was behind when the chain went back has blocks enough that it had read before, then goes back, and has too few.
  await soon(
    async () => (await commonHead(url)) >= seqno,
    () => `block ${seqno}, which was made again after a revert, and which v3 does not have`,
  )
  const [row] = (await call(url, 'v3.blocks', { workchain: -1, seqno, limit: 1 })).blocks
  const { root_hash } = await call(url, 'lookupBlock', { ...MASTERCHAIN, seqno })
  if (row?.root_hash !== root_hash) throw new Error(`after a revert block ${seqno} is ${row?.root_hash} in v3, and ${root_hash} in v2`)
}

/** Marks a place, lets blocks be made, and goes back there. `looks`: blocks are made again and looked at. */
export const createReverter =
  (ledger: Ledger, random: Random, looks = false): Step =>
  async (url) => {
    const at = ledger.now()
    const { last } = await call(url, 'getMasterchainInfo', {})
    const { snapshot } = await call(url, 'local.snapshot', {})
    await sleep(random.below(400))
    if (at !== ledger.now()) return
    const undone = looks ? (await call(url, 'getMasterchainInfo', {})).last.seqno : 0
    if (looks) await call(url, 'lookupBlock', { ...MASTERCHAIN, seqno: undone })
    await ledger.revert(last, async () => {
      try {
        await call(url, 'local.revert', { snapshot })
        if (looks) await checkRemade(url, undone)
        await untilFollowed(url, random)
        return 'done'
      } catch (error) {
        if (isGone(error)) return 'gone'
        throw error
      }
    })
  }
