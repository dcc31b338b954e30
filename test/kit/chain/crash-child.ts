import { writeSync } from 'node:fs'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { createLocalChain } from '../../../server/chain/local/create.ts'
import { loadAccount } from '../../../server/tlb/state/account.ts'
import { createTvm } from '../../../server/tvm/create.ts'
import { createRandom, seed } from '../random.ts'
import { sleep } from '../wait.ts'
import { ownWallet, seqnoOf } from './own-wallet.ts'

const random = createRandom(seed)

/*
 * A chain under load that the parent kills: `node crash-child.js <data directory> <wallets>`. Writes one line to standard output for each event,
 * before it does anything else: `ack <wallet> <seqno>` for an acknowledged message, `head <seqno> <root hash>` for a received head.
 */

const [dataDir, count] = [process.argv[2]!, Number(process.argv[3])]
const say = (line: string): void => {
  writeSync(1, `${line}\n`)
}
const wallets = Array.from({ length: count }, (_, i) => ownWallet(i))
const tvm = createTvm({ workers: 1 })
const chain = await createLocalChain(
  { dataDir, blockTimeMs: 50, globalId: -3, accounts: wallets.map(({ account }) => account) },
  {
    tvm,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: (event, fields) => console.error(event, fields) },
    clock: { now: () => Math.floor(Date.now() / 1000) },
  },
)
const { signal } = new AbortController()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

let waiting: (() => void)[] = []
const nextHead = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
const follow = async (): Promise<void> => {
  for await (const { id } of chain.heads(signal)) {
    say(`head ${id.seqno} ${hex(id.rootHash)}`)
    const ready = waiting
    waiting = []
    for (const wake of ready) wake()
  }
}

const spend = async (wallet: (typeof wallets)[number], index: number): Promise<void> => {
  for (;;) {
    const { last } = await chain.query('getMasterchainInfo', {}, signal)
    const { state } = await chain.query('getAccountState', { id: last, account: wallet.id }, signal)
    const account = loadAccount(parseBocRoot(state))
    if (account?.state.type !== 'active' || !account.state.init.data) throw new Error('no wallet')
    const seqno = seqnoOf(account.state.init.data)
    try {
      await chain.query('sendMessage', { body: wallet.transfer(seqno, wallets[(index + 1) % count]!.id, 1_000_000n) }, signal)
      say(`ack ${index} ${seqno}`)
    } catch {
      // The message with this seqno has been sent already.
    }
    await nextHead()
    await sleep(random.below(20))
  }
}

await Promise.all([follow(), ...wallets.map(spend)])
