import { TvmError } from '../../../../server/tvm/tvm.ts'
import { createEmulator, type Emulator } from './emulator.ts'
import type { ConfigForm, EmulatorConfig } from './forms.ts'

/** An instance with more memory is dropped after a run. WASM memory never shrinks, and a run of a million gas leaves megabytes of log in it. */
const RECYCLE_BYTES = 40 << 20

interface Slot {
  readonly config: EmulatorConfig
  /** Pointers to the configuration's text in the instance's memory, by form. */
  readonly texts: { [F in ConfigForm]?: number }
  handle?: number
  /** PREVBLOCKSINFO that the handle currently holds. */
  blocks?: Uint8Array
}

/** The emulator instance of a worker, with its data by configuration. */
export interface Handles {
  emulator(): Promise<Emulator>
  /** Pointer to the base64 text of a configuration. */
  text(configId: string, form: ConfigForm): number
  /** A transaction emulator for the configuration, made at first use (1-3 ms). It keeps seed, libraries and previous blocks between runs. */
  handle(configId: string): number
  /**
   * Whether the handle holds these previous blocks from the last run, so that they need not be passed again: reading 33 of them costs half as much as
   * a wallet's transaction. For other blocks it returns false once, and the next run must pass them.
   */
  holdsBlocks(configId: string, blocks: Uint8Array): boolean
  /** Whether a library that a run requested is a parameter left out of the slim form. */
  slimmed(configId: string, hash: string): boolean
  add(config: EmulatorConfig): void
  forget(configId: string): void
  /** Drops the instance: after an exception the state of its memory is unknown. */
  reset(): void
  /** Drops the instance if it has grown large. */
  tidy(): void
}

export const createHandles = (module: WebAssembly.Module): Handles => {
  const slots = new Map<string, Slot>()
  let instance: Emulator | undefined
  const live = (): Emulator => {
    if (!instance) throw new TvmError('crashed', 'the emulator has no instance')
    return instance
  }
  const slot = (configId: string): Slot => {
    const found = slots.get(configId)
    if (!found) throw new TvmError('rejected', `no configuration ${configId}`)
    return found
  }
  const text = (configId: string, form: ConfigForm): number => {
    const { texts, config } = slot(configId)
    texts[form] ??= live().keep(config[form])
    return texts[form]
  }
  const reset = (): void => {
    instance = undefined
    for (const [id, { config }] of slots) slots.set(id, { config, texts: {} })
  }
  return {
    emulator: async () => {
      instance ??= await createEmulator(module)
      return instance
    },
    text,
    handle: (configId) => {
      const entry = slot(configId)
      if (!entry.handle) {
        entry.handle = live().createHandle(text(configId, 'full'))
        if (!entry.handle) throw new TvmError('rejected', 'the emulator refused the configuration')
      }
      return entry.handle
    },
    holdsBlocks: (configId, blocks) => {
      const entry = slot(configId)
      if (entry.blocks !== undefined && Buffer.compare(entry.blocks, blocks) === 0) return true
      entry.blocks = blocks
      return false
    },
    slimmed: (configId, hash) => slot(configId).config.slimmed.includes(hash),
    add: (config) => {
      slots.set(config.id, { config, texts: {} })
    },
    forget: (configId) => {
      const entry = slots.get(configId)
      slots.delete(configId)
      if (!instance || !entry) return
      if (entry.handle) instance.destroyHandle(entry.handle)
      for (const pointer of Object.values(entry.texts)) instance.free(pointer)
    },
    reset,
    tidy: () => {
      if (instance && instance.memoryBytes() > RECYCLE_BYTES) reset()
    },
  }
}
