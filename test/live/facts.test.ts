import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* What run.mjs compares other people's tools with: the scene that they read, and our own answers as facts. The tools themselves run there. */

interface Scene {
  readonly seqno: number
  readonly accounts: Readonly<Record<string, string>>
}
interface Facts {
  readonly accounts: Record<string, { balance: string }>
  readonly runs: Readonly<Record<string, { readonly exit: number; readonly stack: readonly unknown[] }>>
  readonly transactions: Readonly<Record<string, readonly { readonly out: readonly unknown[] }[]>>
}
interface Peers {
  setScene(url: string): Promise<Scene>
  ownFacts(url: string, scene: Scene): Promise<Facts>
  differences(theirs: unknown, ours: unknown): readonly { readonly path: string }[]
  size(facts: unknown): number
}

/** The scripts that stand beside; they are plain JavaScript, since run.mjs runs without a build. */
const load = async (name: string): Promise<Peers> => (await import(new URL(`./peers/${name}.mjs`, import.meta.url).href)) as Peers

describe('what other tools are compared with', () => {
  let tonway: Tonway
  let peers: Peers
  let scene: Scene
  let ours: Facts
  beforeAll(async () => {
    tonway = await startTonway({ blockTime: 0 })
    peers = { ...(await load('scene')), ...(await load('facts')) }
    scene = await peers.setScene(tonway.url)
    ours = await peers.ownFacts(tonway.url, scene)
  })
  afterAll(() => tonway?.[Symbol.asyncDispose]())

  it('other tools are compared by some 400 values of a block that is not the head', () => {
    expect(peers.size(ours)).toBeGreaterThan(350)
    expect(ours.runs['wallet.seqno']).toEqual({ exit: 0, stack: ['1'] })
    expect(ours.runs['wallet.nope']).toEqual({ exit: 11, stack: [] })
    expect(ours.transactions['wallet']!.map(({ out }) => out.length)).toContain(3)
  })

  it('the compared values stay the same while the chain goes on', async () => {
    expect(peers.differences(await peers.ownFacts(tonway.url, scene), ours)).toEqual([])
  })

  it('the comparison finds a wrong value, a missing one and an additional one', () => {
    const wrong = structuredClone(ours)
    wrong.accounts['wallet']!.balance += '0'
    delete wrong.accounts['second']
    expect(peers.differences(wrong, ours).map(({ path }) => path)).toEqual(['accounts.wallet.balance', 'accounts.second'])
    expect(peers.differences({ ...ours, more: 1 }, ours).map(({ path }) => path)).toEqual(['more'])
  })
})
