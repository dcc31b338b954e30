// Public repositories of contracts, unchanged, against this service: `npm run build && TONWAY_CONTRACTS=FOLDER node test/live/contracts/run.mjs [repository ...]`. Their own programs deploy,
// mint, transfer and test by TonClient or Blueprint, and each step is checked by what the service itself shows. FOLDER has checkouts; nothing is downloaded but their packages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOut, expectUnchanged, startService } from './kit.mjs'
import * as stablecoin from './stablecoin.mjs'
import * as tactJetton from './tact-jetton.mjs'

const all = [tactJetton, stablecoin]

/** Runs a repository step by step; stops at the first that fails, because each needs those before. */
const follow = async ({ repository, commit, install, steps }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-contracts-'))
  let service
  let step = 'is installed'
  try {
    const clone = await checkOut(folder, repository, commit)
    await install(folder, clone)
    service = await startService()
    for (const [name, work] of Object.entries(steps({ clone, service }))) {
      step = name
      await work()
      await expectUnchanged(clone)
      console.log(`${repository}: ${step}`)
    }
    return true
  } catch (error) {
    console.log(`${repository}: FAILED: ${step}\n${String(error.stack).replace(/^/gm, '  ')}`)
    return false
  } finally {
    service?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.some(({ repository }) => repository === name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${all.map(({ repository }) => repository).join(', ')}`)
  process.exit(2)
}
let passed = true
for (const one of all) if (wanted.length === 0 || wanted.includes(one.repository)) passed = (await follow(one)) && passed
process.exitCode = passed ? 0 : 1
