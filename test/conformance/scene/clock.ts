import type { LocalCall } from '../../kit/chain/local-calls.ts'

/* The chain's time stands still between the calls of the scene, so every block has the time that the scene gives it, whatever the machine's clock says. */

/** Calls a method; `local.mine` and everything else that makes a block uses the time of the scene. */
export interface Clock {
  readonly call: LocalCall
  /** Time of the next block, unix seconds. */
  now(): number
  /** Makes the blocks in which what was begun is done. */
  settle(): Promise<void>
}

/** Time between two things that happen, seconds. */
const STEP = 7
/** Blocks after each thing that happens. Messages go from contract to contract in the same or in the next block. */
const BLOCKS = 2

/** `start`: time of the genesis. Mining by itself is off. */
export const createClock = (call: LocalCall, start: number): Clock => {
  let time = start
  const mine = async (): ReturnType<LocalCall> => {
    await call('local.setTime', { utime: time, still: true })
    return call('local.mine', {}) as never
  }
  const controls: Readonly<Record<string, (params: never) => Promise<unknown>>> = {
    'local.setTime': async ({ utime }: { utime: number }) => {
      time = utime
      return { utime }
    },
    'local.increaseTime': async ({ seconds }: { seconds: number }) => {
      time += seconds
      return { utime: time }
    },
    'local.mine': async ({ count = 1 }: { count?: number }) => {
      for (let i = 1; i < count; i++) await mine()
      return mine()
    },
  }
  const settle = async (): Promise<void> => {
    for (let i = 0; i < BLOCKS; i++) await mine()
    time += STEP
  }
  return {
    now: () => time,
    settle,
    call: (async (method: string, params: object) => {
      const control = controls[method]
      if (control !== undefined) return control(params as never)
      if (method.startsWith('local.')) await call('local.setTime', { utime: time, still: true })
      return call(method as 'local.fund', params as never)
    }) as LocalCall,
  }
}
