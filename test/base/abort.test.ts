import { EventEmitter, on, once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CallSignal, joinAbort, nativeSignal } from '../../server/base/abort.ts'

/** What listeners of a signal see, in order. `abort` ends the signal. */
const heard = (signal: AbortSignal, abort: (reason?: unknown) => void): unknown[] => {
  const seen: unknown[] = []
  const gone = () => seen.push('gone')
  const twice = () => seen.push('twice')
  signal.addEventListener('abort', ({ type }) => seen.push(type))
  signal.addEventListener('abort', () => signal.removeEventListener('abort', gone))
  signal.addEventListener('abort', gone)
  signal.addEventListener('abort', twice)
  signal.addEventListener('abort', twice, { once: true })
  signal.addEventListener('abort', { handleEvent: () => seen.push('object') })
  signal.addEventListener('other', () => seen.push('other'))
  signal.onabort = () => seen.push('onabort')
  seen.push(signal.aborted)
  signal.throwIfAborted()
  abort('why')
  abort('again')
  signal.addEventListener('abort', () => seen.push('late'))
  seen.push(signal.aborted, signal.reason)
  try {
    signal.throwIfAborted()
  } catch (thrown) {
    seen.push(thrown)
  }
  return seen
}

describe('the signal of a call', () => {
  it('the signal of a call does what an AbortSignal does', () => {
    const controller = new AbortController()
    const own = new CallSignal()
    const expected = heard(controller.signal, (reason) => controller.abort(reason))
    const seen = heard(own, (reason) => own.abort(reason))
    // The platform calls `onabort` where it was set among the listeners, ours first.
    expect(seen.toSorted()).toEqual(expected.toSorted())
    const plain = new CallSignal()
    plain.abort()
    expect(plain.reason).toMatchObject({ name: 'AbortError', message: new DOMException('This operation was aborted').message })
  })

  it('modules of node wait with the signal of a call as with any other', async () => {
    const signal = new CallSignal()
    setMaxListeners(0, signal)
    const events = on(new EventEmitter(), 'event', { signal })
    const waiting = [sleep(60_000, undefined, { signal }), once(new EventEmitter(), 'event', { signal }), events.next()]
    const ends = Promise.allSettled(waiting)
    signal.abort(new Error('the caller has left'))
    for (const { status, ...rest } of await ends) {
      expect(status).toBe('rejected')
      expect(rest).toMatchObject({ reason: { name: 'AbortError', cause: { message: 'the caller has left' } } })
    }
  })

  it('a listener that throws keeps no other from being told', async () => {
    const signal = new CallSignal()
    let isTold = false
    signal.addEventListener('abort', () => {
      throw new Error('thrown by a listener')
    })
    signal.addEventListener('abort', () => {
      isTold = true
    })
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const caught = once(process, 'uncaughtException')
    signal.abort()
    expect(isTold).toBe(true)
    expect(await caught).toMatchObject([{ message: 'thrown by a listener' }, 'uncaughtException'])
    for (const listener of others) process.on('uncaughtException', listener)
  })

  it('a native signal is aborted with the signal of the call, and a signal of its own class is left as it is', () => {
    const signal = new CallSignal()
    const any = AbortSignal.any([nativeSignal(signal), AbortSignal.timeout(60_000)])
    signal.abort('why')
    expect(any.reason).toBe('why')
    expect(nativeSignal(signal).reason).toBe('why')
    // However often it is asked for: a signal that lives long gets one listener.
    const long = new CallSignal()
    expect(nativeSignal(long)).toBe(nativeSignal(long))
    const late = new CallSignal()
    late.abort('earlier')
    expect(nativeSignal(late).reason).toBe('earlier')
    const platform = new AbortController().signal
    expect(nativeSignal(platform)).toBe(platform)
  })

  it('a listener that was added until another signal is not told after that', () => {
    const told: string[] = []
    for (const own of [new CallSignal(), new AbortController()]) {
      const until = new AbortController()
      own.signal.addEventListener('abort', () => told.push('left'), { signal: until.signal })
      own.signal.addEventListener('abort', () => told.push('late'), { signal: AbortSignal.abort() })
      own.signal.addEventListener('abort', () => told.push('stayed'), { signal: new AbortController().signal })
      until.abort()
      own.abort()
    }
    expect(told).toEqual(['stayed', 'stayed'])
  })

  it('a joined signal is aborted with its parent until it leaves it', () => {
    const parent = new CallSignal()
    const joined = joinAbort(parent)
    const left = joinAbort(parent)
    left.leave()
    parent.abort('why')
    expect([joined.signal.reason, left.signal.aborted, joinAbort(parent).signal.reason]).toEqual(['why', false, 'why'])
  })
})
