import { broken, remembered } from './broken.ts'
import type { Rows, TransactionRow } from './rows.ts'
import type { World } from './world.ts'

/* The invariants of the rows. They are checked after each step in which the database may have changed. Each function throws if its invariant does not hold. */

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
