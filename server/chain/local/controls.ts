import { TonError } from '../../../shared/errors.ts'
import { AbsentCellError } from '../../cell/absent.ts'
import { type BlockId, MASTERCHAIN, sameAccount } from '../../tlb/ids.ts'
import { type ClockState, MAX_TIME } from './chain-clock.ts'
import { messagesWaitAt } from './collate/queue.ts'
import { type FaucetWallet, type LocalControl, MINTER } from './local-chain.ts'
import type { StepsDeps } from './produce/steps.ts'
import { isInvalidInput } from './produce/tasks.ts'
import { MAX_WITHHELD } from './produce/withheld-steps.ts'
import type { Injection, MadeStep, Producer } from './producer.ts'
import { exportState } from './state-file.ts'

interface ControlState extends ClockState {
  readonly made: number
  readonly snapshots: readonly (ClockState & { readonly id: string; readonly seqno: number })[]
}

/** State of the controls of a new chain, as JSON for `saveControl`. `offset`: seconds from the machine's time to the chain's time. */
export const stateWithOffset = (offset: number): string => JSON.stringify({ offset, made: 0, snapshots: [] } satisfies ControlState)

const MAX_SNAPSHOTS = 1000
const MAX_BLOCKS = 100_000

const invalid = (text: string): TonError => new TonError('INVALID_PARAMS', text)

interface ControlDeps extends Pick<StepsDeps, 'store' | 'clock' | 'mempool' | 'printed' | 'withheld'> {
  readonly producer: Producer
  readonly wallets: readonly FaucetWallet[]
  readonly globalId: number
}

const timeControls = ({ producer, clock, withheld }: ControlDeps, save: () => void): Pick<LocalControl, 'setTime' | 'increaseTime'> => ({
  setTime: (utime, signal, isStill) =>
    producer.between(() => {
      const last = withheld.tip().master.utime
      if (!(Number.isInteger(utime) && utime <= MAX_TIME)) throw invalid('utime must be a 32-bit unix time')
      if (utime < last) throw invalid(`utime must not be before the time of the last block, ${last}`)
      clock.set(utime, isStill)
      save()
      return utime
    }, signal),
  increaseTime: (seconds, signal) =>
    producer.between(() => {
      const last = withheld.tip().master.utime
      if (!(Number.isInteger(seconds) && seconds >= 0 && clock.now(last) + seconds <= MAX_TIME)) {
        throw invalid('seconds must be a number that leads to a 32-bit unix time')
      }
      clock.increase(seconds)
      save()
      return clock.now(last)
    }, signal),
})

export const createControls = (deps: ControlDeps): LocalControl => {
  const { store, producer, clock, mempool, withheld } = deps
  const readState = (): ControlState => {
    const text = store.control()
    const stored: ControlState = text === undefined ? { offset: 0, made: 0, snapshots: [] } : (JSON.parse(text) as ControlState)
    // Ignores snapshots of reverted blocks. They remain if the process died between the revert and `save`.
    return { ...stored, snapshots: stored.snapshots.filter(({ seqno }) => seqno <= store.head().id.seqno) }
  }
  let saved = readState()
  clock.restore(saved)
  const save = (change: Partial<ControlState>): void => {
    saved = { ...saved, offset: clock.offset(), stillAt: clock.stillAt(), ...change }
    store.saveControl(JSON.stringify(saved))
  }

  const makeStep = async (injection: Injection, signal: AbortSignal): Promise<MadeStep> => {
    const { internals = [], sends = [], accounts: states = [] } = injection
    const accounts = [...[...internals, ...sends].flatMap(({ from, to }) => [from, to]), ...states.map(({ account }) => account)]
    for (const { workchain } of accounts) {
      if (workchain !== 0 && workchain !== MASTERCHAIN) throw invalid(`workchain ${workchain} does not exist`)
    }
    if (withheld.isFull())
      throw invalid(`${MAX_WITHHELD} shard blocks are held back, and no more can be: call local.holdShardBlocks with hold false`)
    try {
      return await producer.inject(injection, signal)
    } catch (error) {
      if (isInvalidInput(error)) throw new TonError('INVALID_PARAMS', error.message, { cause: error })
      throw error
    }
  }

  const inject = async (injection: Injection, signal: AbortSignal): Promise<BlockId> => (await makeStep(injection, signal)).master.id

  const messagesWait = (): boolean => mempool.nextAt() !== undefined || !withheld.isEmpty() || messagesWaitAt(store.tip())

  /** The last call of `impersonate`. An account can send only once per block without its key, so each call waits for the previous call. */
  let sending: Promise<unknown> = Promise.resolve()

  return {
    wallets: () => deps.wallets,
    fund: (to, amount, signal) => inject({ internals: [{ from: MINTER, to, value: amount, bounce: false }] }, signal),
    mine: async (count, signal) => {
      if (!(Number.isInteger(count) && count >= 1 && count <= MAX_BLOCKS)) throw invalid(`count must be from 1 to ${MAX_BLOCKS}`)
      let last = store.head().id
      for (let i = 0; i < count; i++) last = await inject({ takesMessages: true }, signal)
      return last
    },
    setAutomine: (on) => producer.setAutomine(on),
    holdShardBlocks: (on, signal) =>
      producer.between(async () => {
        if (on !== undefined) withheld.setOn(on)
        if (!withheld.isOn()) await withheld.write(() => mempool.placesWithout([]))
        return { hold: withheld.isOn(), blocks: withheld.count() }
      }, signal),
    ...timeControls(deps, () => save({})),
    snapshot: (signal) =>
      producer.between(() => {
        const { seqno } = store.head().id
        const [offset, stillAt] = [clock.offset(), clock.stillAt()]
        const last = saved.snapshots.at(-1)
        // Returns the same id again, because tests often take a snapshot at an unchanged block.
        if (last?.seqno === seqno && last.stillAt === stillAt && (stillAt !== undefined || last.offset === offset)) return last.id
        const made = saved.made + 1
        const id = `snapshot-${made}`
        const snapshots = [...saved.snapshots, { id, seqno, offset, stillAt }].slice(-MAX_SNAPSHOTS)
        save({ made, snapshots })
        return id
      }, signal),
    revert: (id, signal) =>
      producer.between(() => {
        const at = saved.snapshots.findIndex((snapshot) => snapshot.id === id)
        const snapshot = saved.snapshots[at]
        if (!snapshot) throw new TonError('NOT_FOUND', `there is no snapshot ${id}: it was never taken, or an earlier revert removed it`)
        mempool.clear()
        withheld.clear()
        const tip = store.revert(snapshot.seqno)
        producer.reverted(messagesWaitAt(tip))
        clock.restore(snapshot)
        save({ snapshots: saved.snapshots.slice(0, at + 1) })
        return tip.master.id
      }, signal),
    setAccount: (account, state, signal) => inject({ accounts: [{ account, ...state }] }, signal),
    sendInternal: (message, signal) => inject({ internals: [message] }, signal),
    impersonate: (message, signal) => {
      const sent = sending.then(async () => {
        const { master, sent } = await makeStep({ sends: [message] }, signal)
        const { lt, hash } = sent.find(({ account }) => sameAccount(account, message.from))!
        return { block: master.id, lt, hash }
      })
      sending = sent.catch(() => undefined)
      return sent
    },
    exportState: async (signal) => {
      const { tip, offset } = await producer.between(() => {
        if (messagesWait()) throw invalid('messages wait for a block, and a state has none: call local.mine first')
        return { tip: store.tip(), offset: clock.offset() }
      }, signal)
      try {
        return await exportState(tip, { globalId: deps.globalId, offset }, signal)
      } catch (error) {
        if (!(error instanceof AbsentCellError)) throw error
        throw new TonError('CHAIN', 'a fork has no whole state to export: most of its accounts were not fetched', { cause: error })
      }
    },
    arrival: (hashKey, signal) => producer.arrival(hashKey, signal),
    printed: deps.printed.of,
    idle: (signal) => producer.idle(signal),
    idleOrBusyTooLong: (signal) => producer.idleOrBusyTooLong(signal),
    messagesWait: (signal) => producer.between(messagesWait, signal),
    setConfig: (config, signal) => inject({ config }, signal),
  }
}
