import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beforeDeadline } from '../../server/base/abort.ts'

describe('the deadline of a call', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('work that ends in time, or throws at once, leaves no timer and does not abort its signal', async () => {
    const controller = new AbortController()
    const broken = (): Promise<never> => {
      throw new Error('thrown at once')
    }
    await expect(beforeDeadline(10_000, 'late', controller, broken)).rejects.toThrow('thrown at once')
    await expect(beforeDeadline(10_000, 'late', controller, () => Promise.resolve('done'))).resolves.toBe('done')
    expect([vi.getTimerCount(), controller.signal.aborted]).toEqual([0, false])
  })

  it('work that does not end in time rejects, and its signal is aborted', async () => {
    const controller = new AbortController()
    const late = expect(beforeDeadline(10_000, 'late', controller, () => new Promise(() => {}))).rejects.toMatchObject({
      kind: 'SOURCE_TIMEOUT',
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await late
    expect(controller.signal.reason).toMatchObject({ message: 'late' })
  })
})
