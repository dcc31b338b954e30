import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createHandles, type Handles } from '../../kit/tvm/emulator/handles.ts'
import { emulateBytes, holdConfig } from '../../kit/tvm/emulator/transaction.ts'
import { compileEmulator } from '../../kit/tvm/emulator/wasm.ts'
import type { TransactionAnswer } from './transaction-answers.ts'
import { configOfCase, type TransactionCase } from './transactions.ts'

/* The WebAssembly emulator of @ton/sandbox: TON's own C++ up to global version 12. */

/** The newest version whose rules it knows. */
export const WASM_VERSION = 12

const bocOf = (cell: Cell): Uint8Array => serializeBoc(cell, { crc32c: false })

export class WasmOracle {
  private readonly handles: Handles
  /** Settles when the emulator is free: it runs one transaction at a time. */
  private free: Promise<unknown> = Promise.resolve()

  private constructor(module: WebAssembly.Module) {
    this.handles = createHandles(module)
  }

  static async create(): Promise<WasmOracle> {
    return new WasmOracle(await compileEmulator())
  }

  /** undefined where the emulator itself fails, which it does on some inputs that no validator would let pass. */
  transaction(c: TransactionCase): Promise<TransactionAnswer | undefined> {
    const answer = this.free.then(() => this.run(c))
    this.free = answer.catch(() => undefined)
    return answer
  }

  private async run(c: TransactionCase): Promise<TransactionAnswer | undefined> {
    const result = await emulateBytes(this.handles, {
      kind: c.kind,
      configId: holdConfig(this.handles, configOfCase(c)),
      shardAccount: bocOf(c.account),
      now: c.now,
      lt: c.lt,
      randomSeed: c.blockSeed,
      message: c.message && bocOf(c.message),
      libraries: c.libraries && bocOf(c.libraries),
    })
    if (!result.ok && result.error.startsWith('the emulator failed')) return undefined
    if (result.ok) return { outcome: 'made', transaction: parseBocRoot(result.transaction), detail: '' }
    return {
      outcome: result.exitCode === undefined ? 'impossible' : 'refused',
      transaction: undefined,
      detail: `${result.error} exit ${result.exitCode}`,
    }
  }
}
