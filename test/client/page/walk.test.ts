import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, inBrowser } from '../../kit/service/browser.ts'
import { methods } from './walk/methods.ts'
import { trace } from './walk/trace.ts'
import { createWalk } from './walk/walk.ts'

/* A walk through the page in a real Chromium, over the embedded chain of scene.ts. walk.slow.test.ts has the rest. */

describe.skipIf(!browserPath)(inBrowser('a walk through the page'), () => {
  const walk = createWalk()
  beforeAll(() => walk.begin(), 120_000)
  afterAll(() => walk.end())

  trace(walk)
  methods(walk)

  it('the page asked no other host, and nothing in it broke', async () => {
    expect([...walk.hosts]).toEqual([new URL(walk.service.url).host])
    // A get-method that nobody has and a search that finds nothing are answers, not errors of the page.
    expect(walk.complaints).toEqual([])
  })
})
