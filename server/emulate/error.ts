import { Fault } from '../base/fault.ts'

/**
 * Why an emulation has no result. `refused`: the account did not accept the message (`exitCode` is the VM's). `message`: the message cannot be delivered.
 * `time`: no transaction was emulated in time. `limit`: earlier messages of the bundle used up all transactions.
 */
export class EmulationError extends Fault {
  override readonly name = 'EmulationError'
  readonly kind: 'refused' | 'message' | 'time' | 'limit'
  readonly answeredAs: Fault['answeredAs']
  readonly exitCode: number | undefined
  constructor(kind: EmulationError['kind'], message: string, options?: ErrorOptions & { readonly exitCode?: number | undefined }) {
    super(message, options)
    this.kind = kind
    this.exitCode = options?.exitCode
    this.answeredAs = kind === 'time' ? 'SOURCE_TIMEOUT' : 'EMULATION'
  }
}

/** Returns whether an emulation would fail again with the same error. Every other error may pass: time, a full queue, or a source that is away. */
export const isFinal = (error: unknown): error is EmulationError => error instanceof EmulationError && error.kind !== 'time'

export const tookTooLong = (cause: unknown): EmulationError =>
  new EmulationError('time', 'failed to receive result from emulator channel: the emulation took longer than 3 seconds', { cause })
