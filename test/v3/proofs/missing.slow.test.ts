import { describe, expect, it } from 'vitest'
import type { ProvingChain } from '../../../server/v3/proofs/make.ts'
import type { ProofSubject } from '../../../server/v3/proofs/subject.ts'
import { withProof } from '../../../server/v3/proofs/with-proof.ts'
import { TonError } from '../../../shared/errors.ts'

/* Answers whose proofs nobody has. */

const id = { workchain: -1, shard: 1n << 63n, seqno: 7, rootHash: Buffer.alloc(32, 1), fileHash: Buffer.alloc(32, 2) }
const account = { workchain: 0, hash: Buffer.alloc(32, 3) }
const row = { account, lt: 5n, hash: Buffer.alloc(32, 4), block: id }

const answerOf = async (chain: Partial<ProvingChain> | undefined, subject: ProofSubject, signal = AbortSignal.timeout(20_000)) => {
  const { pieces, headers } = await withProof(chain as ProvingChain | undefined, signal, async (takeSubject) => {
    await takeSubject(async () => subject)
    return { pieces: ['{"rows":[', '1]}'], headers: { 'X-Index-Seqno': '7' } }
  })
  let text = ''
  for await (const piece of pieces!) text += piece
  return { headers, body: JSON.parse(text) as Record<string, unknown> }
}

const states = { head: id, rows: [], states: [account] }

describe('an answer without a proof', () => {
  it.each([
    [
      'no server has the state',
      { accountProof: async () => Promise.reject(new TonError('CHAIN', 'LITE_SERVER_NOTREADY: pruned')) },
      'LITE_SERVER_NOTREADY: pruned',
    ],
    [
      'no server answers',
      { accountProof: async () => Promise.reject(new TonError('NO_WORKERS', 'no working lite-server')) },
      'no working lite-server',
    ],
    ['the process has no chain', undefined, 'no chain'],
  ])('an answer has its rows, its headers and the reason if %s', async (_, chain, text) => {
    const { headers, body } = await answerOf(chain, states)
    expect(headers).toEqual({ 'X-Index-Seqno': '7' })
    expect(body).toEqual({ rows: [1], proof: null, proof_missing: expect.stringContaining(text) })
  })

  it('more than 100 rows are too many, where the caller names no limit', async () => {
    const { body } = await answerOf({}, { head: id, rows: Array.from({ length: 101 }, () => row) })
    expect(body).toEqual({ rows: [1], proof: null, proof_missing: 'proofs are for at most 100 rows' })
  })

  it('proofs that are too long are refused before all of them are written', async () => {
    let asked = 0
    const large = {
      shardBlock: id,
      shardProof: Buffer.alloc(1 << 20),
      proof: Buffer.alloc(0),
      state: Buffer.alloc(0),
      lastTransLt: 0n,
      lastTransHash: id.rootHash,
    }
    const accountProof = async () => {
      asked++
      return large
    }
    const { body } = await answerOf({ accountProof }, { ...states, states: Array.from({ length: 100 }, () => account) })
    expect(body).toEqual({ rows: [1], proof: null, proof_missing: expect.stringContaining('ask for fewer rows') })
    expect(asked).toBeLessThan(30)
  })

  it('a fault of our own and a caller that leaves are errors', async () => {
    await expect(answerOf({ accountProof: async () => Promise.reject(new TypeError('ours')) }, states)).rejects.toThrow('ours')
    const leaving = new AbortController()
    const accountProof = async (_: unknown, __: unknown, signal: AbortSignal) => {
      leaving.abort(new Error('gone'))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new TonError('CHAIN', 'aborted')
    }
    await expect(answerOf({ accountProof }, states, leaving.signal)).rejects.toThrow('gone')
  }, 120_000)

  it('at most eight queries run at once, and none after one has failed', async () => {
    let [running, most, begun] = [0, 0, 0]
    const accountProof = async (_: unknown, __: unknown, signal: AbortSignal) => {
      signal.throwIfAborted()
      most = Math.max(most, ++running)
      const isBad = ++begun === 20
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      if (isBad) throw new TonError('CHAIN', 'bad')
      return {
        shardBlock: id,
        shardProof: id.rootHash,
        proof: id.rootHash,
        state: id.rootHash,
        lastTransLt: 0n,
        lastTransHash: id.rootHash,
      }
    }
    const { body } = await answerOf({ accountProof }, { ...states, states: Array.from({ length: 100 }, () => account) })
    expect([body['proof_missing'], most]).toEqual(['bad', 8])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(begun).toBeLessThan(40)
  })
})
