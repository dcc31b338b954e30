import { describe, expect, it, vi } from 'vitest'
import { CallSignal } from '../../server/base/abort.ts'
import { beforeDeadline } from '../../server/base/limits/deadline.ts'

describe('the deadline of a call', () => {
  it('work that throws at once leaves no timer, and its signal alone', async () => {
    vi.useFakeTimers()
    try {
      const signal = new CallSignal()
      const broken = (): Promise<never> => {
        throw new Error('thrown at once')
      }
      await expect(beforeDeadline(10_000, 'late', signal, broken)).rejects.toThrow('thrown at once')
      await expect(beforeDeadline(10_000, 'late', signal, () => Promise.resolve('done'))).resolves.toBe('done')
      expect(vi.getTimerCount()).toBe(0)
      const late = expect(beforeDeadline(10_000, 'late', signal, () => new Promise(() => {}))).rejects.toMatchObject({
        kind: 'SOURCE_TIMEOUT',
      })
      await vi.advanceTimersByTimeAsync(10_000)
      await late
      expect(signal.reason).toMatchObject({ message: 'late' })
    } finally {
      vi.useRealTimers()
    }
  })
})
