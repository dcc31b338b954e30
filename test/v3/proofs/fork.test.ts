import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkProof } from '../../kit/check-proof.ts'
import { type Service, startService, startV3, type V3Service } from '../../kit/service/service.ts'

/* Lists with proofs of a fork: its own blocks prove what happened since, and accounts that came from elsewhere as well, unless they cannot be fetched any more. */

const FORTY_TON = '40000000000'
const addressOf = (digit: string): string => `0:${digit.repeat(64)}`
const [TOUCHED, UNTOUCHED, LATE] = ['7', '8', '6'].map(addressOf) as [string, string, string]

describe('a fork', () => {
  let remote: Service
  let fork: V3Service
  beforeAll(async () => {
    remote = await startService({ liteserverPort: 0, globalId: -11 })
    for (const address of [TOUCHED, UNTOUCHED, LATE]) await remote.call('local.fund', { address, amount: FORTY_TON })
    fork = await startV3({ fork: `${remote.url}/global.config.json` })
    for (const amount of ['1', '2']) await fork.call('local.fund', { address: TOUCHED, amount })
    await fork.settle()
  })
  afterAll(async () => {
    await fork?.close()
    await remote?.close()
  })

  const head = () => fork.tonway.app.network.chain.head().id

  it('a fork proves its own transactions from the newest on, and does not claim an account of earlier ones to be empty', async () => {
    const own = await fork.call('v3.transactions', { account: [TOUCHED], proofs: true })
    expect([own.proof!.complete, own.transactions.length]).toEqual(['from_newest', 2])
    const { transactions } = checkProof(own.proof!, head())
    expect(own.transactions.map(({ hash }) => hash)).toEqual(transactions.map(({ cell }) => cell.hash().toString('base64')))
    const other = await fork.call('v3.transactions', { account: [UNTOUCHED], proofs: true })
    expect([other.proof!.complete, other.transactions]).toEqual(['none', []])
  })

  it('a fork proves accounts of the other network; once that is gone, those that it did not fetch have no proof, and the rest of the answer is there', async () => {
    const states = (address: string) => fork.call('v3.accountStates', { address: [address], proofs: true })
    const { proof } = await states(UNTOUCHED)
    expect(checkProof(proof!, head()).accounts.get(UNTOUCHED)!.account).toBeDefined()
    await remote.close()
    const late = await states(LATE)
    expect(late).toMatchObject({ proof: null, proof_missing: expect.stringMatching(/./) })
    expect(late.proof_missing).not.toContain(new URL(remote.url).host)
    expect(await states(UNTOUCHED)).toMatchObject({ proof: { complete: 'accounts' } })
  }, 60_000)
})
