import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as Index from '../../server/protocols/index.ts'
import { account, addr, asked, cell, coins, compose, type Sent, TON, uint } from '../actions/compose.ts'
import { facts } from '../actions/composed.ts'
import { projectFolder } from '../kit/project.ts'

/* The exchange of server/protocols/README.md, in a copy of the list: one folder and one line, and it is decoded, found and shown. */

const rooms = join(projectFolder, 'server')
const readme = readFileSync(join(rooms, 'protocols/README.md'), 'utf8')
const [messages, actions, line] = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code]) => code!)

const [USER, POOL, WALLET, USER_WALLET, JETTON] = [1, 2, 3, 4, 5].map((n) => account(n)) as [string, string, string, string, string]
const known = facts({
  [WALLET]: { jettonWallet: { owner: POOL, jetton: JETTON } },
  [USER_WALLET]: { jettonWallet: { owner: USER, jetton: JETTON } },
})

const paid: Sent = {
  to: WALLET,
  body: asked(0x0f8a7ea5, coins(50n), addr(USER), addr(POOL), uint(0, 1), coins(0n), uint(0, 1)),
  causes: [{ to: USER_WALLET, body: asked(0x178d4519, coins(50n), addr(POOL), addr(POOL), coins(0n), uint(0, 1)) }],
}
const swap = asked(0x706c0001, coins(TON), coins(40n))
const claim = asked(0x706c0002, uint(9, 32))
const trace = (body: Sent['body'], ...causes: readonly Sent[]) =>
  compose({ account: USER, causes: [{ to: POOL, ...(body && { body }), causes }] })

describe('a made-up protocol', () => {
  const folder = mkdtempSync(join(tmpdir(), 'protocols-'))
  let list: typeof Index
  beforeAll(async () => {
    const index = readFileSync(join(rooms, 'protocols/index.ts'), 'utf8')
    // The copy takes everything but the new folder from the server's own rooms.
    const copied = index.replaceAll("from './", `from '${rooms}/protocols/`).replaceAll("from '../", `from '${rooms}/`)
    const end = '\n]\n'
    expect(copied.split(end)).toHaveLength(2)
    mkdirSync(join(folder, 'plover'))
    writeFileSync(join(folder, 'index.ts'), line + copied.replace(end, `\n  plover,${end}`))
    for (const [name, code] of Object.entries({ messages, actions })) {
      const elsewhere = code!.replaceAll("'../../", `'${rooms}/`).replaceAll("'../", `'${rooms}/protocols/`)
      writeFileSync(join(folder, `plover/${name}.ts`), elsewhere)
    }
    list = (await import(/* @vite-ignore */ join(folder, 'index.ts'))) as typeof Index
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('its bodies are decoded, and its opcodes have names', () => {
    expect(list.opcodeName(0x706c0002)).toBe('plover_claim_fees')
    expect(list.showInList(claim)).toEqual({ '@type': 'plover_claim_fees', query_id: '7', pool_id: '9' })
  })
  it('its swap is found, with what went in and what came out', () => {
    const { state, actions: found } = list.classify(trace(swap, paid), known)
    expect([state, found.map(({ type }) => type)]).toEqual(['ok', ['jetton_swap']])
    expect(list.showDetails(found[0]!, { isTestnet: false })).toMatchObject({
      dex: 'plover',
      sender: USER,
      asset_in: null,
      asset_out: JETTON,
      dex_incoming_transfer: { amount: `${TON}`, source: USER, destination: POOL },
      dex_outgoing_transfer: { amount: '50', destination: USER },
    })
  })
  it('its own type of action is found, shown, and known to clients by its version and its shortcut', () => {
    const { actions: found } = list.classify(trace(claim, { to: USER, body: asked(0x706c0003, coins(3n)) }), known)
    const action = found.find(({ type }) => type === 'plover_claim_fees')!
    expect(list.showDetails(action, { isTestnet: false })).toEqual({ owner: USER, pool: POOL, pool_id: 9, amount: '3' })
    const knows = (...names: string[]) => list.supportedTypes(names).has('plover_claim_fees')
    expect([knows(), knows('v4'), knows('v4', 'plover')]).toEqual([true, false, true])
  })
  it('a body that is too short makes no action of it', () => {
    const { state, actions: found } = list.classify(trace(cell(uint(0x706c0002, 32)), { to: USER, body: asked(0x706c0003) }), known)
    expect([state, found.map(({ type }) => type)]).toEqual(['ok', ['call_contract', 'call_contract']])
  })
  it('nothing else has to be changed: one folder of two files, an import and a name in the list', async () => {
    const { PROTOCOLS } = await import('../../server/protocols/index.ts')
    expect(list.PROTOCOLS.slice(0, -1)).toEqual(PROTOCOLS)
    expect(line!.trim().split('\n')).toHaveLength(1)
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6 * 1024)
  })
})
