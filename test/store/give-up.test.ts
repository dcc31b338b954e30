import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machine, ownMark } from '../../server/base/process-identity.ts'
import { openOwnStore } from '../kit/index/own-store.ts'
import { sleep } from '../kit/wait.ts'

/** Clusters of this process. */
const places = (): string[] =>
  readdirSync(tmpdir()).filter((name) => {
    try {
      return name.startsWith(`tonwaypg-${machine}-`) && readFileSync(join(tmpdir(), name, 'lock'), 'utf8') === ownMark()
    } catch {
      return false
    }
  })

it.each([0, 50, 400, 1200])('a start that is aborted after %d ms ends what it has begun and leaves nothing', async (ms) => {
  const stop = new AbortController()
  const opening = openOwnStore({ signal: stop.signal })
  await sleep(ms)
  stop.abort(new Error('given up'))
  const store = await opening.catch((error: Error) => {
    expect(error.message).toBe('given up')
  })
  // It may have been faster.
  await store?.close()
  expect(places()).toEqual([])
}, 120_000)
