import type { Random } from '../kit/random.ts'
import { type Answer, ask, CallError, call } from '../kit/service/client.ts'
import { sleep, until } from '../kit/wait.ts'
import { type Ledger, MASTERCHAIN } from './ledger.ts'
import { addressOf, type Step, WALLETS } from './load.ts'

/* What readers of v3 and v2 look for while the chain makes blocks, goes back, and old blocks leave: answers that agree with themselves and with each other. */

interface Transaction {
  readonly hash: string
  readonly lt: string
  readonly account: string
  readonly mc_block_seqno: number
}

const fault = (text: string): Error => new Error(`mixed answer: ${text}`)

/** A list of v3, with the block that it is of and the first one that the index has. */
const list = async <T>(url: string, path: string, name: string) => {
  const answer: Answer<Record<string, T[]> & { readonly error?: string }> = await ask(`${url}/api/v3/${path}`)
  if (answer.status !== 200) throw new CallError(answer.status, `${path}: ${answer.body?.error}`)
  const header = (of: string): number => Number(answer.headers.get(of))
  return {
    body: answer.body,
    rows: answer.body[name]!,
    head: header('X-Index-Seqno'),
    first: header('X-Index-First'),
    next: answer.headers.get('X-Next-Cursor') ?? undefined,
  }
}

/** Pages of a list have the rows of one answer to all of them: none twice, none left out, in the same order. */
const pages =
  (ledger: Ledger, random: Random): Step =>
  async (url) => {
    const at = ledger.now()
    const whole = await list<Transaction>(url, 'transactions?limit=40&sort=desc', 'transactions')
    const [newest] = whole.rows
    if (newest === undefined) return
    const rows: Transaction[] = []
    let first = whole.first
    let cursor: string | undefined
    const limit = 1 + random.below(15)
    do {
      const from = cursor === undefined ? `end_lt=${newest.lt}` : `cursor=${encodeURIComponent(cursor)}&end_lt=${newest.lt}`
      const page = await list<Transaction>(url, `transactions?limit=${limit}&sort=desc&${from}`, 'transactions')
      rows.push(...page.rows)
      first = Math.max(first, page.first)
      cursor = page.next
    } while (cursor !== undefined && rows.length < whole.rows.length)
    const hashes = rows.map(({ hash }) => hash)
    if (new Set(hashes).size !== hashes.length) throw fault(`a transaction is on two pages of ${limit}: ${hashes.join(' ')}`)
    if (at !== ledger.now() || at % 2 === 1) return
    // Others can have come with the same lt, and old ones can have left meanwhile.
    const isMeant = ({ lt, mc_block_seqno }: Transaction): boolean => BigInt(lt) < BigInt(newest.lt) && mc_block_seqno >= first + 2
    const expected = whole.rows.filter(isMeant).map(({ hash }) => hash)
    const found = rows.filter(isMeant).map(({ hash }) => hash)
    if (found.slice(0, expected.length).join() !== expected.join())
      throw fault(`pages of ${limit} have ${found.length} of the ${expected.length} rows of one answer`)
  }

interface TraceNode {
  readonly tx_hash: string
  readonly children: readonly TraceNode[]
}
interface Trace {
  readonly trace_id: string
  readonly mc_seqno_end: string
  readonly trace_info: { readonly transactions: number; readonly trace_state: string }
  readonly trace: TraceNode
  readonly transactions_order: readonly string[]
  readonly transactions: Readonly<Record<string, Transaction & { readonly description: { readonly aborted?: boolean } }>>
  readonly actions: readonly { readonly type: string; readonly success: boolean; readonly transactions: readonly string[] }[]
}

const hashesIn = ({ tx_hash, children }: TraceNode): readonly string[] => [tx_hash, ...children.flatMap(hashesIn)]

/** A trace agrees with its transactions, and its actions with what became of them. */
const traces: Step = async (url) => {
  const { rows, head } = await list<Trace>(url, 'traces?limit=10&sort=desc&include_actions=true', 'traces')
  for (const { trace_id, trace, trace_info, transactions_order: order, transactions, actions, mc_seqno_end } of rows) {
    const has = (hash: string): boolean => Object.hasOwn(transactions, hash)
    const inTree = hashesIn(trace)
    const lts = order.map((hash) => BigInt(transactions[hash]?.lt ?? -1))
    const faults = [
      trace_info.transactions !== order.length && `${trace_info.transactions} transactions are counted, ${order.length} are there`,
      !order.every(has) && 'a transaction of the order is missing',
      [...inTree].sort().join() !== [...order].sort().join() && 'the tree has other transactions than the order',
      lts.some((lt, i) => i > 0 && lt < lts[i - 1]!) && `its transactions are not in the order of their lt: ${lts.join(' ')}`,
      Number(mc_seqno_end) > head && `it ends in block ${mc_seqno_end}, and the index is at ${head}`,
      Object.values(transactions).some((each) => each.mc_block_seqno > Number(mc_seqno_end)) && 'a transaction is later than its end',
      actions.some(({ transactions: of }) => !of.every(has)) && 'an action names a transaction of another trace',
      actions.some(
        ({ type, success, transactions: of }) =>
          type === 'ton_transfer' && success && of.some((hash) => transactions[hash]?.description.aborted),
      ) && 'a transfer whose transaction was aborted is shown as successful',
    ].filter(Boolean)
    if (faults.length > 0) throw fault(`trace ${trace_id}: ${faults.join('; ')}`)
  }
}

/**
 * The state of an account and the list of its transactions agree at the block of the answer. On a cluster the state may be newer by one commit; then the list shows
 * its transaction soon after.
 */
const accounts =
  (ledger: Ledger, random: Random, isCluster: boolean): Step =>
  async (url) => {
    const at = ledger.now()
    const address = addressOf(random.pick(WALLETS))
    const states = await list<{ readonly last_transaction_lt?: string }>(url, `accountStates?address=${address}`, 'accounts')
    const { rows, first } = await list<Transaction>(url, `transactions?account=${address}&limit=50&sort=desc`, 'transactions')
    const last = rows.find(({ mc_block_seqno }) => mc_block_seqno <= states.head)
    const [state] = states.rows
    if (at !== ledger.now() || at % 2 === 1 || last === undefined || last.mc_block_seqno <= first + 1) return
    const lt = state?.last_transaction_lt
    const hasCome = async (): Promise<boolean> =>
      at !== ledger.now() ||
      (await list<Transaction>(url, `transactions?account=${address}&start_lt=${lt}&end_lt=${lt}`, 'transactions')).rows.some(
        ({ mc_block_seqno }) => mc_block_seqno > states.head,
      )
    if (isCluster && BigInt(lt ?? 0) > BigInt(last.lt)) await until(hasCome, 20)
    else if (lt !== last.lt) throw fault(`${address} at block ${states.head}: its state is of lt ${lt}, its last transaction of ${last.lt}`)
  }

/** A block and its transactions come together. */
const blocks =
  (ledger: Ledger): Step =>
  async (url) => {
    const at = ledger.now()
    const newest = await list<{ readonly seqno: number; readonly tx_count: number }>(url, 'blocks?workchain=-1&sort=desc&limit=1', 'blocks')
    const [block] = newest.rows
    if (block !== undefined && block.seqno !== newest.head)
      throw fault(`the newest block is ${block.seqno}, and the index is at ${newest.head}`)
    if (block === undefined) return
    const of = `mc_seqno=${newest.head}&limit=1000`
    const all = await list<{ readonly tx_count: number }>(url, `blocks?${of}`, 'blocks')
    const { rows, first } = await list<Transaction>(url, `transactions?${of}`, 'transactions')
    if (at !== ledger.now() || at % 2 === 1 || newest.head < first + 2) return
    const counted = all.rows.reduce((sum, { tx_count }) => sum + tx_count, 0)
    if (counted !== rows.length) throw fault(`block ${newest.head} has ${counted} transactions, and ${rows.length} are listed`)
  }

/** v2 answers of a block agree: its root, a get-method and the account that it ran on, and an account that does not exist. */
const pinned =
  (ledger: Ledger, random: Random): Step =>
  async (url) => {
    const at = ledger.now()
    const { last } = await call(url, 'getMasterchainInfo', {})
    const found = await call(url, 'lookupBlock', { ...MASTERCHAIN, seqno: last.seqno })
    const address = addressOf(random.pick(WALLETS))
    const seqno = Math.max(1, last.seqno - random.below(4))
    const info = await call(url, 'getWalletInformation', { address, seqno })
    const { stack } = await call(url, 'runGetMethod', { address, seqno, method: 'seqno', stack: [] })
    const nobody = `0:${Buffer.from(random.bytes(32)).toString('hex')}`
    const none = await call(url, 'getAddressInformation', { address: nobody, seqno })
    const { rows, head, first } = await list<Transaction>(url, `transactions?account=${address}&limit=20&sort=desc`, 'transactions')
    const before = rows.find(({ mc_block_seqno }) => mc_block_seqno <= seqno)
    const isIndexed = before !== undefined && head >= seqno && before.mc_block_seqno > first + 1
    if (at !== ledger.now() || at % 2 === 1) return
    const ran = Number((stack[0] as readonly string[] | undefined)?.[1])
    const faults = [
      found.root_hash !== last.root_hash &&
        `block ${last.seqno} is ${last.root_hash} as the head, and ${found.root_hash} when it is looked up`,
      info.wallet && ran !== info.seqno && `at block ${seqno} the method says seqno ${ran}, and the account ${info.seqno}`,
      isIndexed &&
        before.lt !== info.last_transaction_id.lt &&
        `at block ${seqno} the last transaction is ${before.lt} in v3, and ${info.last_transaction_id.lt} in v2`,
      none.block_id.seqno !== seqno && `an account that does not exist at block ${seqno} is answered from block ${none.block_id.seqno}`,
    ].filter(Boolean)
    if (faults.length > 0) throw fault(faults.join('; '))
  }

/** The readers, each of which asks without pause. What is asked about a block that is undone meanwhile may be refused. */
export const createReaders = (ledger: Ledger, random: Random, isCluster: boolean): readonly Step[] =>
  [pages(ledger, random), traces, accounts(ledger, random, isCluster), blocks(ledger), pinned(ledger, random)].map(
    (step) => async (url) => {
      const at = ledger.now()
      try {
        await step(url)
      } catch (error) {
        const isUndone = at !== ledger.now() || at % 2 === 1
        if (!(error instanceof CallError && isUndone)) throw error
      }
      // Other readers and the writer are in this process too.
      await sleep(1)
    },
  )
