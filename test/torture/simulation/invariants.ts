import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import type { ChainTransaction } from './chain.ts'
import { inlineTvm } from './inline-tvm.ts'
import { type Rows, readRows, type TransactionRow } from './rows.ts'
import type { Call, World } from './world.ts'

/* The invariants of test/torture/invariants.md: one function each, of the same name. A function throws if its invariant does not hold. */

const broken = (text: string): never => {
  throw new Error(text)
}

const groupBy = <T>(rows: readonly T[], keyOf: (row: T) => string | number) => {
  const groups = new Map<string | number, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

/** What an invariant remembers from one step to the next. */
const remembered = <T>({ memory }: World, name: string, first: () => T): T => {
  if (!memory.has(name)) memory.set(name, first())
  return memory.get(name) as T
}

/* Of the rows, after each step in which the database may have changed. */

const headIsOfTheChain = ({ chain }: World, { head, blocks }: Rows): void => {
  if (head === undefined || head.seqno < 1) return
  const block = blocks.find(({ seqno }) => seqno === head.seqno) ?? broken(`block ${head.seqno} is published, and has no row`)
  if (chain.byRoot.get(block.root)?.seqno !== head.seqno)
    broken(`block ${head.seqno} is published as ${block.root}, which the chain never had`)
}

const headNeverGoesBack = (world: World, { head, blocks }: Rows): void => {
  const last = remembered(world, 'head', () => ({ seqno: -1, epoch: 0n, root: '' }))
  if (head === undefined) return
  const epoch = BigInt(head.epoch)
  if (epoch < last.epoch) broken(`the epoch went from ${last.epoch} to ${epoch}`)
  if (epoch === last.epoch && head.seqno < last.seqno)
    broken(`the published head went from ${last.seqno} to ${head.seqno} in epoch ${epoch}`)
  if (head.seqno < last.seqno && !world.chain.wasUndone(last.root))
    broken(`the published head went from ${last.seqno} to ${head.seqno}, and block ${last.seqno} was not undone`)
  Object.assign(last, { seqno: head.seqno, epoch, root: blocks.find(({ seqno }) => seqno === head.seqno)?.root ?? '' })
}

const checkpointIsNotBehind = (_: World, { head, checkpoint }: Rows): void => {
  if (head !== undefined && (checkpoint?.seqno ?? -1) < head.seqno)
    broken(`block ${head.seqno} is published, and the checkpoint is at ${checkpoint?.seqno}`)
}

const blockRowsAreWhole = ({ chain }: World, { blocks, checkpoint, transactions }: Rows): void => {
  if (checkpoint === undefined) return
  const bySeqno = groupBy(transactions, ({ seqno }) => seqno)
  for (const { seqno, root } of blocks) {
    if (seqno < checkpoint.first) continue
    const expected = chain.byRoot.get(root)?.transactions ?? broken(`the row of block ${seqno} has a root that the chain never had`)
    const found = new Set((bySeqno.get(seqno) ?? []).map(({ hash }) => hash))
    const missing = expected.filter(({ hash }) => !found.has(hash))
    if (missing.length > 0) broken(`block ${seqno} has no row of transaction ${missing[0]!.hash}`)
    if (found.size > expected.length)
      broken(`block ${seqno} has ${found.size} rows of transactions, and only ${expected.length} transactions`)
  }
  const all = new Set(blocks.map(({ seqno }) => seqno))
  const stray = transactions.find(({ seqno }) => seqno >= checkpoint.first && !all.has(seqno))
  if (stray !== undefined) broken(`a transaction is a row of block ${stray.seqno}, which has none`)
}

const blocksFollowEachOther = (_: World, { blocks, checkpoint }: Rows): void => {
  const kept = blocks.filter(({ seqno }) => seqno >= (checkpoint?.first ?? 0))
  kept.forEach(({ seqno }, i) => {
    if (i > 0 && seqno !== kept[i - 1]!.seqno + 1) broken(`block ${seqno} follows block ${kept[i - 1]!.seqno}`)
  })
  const last = kept.at(-1)
  if (last !== undefined && (last.seqno !== checkpoint!.seqno || last.root !== checkpoint!.root))
    broken(`the last block is ${last.seqno}, and the checkpoint says ${checkpoint!.seqno}`)
}

const byAccount = (transactions: readonly TransactionRow[]): Iterable<readonly [string | number, readonly TransactionRow[]]> =>
  groupBy(transactions, ({ account }) => account)

const logicalTimesGrow = (_: World, { transactions, checkpoint }: Rows): void => {
  for (const [account, own] of byAccount(transactions)) {
    own.forEach((each, i) => {
      const before = own[i - 1]
      if (before === undefined) return
      if (BigInt(each.lt) <= BigInt(before.lt)) broken(`two transactions of ${account} have lt ${each.lt}`)
      if (before.seqno < checkpoint!.first) return
      if (each.previous !== before.hash || each.previousLt !== before.lt)
        broken(`transaction ${each.lt} of ${account} follows ${each.previousLt}, and the row before is ${before.lt}`)
    })
  }
}

const hashesFindTransactions = (_: World, { transactions, hashes }: Rows): void => {
  const all = new Set(transactions.map(({ hash }) => hash))
  if (all.size !== transactions.length) broken('a transaction has two rows')
  const stray = hashes.find((hash) => !all.has(hash))
  if (stray !== undefined) broken(`hash ${stray} is of no transaction`)
  if (hashes.length !== all.size) broken(`${all.size} transactions have ${hashes.length} hashes`)
}

const tracesAreTrees = (_: World, { traces, transactions, checkpoint }: Rows): void => {
  const counts = groupBy(transactions, ({ trace }) => trace)
  for (const { id, nodes, edges, pending, end } of traces) {
    const own = counts.get(id) ?? []
    if (end < checkpoint!.first) continue
    if (own.length !== nodes) broken(`trace ${id} counts ${nodes} transactions, and has ${own.length}`)
    if (edges < nodes - 1 || pending < 0) broken(`trace ${id} has ${nodes} transactions, ${edges} edges and ${pending} to come`)
    if (!own.some(({ hash }) => hash === id)) broken(`trace ${id} does not have its first transaction`)
  }
  const ids = new Set(traces.map(({ id }) => id))
  const stray = transactions.find(({ trace, seqno }) => seqno >= checkpoint!.first && !ids.has(trace))
  if (stray !== undefined) broken(`transaction ${stray.hash} is of a trace without a row`)
}

const messagesArriveOnce = (_: World, { messages, transactions, checkpoint }: Rows): void => {
  const seqnos = new Map(transactions.map(({ account, lt, seqno }) => [`${account} ${lt}`, seqno]))
  const [received, sent] = [0, 1].map((direction) =>
    groupBy(
      messages.filter((each) => each.direction === direction),
      ({ hash }) => hash,
    ),
  )
  for (const [hash, rows] of received!) {
    if (rows.length > 1) broken(`message ${hash} was received ${rows.length} times`)
    const own = rows[0]!
    const seqno = seqnos.get(`${own.account} ${own.lt}`) ?? broken(`message ${hash} was received by a transaction without a row`)
    if (own.isInternal && seqno > checkpoint!.first + 1 && !sent!.has(hash)) broken(`message ${hash} was received, and nobody sent it`)
  }
  const sentTwice = [...sent!].find(([, rows]) => rows.length > 1)
  if (sentTwice !== undefined) broken(`message ${sentTwice[0]} was sent twice`)
}

const statesAreTheLatest = (_: World, { accounts, transactions }: Rows): void => {
  const states = new Map(accounts.map((each) => [each.account, each]))
  for (const [account, own] of byAccount(transactions)) {
    const last = own.at(-1)!
    const state = states.get(String(account))
    if (state === undefined) continue
    if (state.lt !== last.lt) broken(`the state of ${account} is of lt ${state.lt}, and its last transaction is ${last.lt}`)
    if (last.balance !== null && last.balance !== state.balance)
      broken(`${account} has ${state.balance}, and had ${last.balance} after its last transaction`)
  }
}

const feesAreOfTheChain = ({ chain }: World, { transactions, blocks }: Rows): void => {
  const fees = new Map(transactions.map(({ hash, fees: own }) => [hash, own]))
  for (const { root } of blocks)
    for (const each of chain.byRoot.get(root)?.transactions ?? []) {
      const own = fees.get(each.hash)
      if (own !== undefined && BigInt(own) !== each.fees) broken(`transaction ${each.hash} paid ${each.fees}, and its row says ${own}`)
    }
}

/* Of calls, after each step. */

const answeredOnce = ({ calls }: World): void => {
  const twice = calls.find(({ answers }) => answers > 1)
  if (twice !== undefined) broken(`call ${twice.number} (${twice.method}) was answered ${twice.answers} times`)
}

const KINDS = new Set([
  'INVALID_PARAMS',
  'CHAIN',
  'UNAVAILABLE',
  'SOURCE_TIMEOUT',
  'NO_WORKERS',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'TOO_LARGE',
])

/** Calls that were answered since the last step. */
const newAnswers = (world: World, name: string): readonly Call[] => {
  const done = remembered(world, name, () => new Set<number>())
  const fresh = world.calls.filter(({ number, answer }) => answer !== undefined && !done.has(number))
  for (const { number } of fresh) done.add(number)
  return fresh
}

const errorsAreTyped = (world: World): void => {
  for (const { number, method, answer } of newAnswers(world, 'errors'))
    if (answer !== undefined && 'error' in answer && !KINDS.has(answer.error.kind))
      broken(`call ${number} (${method}) failed with ${answer.error.name} ${answer.error.kind}: ${answer.error.message}`)
}

interface ListedTransaction {
  readonly hash: string
  readonly lt: string
  readonly account: string
  readonly mc_block_seqno: number
}

const listOf = <T>({ answer }: Call, name: string): readonly T[] | undefined =>
  answer !== undefined && 'body' in answer ? (answer.body as Record<string, readonly T[]>)[name] : undefined
const headOf = ({ answer }: Call): number => Number(answer?.headers['X-Index-Seqno'] ?? Number.NaN)

/** Notes the last step in which the index had a block that was undone. */
const noteUndone = (world: World, rows: Rows | undefined): void => {
  const { memory, chain, step } = world
  if (rows !== undefined) memory.set('last', rows.blocks.at(-1))
  const last = memory.get('last') as Rows['blocks'][number] | undefined
  if (last !== undefined && chain.blocks.get(last.seqno)?.root !== last.root) memory.set('undone', step)
}

/** Whether an answer is of the present chain: no block was undone while the call ran, and the index had none that was. */
const isSure = ({ chain, memory }: World, { undoneBefore, step }: Call): boolean =>
  undoneBefore === chain.undone() && step > ((memory.get('undone') as number | undefined) ?? -1)

/** The transactions of the chain that a call asks for, in the blocks from `first` to `last`. */
const expectedRows = ({ chain }: World, { params }: Call, first: number, last: number): readonly ChainTransaction[] => {
  const { account, mc_seqno } = params as { readonly account?: readonly string[]; readonly mc_seqno?: number }
  return [...chain.blocks.values()]
    .filter(({ seqno }) => seqno <= last && seqno >= first && (mc_seqno === undefined || seqno === mc_seqno))
    .flatMap(({ transactions }) => transactions)
    .filter((each) => account === undefined || account.some((name) => name.toUpperCase() === each.account))
}

const answersAgreeWithTheirHead = (world: World): void => {
  for (const call of newAnswers(world, 'lists')) {
    const rows = listOf<ListedTransaction>(call, 'transactions')
    if (rows === undefined || call.method !== 'v3.transactions' || 'cursor' in call.params) continue
    const head = headOf(call)
    const above = rows.find(({ mc_block_seqno }) => mc_block_seqno > head)
    if (above !== undefined) broken(`call ${call.number} is of block ${head}, and lists a transaction of block ${above.mc_block_seqno}`)
    const hashes = new Set(rows.map(({ hash }) => hash))
    if (hashes.size !== rows.length) broken(`call ${call.number} lists a transaction twice`)
    if (!isSure(world, call)) continue
    const first = Number(call.answer!.headers['X-Index-First'] ?? 1)
    const expected = expectedRows(world, call, first, head)
    const limit = (call.params as { readonly limit: number }).limit
    if (expected.length > limit) continue
    const missing = expected.find(({ hash }) => !hashes.has(hash))
    if (missing !== undefined) broken(`call ${call.number} is of block ${head}, and lacks transaction ${missing.hash}`)
    if (first === 1 && rows.length !== expected.length)
      broken(`call ${call.number} lists ${rows.length} transactions, and block ${head} has ${expected.length}`)
  }
}

const pagesHaveEachRowOnce = (world: World): void => {
  const { walks } = world
  const done = remembered(world, 'walks', () => new Set<unknown>())
  for (const own of walks) {
    if (!own.isOver || done.has(own)) continue
    done.add(own)
    const [first] = own.calls
    const pages = own.calls.map((call) => listOf<ListedTransaction>(call, 'transactions'))
    if (first === undefined || pages.includes(undefined) || !own.calls.every((call) => isSure(world, call))) continue
    const hashes = pages.flatMap((page) => page!.map(({ hash }) => hash))
    const found = new Set(hashes)
    if (found.size !== hashes.length) broken(`a transaction is on two pages that begin with call ${first.number}`)
    const oldest = Math.max(...own.calls.map(({ answer }) => Number(answer?.headers['X-Index-First'] ?? 1)))
    const missing = expectedRows(world, first, oldest, headOf(first)).find(({ hash }) => !found.has(hash))
    if (missing !== undefined) broken(`the pages that begin with call ${first.number} lack transaction ${missing.hash} of lt ${missing.lt}`)
  }
}

const answersNeverGoBack = (world: World): void => {
  const answered = remembered(
    world,
    'answered',
    () => [] as { readonly at: string; readonly step: number; readonly seqno: number; readonly undone: number }[],
  )
  for (const call of newAnswers(world, 'info')) {
    if (call.method !== 'v3.masterchainInfo' || call.answer === undefined || !('body' in call.answer)) continue
    const { seqno } = (call.answer.body as { readonly last: { readonly seqno: number } }).last
    const undone = world.chain.undone()
    // Calls run at the same time, and the later one may be answered first.
    const before = answered.filter((each) => each.at === call.service.name && each.step < call.step && each.undone === undone)
    const most = Math.max(-1, ...before.map((each) => each.seqno))
    if (isSure(world, call) && seqno < most)
      broken(`${call.service.name} answered block ${most}, and then block ${seqno} to call ${call.number}`)
    if (isSure(world, call)) answered.push({ at: call.service.name, step: world.step, seqno, undone })
  }
}

/* Of events, after each step. */

const eventsAreInOrder = ({ subscribers, chain }: World): void => {
  for (const { number, received, begunAfter } of subscribers) {
    let after = begunAfter()
    if (after === undefined) continue
    for (const event of received) {
      if (event.type === 'reset') after = Math.min(after, event.seqno!)
      else if (event.type === 'gap') after = event.to_seqno!
      else if (event.type === 'block') {
        const seqno = event.masterchain_seqno!
        if (seqno !== after && seqno !== after + 1) broken(`subscriber ${number} got block ${seqno} after block ${after}`)
        if (event.workchain === -1 && chain.byRoot.get(event.root_hash!)?.seqno !== seqno)
          broken(`subscriber ${number} got a block ${seqno} that the chain never had`)
        after = seqno
      } else broken(`subscriber ${number} got an event ${event.type}`)
    }
  }
}

/* When the simulation is at rest. */

const eventsAreComplete = ({ subscribers, chain }: World): void => {
  for (const { number, received, begunAfter } of subscribers) {
    const begun = begunAfter()
    if (begun === undefined) continue
    let roots: { seqno: number; root: string; blocks: number }[] = []
    const gaps: (readonly [number, number])[] = []
    let least = begun
    for (const event of received) {
      if (event.type === 'reset') {
        roots = roots.filter(({ seqno }) => seqno <= event.seqno!)
        least = Math.min(least, event.seqno!)
      } else if (event.type === 'gap') gaps.push([event.from_seqno!, event.to_seqno!])
      else if (event.type === 'block')
        roots.push({ seqno: event.masterchain_seqno!, root: event.workchain === -1 ? event.root_hash! : '', blocks: 1 })
    }
    for (const { seqno, root, blocks } of chain.blocks.values()) {
      if (seqno <= least || gaps.some(([from, to]) => seqno >= from && seqno <= to)) continue
      const own = roots.filter((each) => each.seqno === seqno)
      if (own.filter((each) => each.root === root).length !== 1 || own.length !== blocks)
        broken(`subscriber ${number} got ${own.length} of ${blocks} events of block ${seqno}`)
    }
  }
}

const acknowledgedIsInTheChain = ({ sent, chain }: World): void => {
  const received = new Set([...chain.blocks.values()].flatMap(({ transactions }) => transactions.map(({ inMessage }) => inMessage)))
  for (const { hash, undone } of sent)
    if (undone === chain.undone() && !received.has(hash)) broken(`message ${hash} was acknowledged, and is in no block`)
}

const verifyFindsNothing = async ({ chain, database }: World): Promise<void> => {
  const { source, reverts } = chain.from
  const report = await verifyIndex({ source, connection: database, tvm: inlineTvm, reverts }, new AbortController().signal)
  if (report.found > 0)
    broken(`verify finds ${report.found} differences: ${report.differences.slice(0, 5).map(formatDifference).join('; ')}`)
}

const noTransactionStaysOpen = async ({ gate }: World): Promise<void> => {
  const open = await gate.read<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and application_name = 'tonway-index'`,
  )
  if (open.length > 0) broken(`a transaction stays open after ${open[0]!.query.slice(0, 200)}`)
}

export const OF_ROWS = {
  headIsOfTheChain,
  headNeverGoesBack,
  checkpointIsNotBehind,
  blockRowsAreWhole,
  blocksFollowEachOther,
  logicalTimesGrow,
  hashesFindTransactions,
  tracesAreTrees,
  messagesArriveOnce,
  statesAreTheLatest,
  feesAreOfTheChain,
}
export const OF_CLIENTS = {
  answeredOnce,
  errorsAreTyped,
  answersAgreeWithTheirHead,
  pagesHaveEachRowOnce,
  answersNeverGoBack,
  eventsAreInOrder,
}
export const AT_REST = { eventsAreComplete, acknowledgedIsInTheChain, verifyFindsNothing, noTransactionStaysOpen }

const checking = async (name: string, check: () => void | Promise<void>): Promise<void> => {
  try {
    await check()
  } catch (error) {
    throw new Error(`${name} does not hold: ${(error as Error).stack}`)
  }
}

/** Checks what has to hold after each step. Rows are read again if they may have changed. */
export const checkStep = async (world: World): Promise<void> => {
  if (world.gate.takeChanged()) {
    const rows = await readRows(world.gate)
    noteUndone(world, rows)
    for (const [name, check] of Object.entries(OF_ROWS)) await checking(name, () => check(world, rows))
  }
  noteUndone(world, undefined)
  for (const [name, check] of Object.entries(OF_CLIENTS)) await checking(name, () => check(world))
}

/** Checks what has to hold when the faults have ended, and nothing is left to do. */
export const checkAtRest = async (world: World): Promise<void> => {
  for (const [name, check] of Object.entries(AT_REST)) await checking(name, () => check(world))
}
