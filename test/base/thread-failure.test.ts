import { describe, expect, it } from 'vitest'
import { fromFailure, toAnsweredFailure, toFailure } from '../../server/base/threads/failure.ts'
import { LiteServerError } from '../../server/chain/liteserver.ts'
import { COLLATOR_ERRORS } from '../../server/chain/local/thread/protocol.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import { TvmError } from '../../server/tvm/tvm.ts'
import { TonError } from '../../shared/errors.ts'

const crossed = <T>(value: T): T => structuredClone(value)

describe('errors between threads', () => {
  it('a TonError comes out with all that callers are told', () => {
    const issues = [{ param: 'seqno', message: 'is negative', expected: undefined }]
    const error = new TonError('INVALID_PARAMS', 'no', { retryAfter: 3, issues, detail: 'host', headers: { Allow: 'GET' } } as never)
    const out = fromFailure(crossed(toAnsweredFailure(error))) as TonError
    expect(out).toBeInstanceOf(TonError)
    expect(out).toMatchObject({ kind: 'INVALID_PARAMS', message: 'no', retryAfter: 3, issues, detail: 'host', headers: { Allow: 'GET' } })
    expect(out.stack).toBe(error.stack)
  })

  it('errors of the chain keep their classes, and other faults become errors for callers', () => {
    const errors = [new LiteServerError(651, 'not ready'), new TvmError('overloaded', 'busy'), new ProofError('a header', 'is cut')]
    for (const error of errors) {
      const out = fromFailure(crossed(toAnsweredFailure(error, COLLATOR_ERRORS)), COLLATOR_ERRORS)
      expect(out.constructor).toBe(error.constructor)
      expect({ ...out, message: out.message }).toEqual({ ...error, message: error.message })
    }
    expect(fromFailure(crossed(toAnsweredFailure(errors[1])))).toMatchObject({ name: 'TonError', kind: 'UNAVAILABLE', retryAfter: 1 })
  })

  it('any thrown value can cross, whatever its members are', () => {
    const database = Object.assign(new Error('refused'), { name: 'error', code: '57P03', detail: () => 'a function' })
    expect(fromFailure(crossed(toFailure(database)))).toMatchObject({ name: 'error', message: 'refused', code: '57P03' })
    expect(fromFailure(crossed(toFailure('a text'))).message).toBe('a text')
    expect(fromFailure(crossed(toFailure(undefined))).message).toBe('undefined')
  })
})
