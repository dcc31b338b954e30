import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Log } from '../../../server/base/log.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createChainClock } from '../../../server/chain/local/chain-clock.ts'
import { createMempool } from '../../../server/chain/local/mempool.ts'
import type { Collator, Step, StepInput } from '../../../server/chain/local/model.ts'
import { createPrinted } from '../../../server/chain/local/produce/debug-output.ts'
import { createWithheldSteps } from '../../../server/chain/local/produce/withheld-steps.ts'
import { createProducer } from '../../../server/chain/local/producer.ts'
import { readExternal } from '../../../server/chain/local/read-external.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { handMadeGenesis, handMadeStep } from '../../kit/chain/hand-made.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { sleep, until } from '../../kit/wait.ts'

/* The producer on a real store and mempool, with a collator whose failures can be ordered. */

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const { signal } = new AbortController()
let made = 0

const wallets = Array.from({ length: 12 }, (_, i) => ownWallet(i))
const messageOf = (i: number, seqno = 0): Uint8Array => wallets[i]!.transfer(seqno, wallets[i]!.id, 1n)
const keyOf = (i: number): string => parseBocRoot(messageOf(i)).hashKey()

/** `plan` says what becomes of a step: it may throw, wait, or change the outcome. */
const start = async (
  plan: (input: StepInput, n: number) => Promise<Partial<Step>> | Partial<Step>,
  options: { blockTimeMs?: number; mempool?: number; check?: Collator['check'] } = {},
) => {
  const path = join(root, `${made++}`)
  const store = await openChainStore({ log: `${path}.log`, index: `${path}.idx` }, async () => ({ genesis: handMadeGenesis(), text: '{}' }))
  const steps: StepInput[] = []
  const collator: Collator = {
    step: async (tip, input) => {
      const outcome = await plan(input, steps.length)
      steps.push(input)
      return { ...handMadeStep(tip, { shard: tip.shard.state, master: tip.master.state }), ...outcome }
    },
    check: options.check ?? (async () => ({ ok: true })),
  }
  const errors: string[] = []
  const infos: string[] = []
  const warnings: Parameters<Log['warn']>[] = []
  const mempool = createMempool(options.mempool ?? 100, (at) => readExternal(store.message(at).boc))
  const producer = createProducer({
    store,
    collator,
    withheld: createWithheldSteps(store),
    mempool,
    printed: createPrinted(),
    clock: createChainClock(() => 1_700_000_000),
    log: {
      debug: () => {},
      info: (event) => infos.push(event),
      warn: (...line) => warnings.push(line),
      error: (event) => errors.push(event),
    },
    blockTimeMs: options.blockTimeMs ?? 0,
  })
  const idle = async (): Promise<void> => {
    await until(() => mempool.size() === 0, 1)
    await producer.between(() => {}, signal)
  }
  const close = async (): Promise<void> => {
    await producer.close()
    store.close()
  }
  return { store, mempool, producer, steps, errors, infos, warnings, idle, close }
}
/** The seqno of a v4R2 wallet's message, after its signature, subwallet and time limit. */
const parsedSeqno = (message: Cell): number =>
  message
    .ref(0)
    .slice()
    .skip(512 + 64)
    .loadUint(32)
const taken = (steps: readonly StepInput[]): string[] => steps.flatMap(({ externals }) => externals.map(({ message }) => message.hashKey()))
const gate = () => {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

describe('the producer', () => {
  it('messages that come during a step go together into the next one', async () => {
    const { open, passed } = gate()
    const chain = await start(async (_, n) => {
      if (n === 0) await passed
      return {}
    })
    chain.producer.start()
    for (let i = 0; i < 5; i++) await chain.producer.send(messageOf(i), signal)
    open()
    await chain.idle()
    expect(chain.steps.map(({ externals }) => externals.length)).toEqual([0, 5])
    await chain.close()
  })

  it('the producer takes a message once, and says when it has no room', async () => {
    const chain = await start(() => ({}), { mempool: 2 })
    for (const i of [0, 0, 1, 0]) await chain.producer.send(messageOf(i), signal)
    expect(chain.mempool.size()).toBe(2)
    await expect(chain.producer.send(messageOf(2), signal)).rejects.toMatchObject({
      code: 0,
      message: 'cannot apply external message to current state : too many external messages wait for a block',
    })
    chain.producer.start()
    await chain.idle()
    await chain.producer.send(messageOf(2), signal)
    await chain.idle()
    expect(taken(chain.steps)).toEqual([0, 1, 2].map(keyOf))
    await chain.close()
  })

  it('messages that wait in great number are read from the log again, in their order', async () => {
    const many = 600
    const [sender] = wallets
    const chain = await start(() => ({}), { mempool: many })
    const messages = Array.from({ length: many }, (_, n) => sender!.transfer(n, sender!.id, 1n))
    for (const message of messages) await chain.producer.send(message, signal)
    const keys = messages.map((message) => parseBocRoot(message).hashKey())
    expect(chain.mempool.waitingFor(sender!.id).map(({ message }) => message.hashKey())).toEqual(keys)
    for (const { dest } of chain.mempool.take(many, Date.now())) expect(dest).toEqual(sender!.id)
    chain.producer.start()
    await chain.idle()
    expect(taken(chain.steps)).toEqual(keys)
    expect(chain.mempool.waitingFor(sender!.id)).toEqual([])
    await chain.close()
  })

  it('a message is checked after one that gets into a block during the check', async () => {
    const first = keyOf(0)
    const second = messageOf(0, 1)
    const { open, passed } = gate()
    // As a wallet's second message, which is refused before the first.
    const chain = await start(() => ({}), {
      check: async (_tip, message, _utime, _signal, earlier = []) => {
        if (message.hashKey() === first || earlier.some((each) => each.message.hashKey() === first)) return { ok: true }
        await passed
        return { ok: false, error: 'too early' }
      },
    })
    await chain.producer.send(messageOf(0), signal)
    const sent = chain.producer.send(second, signal)
    chain.producer.start()
    await until(() => taken(chain.steps).includes(first), 1)
    open()
    await sent
    await chain.idle()
    expect(taken(chain.steps)).toEqual([first, parseBocRoot(second).hashKey()])
    await chain.close()
  })

  it('behind 32 messages to its account a message has to be accepted on the newest block', async () => {
    const [sender] = wallets
    const asked: number[] = []
    const chain = await start(() => ({}), {
      check: async (_tip, message, _utime, _signal, earlier) => {
        if (earlier !== undefined) asked.push(earlier.length)
        return parsedSeqno(message) === 0 || earlier !== undefined ? { ok: true } : { ok: false, error: 'exitcode=33' }
      },
    })
    const send = (seqno: number) => chain.producer.send(sender!.transfer(seqno, sender!.id, 1n), signal)
    for (let seqno = 0; seqno <= 32; seqno++) await send(seqno)
    expect(asked).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
    await expect(send(33)).rejects.toThrow(
      'exitcode=33\nit was checked without the messages that wait for this account, because more than 32 do',
    )
    expect(asked).toHaveLength(32)
    await chain.close()
  })

  it('who follows a message learns when it is in a block, and why it will be in none', async () => {
    const chain = await start((input) => ({
      postponed: input.externals.flatMap(({ message }, i) => (message.hashKey() === keyOf(2) && input.externals.length > 1 ? [i] : [])),
      refused: input.externals.flatMap(({ message }, index) => (message.hashKey() === keyOf(1) ? [{ index, error: 'exitcode=33' }] : [])),
    }))
    const arrived: number[] = []
    const blocks = Promise.allSettled([0, 1, 2].map((i) => chain.producer.arrival(keyOf(i), signal).then(() => arrived.push(i))))
    for (const i of [0, 1, 2]) await chain.producer.send(messageOf(i), signal)
    chain.producer.start()
    const text = 'the message was accepted, but is in no block: before its turn came, the account changed and refused it: exitcode=33'
    expect(await blocks).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { kind: 'CHAIN', message: text } },
      { status: 'fulfilled' },
    ])
    // The message of the second block was postponed by the first.
    expect(arrived).toEqual([0, 2])
    expect(chain.steps).toHaveLength(2)
    await chain.close()
  })

  it('messages that no block took for ten minutes are dropped, with one line of the log for all', async () => {
    const chain = await start(() => ({}))
    const arrivals = Promise.allSettled([0, 1].map((i) => chain.producer.arrival(keyOf(i), signal)))
    const externals = [0, 1].map((i) => readExternal(messageOf(i)))
    for (const external of externals) chain.mempool.add({ ...external, bytes: 1, acceptedAt: Date.now() - 600_001, at: 0 })
    chain.producer.start()
    const reason = { message: 'the message was accepted, but is in no block: it was dropped after 10 minutes' }
    expect(await arrivals).toMatchObject([{ reason }, { reason }])
    expect(chain.warnings).toEqual([['chain.messages_expired', { messages: 2, dest: externals[0]!.dest }]])
    expect(chain.mempool.size()).toBe(0)
    await chain.close()
  })

  it('nobody waits for a block while automine is off, after a revert, and once the chain is closed', async () => {
    const chain = await start(() => ({}))
    const off = chain.producer.arrival(keyOf(0), signal)
    chain.producer.setAutomine(false)
    await off
    await chain.producer.arrival(keyOf(0), signal)
    chain.producer.setAutomine(true)
    const reverted = expect(chain.producer.arrival(keyOf(0), signal)).rejects.toThrow('is in no block: the chain was reverted meanwhile')
    chain.producer.reverted(false)
    await reverted
    const left = chain.producer.arrival(keyOf(0), AbortSignal.abort(new Error('gone')))
    await expect(left).rejects.toThrow('gone')
    const closed = expect(chain.producer.arrival(keyOf(0), signal)).rejects.toThrow('the chain is closed')
    await chain.close()
    await closed
  })

  it('the producer offers postponed messages again, in their order', async () => {
    const chain = await start((input, n) => ({ postponed: n === 0 ? input.externals.map((_, i) => i).filter((i) => i !== 1) : [] }))
    for (let i = 0; i < 4; i++) await chain.producer.send(messageOf(i), signal)
    chain.producer.start()
    await chain.idle()
    expect(chain.steps.map(({ externals }) => externals.map(({ message }) => message.hashKey()))).toEqual([
      [0, 1, 2, 3].map(keyOf),
      [0, 2, 3].map(keyOf),
    ])
    await chain.close()
  })

  it('the producer finds the message on which blocks fail, includes the others, and tries that one again later', async () => {
    const poison = keyOf(5)
    let broken = true
    const chain = await start((input) => {
      if (broken && input.externals.some(({ message }) => message.hashKey() === poison)) throw new Error('this one')
      return {}
    })
    for (let i = 0; i < 12; i++) await chain.producer.send(messageOf(i), signal)
    chain.producer.start()
    await until(() => chain.mempool.size() <= 1, 1)
    const others = Array.from({ length: 12 }, (_, i) => keyOf(i)).filter((key) => key !== poison)
    expect(taken(chain.steps).sort()).toEqual([...others].sort())
    // It was accepted, so it is not lost: what was in its way may be gone.
    broken = false
    await chain.idle()
    expect(taken(chain.steps).at(-1)).toBe(poison)
    await chain.close()
  })

  it('an impossible injection fails alone, without its neighbours and the messages', async () => {
    const chain = await start((input) => {
      if (input.internals.some(({ value }) => value === 13n)) throw new RangeError('unlucky')
      return {}
    })
    await chain.producer.send(messageOf(0), signal)
    const inject = (value: bigint) => chain.producer.inject({ internals: [{ from: wallets[0]!.id, to: wallets[1]!.id, value }] }, signal)
    const results = Promise.allSettled([inject(1n), inject(13n), inject(2n)])
    chain.producer.start()
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await chain.idle()
    expect(chain.steps.flatMap(({ internals }) => internals.map(({ value }) => value))).toEqual([1n, 2n])
    expect(taken(chain.steps)).toEqual([keyOf(0)])
    // Its caller gets the error, so the log has none.
    expect(chain.errors).toEqual([])
    await chain.close()
  })

  it('the producer keeps the messages of a step that could not be written', async () => {
    const chain = await start(() => ({}))
    const { appendStep } = chain.store
    chain.store.appendStep = () => {
      throw new Error('ENOSPC: no space left on device')
    }
    for (const i of [0, 1]) await chain.producer.send(messageOf(i), signal)
    chain.producer.start()
    await expect(chain.producer.inject({}, signal)).rejects.toThrow('ENOSPC')
    expect(chain.errors).toContain('chain.write_failed')
    await expect(chain.producer.inject({}, signal)).rejects.toThrow('ENOSPC')
    expect(chain.errors).toEqual(['chain.write_failed'])
    expect(chain.mempool.size()).toBe(2)
    chain.store.appendStep = appendStep
    await chain.idle()
    expect(chain.steps.at(-1)?.externals.length).toBe(2)
    expect(chain.store.head().id.seqno).toBe(1)
    expect(chain.infos).toEqual(['chain.write_restored'])
    await chain.close()
  })

  it('the producer makes steps by itself while something is unfinished, then rests', async () => {
    const chain = await start((_, n) => ({ pending: n < 4 }))
    chain.producer.start()
    await until(() => chain.steps.length >= 5, 1)
    await sleep(30)
    expect(chain.steps.length).toBe(5)
    await chain.close()
  })

  it('the producer makes idle steps when it has a block time', async () => {
    const chain = await start(() => ({}), { blockTimeMs: 5 })
    chain.producer.start()
    await until(() => chain.steps.length >= 4, 1)
    await chain.close()
    const { length } = chain.steps
    await sleep(30)
    expect(chain.steps.length).toBe(length)
  })

  it('idle steps go on after the clock of the machine goes back by a day', async () => {
    const { producer, steps, close } = await start(() => ({}), { blockTimeMs: 50 })
    producer.start()
    await until(() => steps.length > 1, 1)
    const real = Date.now
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() - 86_400_000)
    const before = steps.length
    await until(() => steps.length > before + 2, 1).finally(() => clock.mockRestore())
    await close()
  })

  it('closing the producer ends the running step and refuses waiting messages', async () => {
    const { open, passed } = gate()
    const chain = await start(async () => {
      await passed
      return {}
    })
    chain.producer.start()
    const first = chain.producer.inject({}, signal)
    await new Promise((resolve) => setImmediate(resolve))
    const second = chain.producer.inject({}, signal).catch((error: Error) => error.message)
    const closing = chain.producer.close()
    open()
    await closing
    expect((await Promise.allSettled([first]))[0]?.status).toMatch(/fulfilled|rejected/)
    expect(await second).toBe('the chain is closed')
    await expect(chain.producer.send(messageOf(0), signal)).rejects.toThrow('the chain is closed')
    await expect(chain.producer.inject({}, signal)).rejects.toThrow('the chain is closed')
    chain.store.close()
  })

  it('a caller who does not wait for its step is let go', async () => {
    const chain = await start(() => ({}))
    const stop = new AbortController()
    const waiting = chain.producer.inject({ internals: [{ from: wallets[0]!.id, to: wallets[1]!.id, value: 7n }] }, stop.signal)
    stop.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    chain.producer.start()
    await chain.producer.inject({}, signal)
    expect(chain.steps.flatMap(({ internals }) => internals)).toEqual([])
    await chain.close()
  })
})

describe('the chain clock', () => {
  it('the chain clock follows the machine, what its owner says, and never goes back', () => {
    let machine = 1000
    const clock = createChainClock(() => machine)
    expect(clock.now(0)).toBe(1000)
    expect(clock.now(1200)).toBe(1200)
    clock.increase(50)
    expect(clock.now(0)).toBe(1050)
    clock.set(5000)
    machine = 1100
    expect([clock.now(0), clock.offset()]).toEqual([5000, 3900])
    clock.increase(1)
    expect(clock.now(0)).toBe(5001)
    clock.tick()
    machine = 1110
    expect(clock.now(0)).toBe(5011)
    clock.restore({ offset: 0 })
    expect(clock.now(0)).toBe(1110)
  })
})
