import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, inBrowser } from '../../kit/service/browser.ts'
import { absurdNumbers } from './walk/absurd-numbers.ts'
import { coin } from './walk/coin.ts'
import { copies } from './walk/copies.ts'
import { faults } from './walk/faults.ts'
import { hostileTexts } from './walk/hostile-texts.ts'
import { largeTraces } from './walk/large-traces.ts'
import { lite } from './walk/lite.ts'
import { look } from './walk/look.ts'
import { names } from './walk/names.ts'
import { orders } from './walk/orders.ts'
import { pictures } from './walk/pictures.ts'
import { tokens } from './walk/tokens.ts'
import { views } from './walk/views.ts'
import { createWalk } from './walk/walk.ts'
import { workbench } from './walk/workbench.ts'

/* The long walk through the page in a real Chromium, over the embedded chain of scene.ts. One service and one browser for all of it. walk.test.ts has the short one. */

describe.skipIf(!browserPath)(inBrowser('a long walk through the page'), () => {
  const walk = createWalk()
  beforeAll(() => walk.begin(), 120_000)
  afterAll(() => walk.end())

  // First, while the chain is short: it is indexed once more there.
  lite(walk)
  views(walk)
  coin(walk)
  tokens(walk)
  orders(walk)
  names(walk)
  pictures(walk)
  largeTraces(walk)
  copies(walk)
  workbench(walk)
  look(walk)
  hostileTexts(walk)
  absurdNumbers(walk)
  faults(walk)

  it('the page asked no other host, and nothing in it broke', async () => {
    expect([...walk.hosts]).toEqual([new URL(walk.service.url).host])
    // A get-method that nobody has and a search that finds nothing are answers, not errors of the page.
    expect(walk.complaints).toEqual([])
  })
})
