import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CASES, type Case, readCases } from './case-file.ts'
import { createInProcessTransport } from './in-process.ts'
import { pathOf, verbsOf } from './methods.ts'
import { undone } from './record.ts'
import { canCarry, runCase } from './run-case.ts'
import { type Scene, startScene } from './service.ts'
import { runStream } from './streams.ts'
import { createStrictTransports, createTonCenterTransports, type Transport } from './transports.ts'

/* Every case over every transport that can carry it, on the chain that they were recorded from. */

let scene: Scene
let transports: readonly Transport[]
beforeAll(async () => {
  scene = await startScene()
  const { tonway, url } = scene
  transports = [...createStrictTransports({ url }), ...createTonCenterTransports({ url }), createInProcessTransport(tonway)]
})
afterAll(() => scene?.tonway.close())

const runOver = async (given: Case, transport: Transport): Promise<string[]> => {
  const other = transports[0]!
  const run = (): Promise<string[]> => runCase(given, transport, { other })
  const found = await (given.changesChain ? undone(scene, run) : run())
  return found.map((each) => `${given.path} over ${transport.name}: ${each}`)
}

/** How the answers differ from the recorded ones, over every transport. */
const run = async (given: Case): Promise<string[]> => {
  if (given.over !== undefined) {
    const exchanges = await runStream(scene.url, given)
    expect(exchanges, given.path).toEqual(given.exchanges)
    return []
  }
  const found: string[] = []
  for (const transport of transports) if (canCarry(given, transport)) found.push(...(await runOver(given, transport)))
  return found
}

const cases = readCases(CASES)
const methodsOf = (some: readonly Case[]): string[] => [...new Set(some.map(({ section, method }) => `${section}/${method}`))]
const runAll = async (some: readonly Case[], name: string): Promise<void> => {
  const found: string[] = []
  for (const given of some.filter(({ section, method }) => `${section}/${method}` === name)) found.push(...(await run(given)))
  expect(found).toEqual([])
}

describe('cases over every transport', () => {
  const reads = cases.filter(({ changesChain }) => !changesChain)
  it.each(methodsOf(reads))('%s answers as recorded', (name) => runAll(reads, name))
})

// After the others, because the index follows each change and its undoing.
describe('cases that change the chain, over every transport', () => {
  const writes = cases.filter(({ changesChain }) => changesChain)
  it.each(methodsOf(writes))('%s answers as recorded', (name) => runAll(writes, name))
})

describe('methods that have cases', () => {
  it('every method of the service has cases, with the paths and verbs that its document says', async () => {
    const { methods } = await scene.tonway.client.rpc.discover()
    const names = (methods as { name: string }[]).map(({ name }) => name)
    const covered = new Set(cases.map(({ method }) => method))
    expect(names.filter((name) => !covered.has(name))).toEqual([])
    const { paths } = await (await fetch(`${scene.url}/openapi.json`)).json()
    for (const name of names) {
      const path = pathOf(name)
      const verbs = Object.keys((path !== undefined && paths[path]) || {}).map((verb) => verb.toUpperCase())
      expect(verbs.sort(), name).toEqual([...verbsOf(name)])
    }
  })
})
