import { describe, expect, it } from 'vitest'
import { fromFailure, toFailure } from '../../server/base/threads/failure.ts'
import { TvmError } from '../../server/tvm/tvm.ts'
import { TonError } from '../../shared/errors.ts'

const crossed = <T>(value: T): T => structuredClone(value)

describe('errors between threads', () => {
  it('a TonError comes out with all that callers are told', () => {
    const issues = [{ param: 'seqno', message: 'is negative', expected: undefined }]
    const error = new TonError('INVALID_PARAMS', 'no', { retryAfter: 3, issues, detail: 'host', headers: { Allow: 'GET' } } as never)
    const out = fromFailure(crossed(toFailure(error))) as TonError
    expect(out).toBeInstanceOf(TonError)
    expect(out).toMatchObject({ kind: 'INVALID_PARAMS', message: 'no', retryAfter: 3, issues, detail: 'host', headers: { Allow: 'GET' } })
    expect(out.stack).toBe(error.stack)
  })

  it('faults become errors for callers', () => {
    const out = fromFailure(crossed(toFailure(new TvmError('overloaded', 'busy'))))
    expect(out).toMatchObject({ name: 'TonError', kind: 'UNAVAILABLE', retryAfter: 1 })
  })

  it('any thrown value can cross, whatever its members are', () => {
    const database = Object.assign(new Error('refused'), { name: 'error', code: '57P03', detail: () => 'a function' })
    expect(fromFailure(crossed(toFailure(database)))).toMatchObject({ name: 'error', message: 'refused', code: '57P03' })
    expect(fromFailure(crossed(toFailure('a text'))).message).toBe('a text')
    expect(fromFailure(crossed(toFailure(undefined))).message).toBe('undefined')
  })
})
