import type { Cell } from '../../../server/cell/cell.ts'
import { storeWhole } from '../../../server/tlb/config/config-dictionary.ts'
import { globalVersion } from '../../../server/tlb/config/general.ts'
import { type MakeTransaction, makeTransaction, type TransactionOutcome } from '../../../server/tvm/make-transaction.ts'
import { createHandles } from '../tvm/emulator/handles.ts'
import { emulateTransaction } from '../tvm/emulator/transaction.ts'
import { compileEmulator } from '../tvm/emulator/wasm.ts'
import '../tvm/curves.ts'

/* Transactions by the emulator of @ton/sandbox, with the same interface as the project's executor: both can make the same chain. */

/** Parameter 8 with the newest version that the emulator knows, and the capabilities of the embedded chain. */
export const EMULATOR_CONFIG: ReadonlyMap<number, Cell> = new Map([[8, storeWhole(globalVersion, { version: 12, capabilities: 0x6cn })]])

/** Makes transactions with the emulator, in the calling thread. */
export const emulatorTransactions = async (): Promise<MakeTransaction> => {
  const handles = createHandles(await compileEmulator())
  return (request) => emulateTransaction(handles, request)
}

const told = (outcome: TransactionOutcome): string =>
  outcome.ok
    ? `${outcome.transaction.hashHex()} ${outcome.shardAccount.accountCell.hashHex()} ${outcome.gasUsed} ${outcome.outMsgs.length} ${outcome.endLt}`
    : `refused with ${outcome.exitCode}`

/** Runs both engines on every transaction. Returns our outcome and collects differences. */
export const comparedTransactions = (emulated: MakeTransaction) => {
  const differences: string[] = []
  let compared = 0
  const make: MakeTransaction = async (request, signal) => {
    const own = makeTransaction(request)
    const other = await emulated(request, signal)
    compared++
    if (told(own) !== told(other)) differences.push(`${told(own)} here, ${told(other)} by the emulator`)
    return own
  }
  return { make, differences, compared: () => compared }
}
