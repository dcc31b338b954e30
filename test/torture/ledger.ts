import { call, isUnavailable, post, type RpcReply, rpcRequest } from '../kit/service/client.ts'
import { sleep } from '../kit/wait.ts'

/* What clients were told, and has to hold for good, whatever happens to the service meanwhile. */

/** The masterchain's shard, as parameters name it. */
export const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' }

/** A block of the masterchain, as answers name it. */
export interface Place {
  readonly seqno: number
  readonly root_hash: string
}

interface Sent {
  readonly seqno: number
  /** Its hash, in base64. */
  readonly hash: string
}

/** A part of time between two reverts. What began in another one than it ended says nothing. */
export type Moment = number

export interface Ledger {
  now(): Moment
  /** A wallet's message of a seqno was accepted. */
  accept(at: Moment, wallet: number, address: string, sent: Sent): void
  /** A block was told as the head, or as a head of the index. Throws if another block of its seqno was told before. */
  see(at: Moment, block: Place, where?: 'chain' | 'index'): void
  /** v3 told a transaction. */
  row(at: Moment, hash: string, block: number): void
  /** Does something that undoes all blocks after one. While it runs nothing that clients see counts. `gone`: the service ended before it answered. */
  revert(to: Place, work: () => Promise<'done' | 'gone'>): Promise<void>
  counts(): { readonly messages: number; readonly blocks: number; readonly rows: number; readonly reverts: number }
  /** Looks into a service that was started again. Throws if something that was told is not there. `first`: rows of older blocks may be gone. */
  check(url: string, options: { readonly index: boolean; readonly first?: number }): Promise<void>
}

/** Milliseconds that a healthy service needs much less of: what is not there then is lost. */
const PATIENCE = 60_000

/** Blocks after which an accepted message that is in none of them is lost. A healthy service puts it into the next one. */
const ENOUGH_BLOCKS = 50

/** Waits until the condition holds. It does not while the service says that it cannot answer now. Throws what `lost` says if it does not. */
export const soon = async (condition: () => Promise<boolean>, lost: () => string): Promise<void> => {
  const end = performance.now() + PATIENCE
  const holds = (): Promise<boolean> => condition().catch((error: unknown) => (isUnavailable(error) ? false : Promise.reject(error)))
  while (!(await holds())) {
    if (performance.now() > end) throw fault(lost())
    await sleep(20)
  }
}

/** What a call answers, as soon as the service can answer it. */
const inTime = async <T>(ask: () => Promise<T>): Promise<T> => {
  let answer: T | undefined
  const isAnswered = async (): Promise<boolean> => {
    answer = await ask()
    return true
  }
  await soon(isAnswered, () => 'an answer of v3')
  return answer!
}

const fault = (text: string): Error => new Error(`lost or wrong: ${text}`)

/** Root hashes of blocks by their seqnos, in one batch; undefined for those above the head. */
const rootsAt = async (url: string, seqnos: readonly number[]): Promise<(string | undefined)[]> => {
  if (seqnos.length === 0) return []
  const requests = seqnos.map((seqno, i) => rpcRequest('lookupBlock', { ...MASTERCHAIN, seqno }, i))
  const { body } = await post<RpcReply<Place>[]>(`${url}/jsonRPC`, requests)
  return seqnos.map((_, i) => body.find(({ id }) => id === i)!.result?.root_hash)
}

/** So many of the newest are looked for: older ones were looked for after earlier rounds. */
const AGAIN = 100

export const createLedger = (): Ledger => {
  let epoch = 0
  let reverts = 0
  const messages = new Map<number, { readonly address: string; readonly sent: Sent[] }>()
  const blocks = new Map<number, string>()
  const rows = new Map<string, number>()
  let indexed = 0
  /** A revert whose answer was lost: done or not. */
  let unsure: Place | undefined
  const counts = (at: Moment): boolean => at === epoch && epoch % 2 === 0
  const cut = (to: number): void => {
    reverts++
    messages.clear()
    for (const seqno of blocks.keys()) if (seqno > to) blocks.delete(seqno)
    for (const [hash, seqno] of rows) if (seqno > to) rows.delete(hash)
    indexed = Math.min(indexed, to)
  }
  const highest = (): number => Math.max(0, ...blocks.keys())
  const settle = async (url: string): Promise<void> => {
    if (unsure === undefined) return
    const top = highest()
    if (top <= unsure.seqno || (await rootsAt(url, [top]))[0] !== blocks.get(top)) cut(unsure.seqno)
    // If no message was in a block yet, nothing tells whether those that waited are undone.
    messages.clear()
    unsure = undefined
    epoch++
  }
  const checkBlocks = async (url: string): Promise<void> => {
    const { last } = await call(url, 'getMasterchainInfo', {})
    if (last.seqno < highest()) throw fault(`block ${highest()} was told, and the head is ${last.seqno}`)
    const told = [...blocks].sort(([a], [b]) => b - a).slice(0, AGAIN)
    const roots = await rootsAt(
      url,
      told.map(([seqno]) => seqno),
    )
    for (const [i, [seqno, root]] of told.entries()) if (roots[i] !== root) throw fault(`block ${seqno} was ${root}, and is ${roots[i]}`)
  }
  const checkMessages = async (url: string, index: boolean, first: number): Promise<void> => {
    const head = async (): Promise<number> => (await call(url, 'getMasterchainInfo', {})).last.seqno
    const begun = await head()
    for (const { address, sent } of messages.values()) {
      const { seqno } = sent.at(-1)!
      const lost = (): string => `message ${seqno} of ${address} was accepted, and is in no block`
      const isOver = async (): Promise<boolean> => {
        const blocks = (await head()) - begun
        const isThere = ((await call(url, 'getWalletInformation', { address })).seqno ?? 0) > seqno
        if (!isThere && blocks > ENOUGH_BLOCKS) throw fault(lost())
        return isThere
      }
      await soon(isOver, lost)
    }
    if (!index || first > 0) return
    const hashes = [...messages.values()].flatMap(({ sent }) => sent.slice(-AGAIN).map(({ hash }) => hash))
    if (hashes.length === 0) return
    const missing = async (): Promise<string[]> => {
      const { transactions } = await call(url, 'v3.transactionsByMessage', { msg_hash: hashes, limit: 1000 })
      const there = new Set(transactions.map(({ in_msg }) => in_msg?.hash))
      return hashes.filter((hash) => !there.has(hash))
    }
    let left: string[] = []
    const areThere = async (): Promise<boolean> => {
      left = await missing()
      return left.length === 0
    }
    await soon(areThere, () => `messages ${left.join(', ')} were accepted, and are in no transaction of v3`)
  }
  const checkIndex = async (url: string, first: number): Promise<void> => {
    const { last } = await inTime(() => call(url, 'v3.masterchainInfo', {}))
    if (last.seqno < indexed) throw fault(`the index had block ${indexed}, and has block ${last.seqno}`)
    const told = [...rows]
      .filter(([, block]) => block >= first)
      .slice(-AGAIN)
      .map(([hash]) => hash)
    if (told.length === 0) return
    const { transactions } = await inTime(() => call(url, 'v3.transactions', { hash: told, limit: 1000 }))
    const there = transactions.map(({ hash }) => hash).sort()
    if (there.join() !== told.sort().join()) throw fault(`transactions ${told.join(', ')} were told, and there are ${there.join(', ')}`)
  }
  return {
    now: () => epoch,
    accept(at, wallet, address, sent) {
      if (!counts(at)) return
      const of = messages.get(wallet) ?? { address, sent: [] }
      messages.set(wallet, of)
      if (sent.seqno > (of.sent.at(-1)?.seqno ?? -1)) of.sent.push(sent)
    },
    see(at, { seqno, root_hash }, where = 'chain') {
      if (!counts(at)) return
      const before = blocks.get(seqno)
      if (before !== undefined && before !== root_hash) throw fault(`block ${seqno} was ${before}, and is told as ${root_hash}`)
      blocks.set(seqno, root_hash)
      if (where === 'index') indexed = Math.max(indexed, seqno)
    },
    row(at, hash, block) {
      if (counts(at)) rows.set(hash, block)
    },
    async revert(to, work) {
      epoch++
      if ((await work()) === 'gone') {
        unsure = to
        return
      }
      cut(to.seqno)
      epoch++
    },
    counts: () => ({
      messages: [...messages.values()].reduce((sum, { sent }) => sum + sent.length, 0),
      blocks: blocks.size,
      rows: rows.size,
      reverts,
    }),
    async check(url, { index, first = 0 }) {
      await settle(url)
      await checkBlocks(url)
      if (index) await checkIndex(url, first)
      await checkMessages(url, index, first)
    },
  }
}
