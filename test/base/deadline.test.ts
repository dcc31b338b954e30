import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallSignal } from '../../server/base/abort.ts'
import { beforeDeadline } from '../../server/base/limits/deadline.ts'

describe('the deadline of a call', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('work that ends in time, or throws at once, leaves no timer and does not abort its signal', async () => {
    const signal = new CallSignal()
    const broken = (): Promise<never> => {
      throw new Error('thrown at once')
    }
    await expect(beforeDeadline(10_000, 'late', signal, broken)).rejects.toThrow('thrown at once')
    await expect(beforeDeadline(10_000, 'late', signal, () => Promise.resolve('done'))).resolves.toBe('done')
    expect([vi.getTimerCount(), signal.aborted]).toEqual([0, false])
  })

  it('work that does not end in time rejects, and its signal is aborted', async () => {
    const signal = new CallSignal()
    const late = expect(beforeDeadline(10_000, 'late', signal, () => new Promise(() => {}))).rejects.toMatchObject({
      kind: 'SOURCE_TIMEOUT',
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await late
    expect(signal.reason).toMatchObject({ message: 'late' })
  })
})
