import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../../server/base/clock.ts'
import type { MethodDef } from '../../../shared/method.ts'
import { type MethodName, methodNames, registry } from '../../../shared/registry.ts'
import { projectFolder } from '../../kit/project.ts'
import { post, rpcRequest } from '../../kit/service/client.ts'
import { type Example, examples } from '../../kit/service/examples.ts'
import { startV3 } from '../../kit/service/service.ts'

/* Results that /openrpc.json shows in its examples. TONWAY_RECORD=1 writes them. */

const FILE = join(projectFolder, 'server/http/docs/recorded.json')
/** The chain's keys and accounts are the same in every genesis; with its time, all of its blocks are. */
const clock = { ...systemClock, now: () => 1_767_225_600 }

/** Results by method, in the order of its examples; null for a failure. Reads come first: they are about an unused chain. */
const record = async (): Promise<Record<string, unknown[]>> => {
  const service = await startV3({ clock })
  try {
    await service.settle()
    const recorded: Record<string, unknown[]> = {}
    const of = (effect: MethodDef['effect']): MethodName[] => methodNames.filter((name) => registry[name].effect === effect)
    for (const name of [...of('read'), ...of('write')]) {
      // Its result is the document itself.
      if (name === 'rpc.discover') continue
      recorded[name] = []
      for (const { title, params, fails } of examples[name] as readonly Example<MethodName>[]) {
        const { body } = await post<{ result?: unknown }>(`${service.url}/jsonRPC`, rpcRequest(name, params))
        expect([name, title, 'result' in body]).toEqual([name, title, fails === undefined])
        recorded[name].push(body.result ?? null)
      }
    }
    return recorded
  } finally {
    await service.close()
  }
}

/** One line for each method, so that a change shows what it changes. */
const linesOf = (recorded: Record<string, unknown[]>): string => {
  const lines = Object.entries(recorded).map(([name, results]) => `  ${JSON.stringify(name)}: ${JSON.stringify(results)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

it('the recorded results of all examples are those of a chain with this genesis and clock', async () => {
  const recorded = await record()
  if (process.env['TONWAY_RECORD'] === '1') writeFileSync(FILE, linesOf(recorded))
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown[]>
  expect(Object.keys(kept)).toEqual(Object.keys(recorded))
  for (const [name, results] of Object.entries(recorded)) expect([name, kept[name]]).toEqual([name, results])
}, 120_000)
