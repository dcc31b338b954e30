import { createHook, executionAsyncId } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builder } from '../server/store/postgres/reader.ts'
import { projectFolder } from './kit/project.ts'
import { startV3, type V3Service } from './kit/service/service.ts'

/*
 * The way of a parameter through the rooms, from HTTP to the chain and to SQL. The calls that led to a place are put together from the stack there and
 * from the stacks at which the promises and callbacks before it were made.
 */

const ADDRESS = `0:${'77'.repeat(32)}`

const source = new RegExp(`${projectFolder.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}/?(server/[^:)]+)`, 'g')
/** Below this stand functions that wait, without those between them that only return a promise: the way of the promise has all of them. */
const WAITING = 'processTicksAndRejections'
/** The files of the server in a stack, the innermost first. */
const filesOf = (stack: string): string[] => [...stack.split(WAITING, 1)[0]!.matchAll(source)].map(([, file]) => file!)
const roomOf = (file: string): string => file.split('/')[1]!.replace(/\.ts$/, '')

/** Records where asynchronous work was begun. Returns what tells the files on the way to the caller, the innermost first, and what ends the recording. */
const record = () => {
  const begun = new Map<number, { readonly stack: string; readonly by: number }>()
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 200
  const hook = createHook({ init: (id) => void begun.set(id, { stack: new Error().stack!, by: executionAsyncId() }) })
  hook.enable()
  return {
    way(): string[] {
      const files = filesOf(new Error().stack!)
      for (let at = begun.get(executionAsyncId()); at !== undefined; at = begun.get(at.by)) {
        const outer = filesOf(at.stack)
        // A function that went on after an await is in the stack of its promise too: its callers stand behind it there.
        files.push(...outer.slice(outer.lastIndexOf(files.at(-1) ?? '') + 1))
      }
      return files
    },
    end(): void {
      hook.disable()
      Error.stackTraceLimit = limit
    },
  }
}

/**
 * The rooms in the order in which they are entered first. Helpers of `base` are called from everywhere and left out. The stack of a promise that was made after
 * an await begins with the callers of the function again, so that a room may stand in it more often than it was entered.
 */
const roomsOn = (files: readonly string[]): string[] => [...new Set(files.map(roomOf).reverse())].filter((room) => room !== 'base')

/** Where the innermost stay in a room ends: files behind it belong to who called that room. */
const endOfFirst = (room: string, files: readonly string[]): number => {
  const begin = files.findIndex((file) => roomOf(file) === room)
  const length = files.slice(begin).findIndex((file) => ![room, 'base'].includes(roomOf(file)))
  return length < 0 ? files.length : begin + length
}

const PASSES_ON = 'server/store/queries/view.ts'

describe('the way of a parameter through the rooms', () => {
  let service: V3Service
  beforeAll(async () => {
    service = await startV3()
    await service.call('local.fund', { address: ADDRESS, amount: '5' })
    await service.indexed()
  })
  afterAll(() => service?.close())

  it('getAddressInformation passes the rooms in their order on its way from HTTP to the chain', async () => {
    const { source: port } = service.tonway.app.network
    const query = port.query
    const recording = record()
    const ways: string[][] = []
    port.query = (...asked) => {
      ways.push(recording.way())
      return query(...asked)
    }
    try {
      await service.tonway.app.network.chain.masterchainInfo(AbortSignal.timeout(10_000))
      ways.length = 0
      expect((await fetch(`${service.url}/api/v2/getAddressInformation?address=${ADDRESS}`)).status).toBe(200)
    } finally {
      recording.end()
      port.query = query
    }
    expect(ways.map(roomsOn)).toEqual([['http', 'app', 'network', 'dispatch', 'v2', 'chain']])
  })

  it('v3.transactions passes the rooms in their order on its way from HTTP to SQL', async () => {
    const { reader } = service.tonway.app.network.index!
    const { snapshot } = reader
    // The first read only begins to follow the head; with a head in memory, reads go another way.
    await expect.poll(() => reader.head!.now()).toBeDefined()
    const recording = record()
    let toSnapshot: string[] = []
    const toStatements: string[][] = []
    // v3 gives the snapshot a function, whose parameters do not pass through the rooms between the two: the way goes on from that function.
    reader.snapshot = (run, signal) => {
      toSnapshot = recording.way()
      return snapshot(
        (rows) =>
          run((query, planned) => {
            const { sql } = 'compile' in query ? query.compile(builder) : query
            // With a head in memory, the view stands between the caller and the reader: it only passes the statement on.
            const files = filesOf(new Error().stack!).filter((file) => file !== PASSES_ON)
            if (/from "transactions"/.test(sql)) toStatements.push(files.slice(0, endOfFirst('v3', files)))
            return rows(query, planned)
          }),
        signal,
      )
    }
    const rooms = async (): Promise<string[]> => {
      toStatements.length = 0
      expect((await fetch(`${service.url}/api/v3/transactions?account=${ADDRESS}&limit=3`)).status).toBe(200)
      return roomsOn(toSnapshot)
    }
    try {
      // On a busy machine a call may wait for its turn, and then its stack is that of whoever gave it the turn.
      await expect.poll(rooms, { timeout: 20_000 }).toEqual(['http', 'app', 'network', 'dispatch', 'v3', 'store'])
    } finally {
      recording.end()
      reader.snapshot = snapshot
    }
    // The store makes the statement, and v3, which counts what its rows will take, runs it.
    expect(toStatements.map(roomsOn)).toEqual([['v3']])
  })
})
