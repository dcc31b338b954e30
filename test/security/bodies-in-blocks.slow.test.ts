import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { rows } from '../../server/protocols/index.ts'
import { bodyMaker } from '../decode/arbitrary.ts'
import { fullDict, hostileCell, hostileDict } from '../kit/hostile-cells.ts'
import { createRandom, type Random, seed } from '../kit/random.ts'
import { serviceOfFile } from '../kit/service/process.ts'
import { sleep, until } from '../kit/wait.ts'

/* A contract sends messages whose bodies, StateInits and extra currencies are bombs. They are in blocks, so the index reads them, and v2 and v3 show them. */

const folder = mkdtempSync(join(tmpdir(), 'tonway-turns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'longest')
/** Only Linux says how long a thread was on a processor. */
const meter = { LONGEST_TURN: file, NODE_OPTIONS: `--import=${new URL('longest-turn.mjs', import.meta.url)}` }
const service = serviceOfFile(existsSync('/proc/self/schedstat') ? meter : {})

/** Milliseconds of processor time of the longest turn since the last call. The index works in the main thread too. */
const longestTurn = async (): Promise<number> => {
  if (!existsSync('/proc/self/schedstat')) return 1
  process.kill(service.pid, 'SIGUSR2')
  const written = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  await until(() => written().endsWith('ms'))
  const longest = Number.parseInt(written(), 10)
  rmSync(file)
  return longest
}

/** A far longer time than an answer takes on a busy machine, and far shorter than a walk over 2^32 paths. */
const DEADLINE = 30_000

const call = async <T>(method: string, params: unknown): Promise<T> => {
  const reply = await fetch(`${service.url}/jsonRPC`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(DEADLINE),
  })
  const { result, error } = (await reply.json()) as { readonly result?: T; readonly error?: unknown }
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error).slice(0, 300)}`)
  return result
}

/** Calls /health until it is stopped; gives the number of answers. Any other answer, and none within the deadline, rejects. */
const watchHealth = (): (() => Promise<number>) => {
  let isOver = false
  const watch = async (): Promise<number> => {
    let answers = 0
    while (!isOver) {
      const reply = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(DEADLINE) })
      expect(reply.status).toBe(200)
      await reply.text()
      answers++
      // Without a pause, this would take more of the processor than what it watches.
      await sleep(50)
    }
    return answers
  }
  const watched = watch()
  // It is awaited at the end; a rejection before that is not unhandled.
  watched.catch(() => undefined)
  return async () => {
    isOver = true
    return await watched
  }
}

const text = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const raw = (byte: number): string => `0:${byte.toString(16).repeat(32)}`
const [STRANGER, SENDER, RECEIVER] = [0xbb, 0xa1, 0xa2]
const storedAddress = (byte: number): Cell =>
  beginCell().storeUint(0b100, 3).storeUint(0, 8).storeBytes(new Uint8Array(32).fill(byte)).end()

/** DROP (the selector), LDREF, DROP, 1 PUSHINT, SENDRAWMSG: sends the message in the reference of its body, and pays for it apart. */
const FORWARDER = beginCell().storeBytes(Buffer.from('30d43071fb00', 'hex')).end()
/** Takes everything. */
const SINK = beginCell().storeBytes(Buffer.from('30', 'hex')).end()

/** A message of the forwarder. A third of them deploy cells that nobody can walk, with as many libraries as a StateInit may have. */
const messageOf = (body: Cell, random: Random): Cell => {
  const b = beginCell().storeUint(0b011000, 6).storeSlice(storedAddress(RECEIVER).slice())
  b.storeCoins(10_000_000n).storeUint(0, 1 + 4 + 4 + 64 + 32)
  if (!random.chance(0.3)) return b.storeUint(0b01, 2).storeRef(body).end()
  const library = fullDict(256, { value: beginCell().storeBit(0).storeRef(SINK).end() }, random.below(9))
  const init = beginCell().storeUint(0b0011, 4).storeRef(hostileCell(random)).storeRef(hostileCell(random)).storeMaybeRef(library).end()
  return b.storeUint(0b11, 2).storeRef(init).storeBit(1).storeRef(body).end()
}

interface Listed {
  readonly transactions: readonly { readonly account: string }[]
}

/** Ten times what it takes here on a slow machine, and far less than the ten seconds after which the service ends itself. */
const MOST_MS = 700

describe('bombs in blocks', () => {
  it('messages with bombs of every line of the catalogue are indexed and shown while the service answers', async () => {
    const random = createRandom(seed)
    const parts = {
      payload: () => hostileCell(random),
      dictionary: (width: number, value: Cell) => hostileDict(random, width, { value }),
    }
    const make = bodyMaker(rows, random.below, parts)
    for (const [byte, code] of [
      [SENDER, FORWARDER],
      [RECEIVER, SINK],
    ] as const)
      await call('local.setAccount', { address: raw(byte), balance: '1000000000000', code: text(code), data: text(SINK) })

    const stop = watchHealth()
    // The start loads all code in a few turns.
    await longestTurn()
    let sent = 0
    for (const row of rows) {
      if (typeof row.kind !== 'string') continue
      const body = make(row)
      if (body === undefined) continue
      let message: string
      try {
        message = text(beginCell().storeRef(messageOf(body, random)).end())
      } catch (error) {
        // Too deep for one more cell above it.
        if (error instanceof CellError) continue
        throw error
      }
      // What the chain refuses, such as a message of too many cells, is refused by an error of its own.
      const refused = await call('local.sendInternal', {
        from: raw(STRANGER),
        to: raw(SENDER),
        amount: '1000000000',
        bounce: false,
        body: message,
      }).then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect(refused ?? '').not.toMatch(/INTERNAL|-32603/)
      if (refused === undefined) sent++
    }
    expect(sent).toBeGreaterThan(300)

    // Each of them is in the index, and some of their bombs have come to the receiver.
    const hasTransactions = async (account: string, count: number): Promise<boolean> => {
      const { transactions } = await call<Listed>('v3.transactions', { account: [account], limit: 1, offset: count - 1 })
      return transactions.length === 1
    }
    await until(() => hasTransactions(raw(SENDER), sent))
    expect(await hasTransactions(raw(RECEIVER), Math.floor(sent / 10))).toBe(true)

    for (const account of [raw(SENDER), raw(RECEIVER)]) {
      for (const method of ['v3.actions', 'v3.traces', 'v3.messages']) {
        const filter = method === 'v3.messages' ? { destination: account } : { account }
        expect(await call(method, { ...filter, limit: 30, ...(method === 'v3.traces' && { include_actions: true }) })).toBeDefined()
      }
      expect(await call('getTransactions', { address: account, limit: 30 })).toBeDefined()
      expect(await call('getExtendedAddressInformation', { address: account })).toBeDefined()
    }
    expect(await stop()).toBeGreaterThan(10)
    const longest = await longestTurn()
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeLessThan(MOST_MS)
  }, 900_000)
})
