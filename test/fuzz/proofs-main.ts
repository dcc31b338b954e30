import { systemClock } from '../../server/base/clock.ts'
import { silentLog } from '../../server/base/log.ts'
import { createLocalChain } from '../../server/chain/local/create.ts'
import { createTvm } from '../../server/tvm/create.ts'
import { embeddedCases, recordedCases, runMutants } from './proofs.ts'

/** Single-bit mutants of answers with proofs: of mainnet's recorded blocks, and of an embedded chain. Resolves with how many failed. */
export const fuzzProofs = async (count: number, seed: number): Promise<number> => {
  const tvm = createTvm({ workers: 1 })
  const local = await createLocalChain({ blockTimeMs: 0, globalId: -3 }, { tvm, log: silentLog, clock: systemClock })
  const cases = [...(await embeddedCases(local)), ...(await recordedCases())]
  await local.close()
  await tvm.close()
  console.log(`proofs: ${count} mutants of ${cases.length} answers, seed ${seed}`)
  const start = performance.now()
  const { refused, same, findings } = runMutants(cases, count, seed)
  const seconds = (performance.now() - start) / 1000
  for (const finding of findings.slice(0, 20)) console.log(`FAILED ${finding}`)
  console.log(`${refused} refused, ${same} mean what they meant; ${Math.round(count / seconds)} a second`)
  console.log(`${count - findings.length} passed, ${findings.length} failed, seed ${seed}`)
  return findings.length
}
