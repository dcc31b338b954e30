import { broken, remembered } from './broken.ts'
import type { ChainTransaction } from './chain.ts'
import type { Rows } from './rows.ts'
import type { Call, World } from './world.ts'

/* The invariants of what clients get: answers and events. They are checked after each step. */

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
export const noteUndone = (world: World, rows: Rows | undefined): void => {
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

const validKeysAreAdmitted = ({ shown, keys }: World): void => {
  const refused = shown.find(({ key, answer }) => answer === 'UNAUTHORIZED' && key.revoked === 'no')
  if (refused !== undefined) broken(`key ${keys.indexOf(refused.key)} is refused at ${refused.service.name}, and nobody has revoked it`)
}

export const OF_CLIENTS = {
  answeredOnce,
  errorsAreTyped,
  answersAgreeWithTheirHead,
  pagesHaveEachRowOnce,
  answersNeverGoBack,
  eventsAreInOrder,
  validKeysAreAdmitted,
}
