import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ERRORS, type ErrorKind } from '../shared/errors.ts'
import type { MethodDef } from '../shared/method.ts'
import { type MethodName, methodNames, registry } from '../shared/registry.ts'
import { ask } from './kit/service/client.ts'
import { type Example, examples } from './kit/service/examples.ts'
import { restPath } from './kit/service/rest-path.ts'
import { startTonway, type Tonway } from './kit/service/tonway.ts'
import { createWaysToCall, type Reply, type WayToCall } from './kit/service/ways-to-call.ts'

/* Every example of every method through every door, on an embedded chain that stands still: one result for all. */

const statusOf = (kind: string): number => ERRORS[kind as ErrorKind].http

/** Doors of a method: REST where it has one, the RPC forms always; local.* and rpc.* only over /jsonRPC. */
const doorsOf = (def: MethodDef): readonly string[] => {
  const rpc = ['strict', 'batch', 'ws']
  if (def.rest === 'none') return rpc
  return [...(def.rest.includes('GET') ? ['REST GET'] : []), ...(def.rest.includes('POST') ? ['REST POST'] : []), 'dialect', ...rpc]
}

/** What legitimately differs between two calls of the same moment: the server's clock. */
const still = (name: MethodName, reply: Reply): Reply =>
  name === 'getConsensusBlock' && 'result' in reply ? { result: { ...(reply.result as object), timestamp: 0 } } : reply

describe('every method through every door', () => {
  let tonway: Tonway
  let transports: Record<string, WayToCall>
  beforeAll(async () => {
    tonway = await startTonway({ blockTime: 0 })
    transports = createWaysToCall(tonway.url, statusOf)
    await transports['strict']!('local.mine', { count: 4 })
  })
  afterAll(() => tonway?.close())

  // Methods that need the index have a matrix of their own (test/v3/matrix.slow.test.ts).
  const here = methodNames.filter((name) => registry[name].needs !== 'index')
  const reads = here.filter((name) => registry[name].effect === 'read')
  const writes = here.filter((name) => registry[name].effect === 'write')

  for (const name of reads) {
    const def: MethodDef = registry[name]
    for (const example of examples[name] as readonly Example<MethodName>[])
      it(`${name}: ${example.title}`, async () => {
        const replies: Record<string, Reply> = {}
        for (const door of doorsOf(def)) replies[door] = still(name, await transports[door]!(name, example.params))
        const first = Object.values(replies)[0]!
        for (const [door, reply] of Object.entries(replies)) expect(reply, door).toEqual(first)
        if (example.fails) expect(first).toMatchObject({ status: statusOf(example.fails) })
        else if ('result' in first) expect(z.safeParse(def.result as z.ZodType, first.result).error?.issues ?? []).toEqual([])
        else expect.fail(`${first.status} ${first.error}`)
        for (const alias of def.aliases ?? []) expect(await transports['REST POST']!(alias, example.params)).toEqual(first)
      })
  }

  // Each call of a write changes the chain, so its doors are held against what the example says, not against each other.
  for (const name of writes) {
    const def: MethodDef = registry[name]
    for (const example of examples[name] as readonly Example<MethodName>[])
      it(`${name}: ${example.title}`, async () => {
        for (const door of doorsOf(def)) {
          const reply = await transports[door]!(name, example.params)
          if (example.fails) expect(reply, door).toMatchObject({ status: statusOf(example.fails) })
          else if ('result' in reply) expect(z.safeParse(def.result as z.ZodType, reply.result).error?.issues ?? [], door).toEqual([])
          else expect.fail(`${door}: ${reply.status} ${reply.error}`)
        }
        if (def.rest === 'POST') {
          const response = await ask(`${tonway.url}${restPath(name, {}).path}`)
          expect(response.status).toBe(405)
          expect(response.headers.get('Allow')).toContain('POST')
        }
      })
  }
})
