import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { NO_HASH } from '../../../server/chain/local/hash-keys.ts'
import { shardAccountCell } from '../../../server/tlb/state/shard-account.ts'
import { executeTransaction, type TransactionRequest } from '../../../server/tvm/executor/execute.ts'
import { applyAccountInput } from '../../kit/chain/account-input.ts'
import { emulatorConfig } from '../../kit/tvm/emulator/forms.ts'
import { createHandles } from '../../kit/tvm/emulator/handles.ts'
import { emulateBytes } from '../../kit/tvm/emulator/transaction.ts'
import { compileEmulator } from '../../kit/tvm/emulator/wasm.ts'
import { configOf } from '../../tvm/oracle/configs.ts'
import type { Bench, Rig } from '../bench.ts'
import { seed32, transfer, wallets } from '../chain/transfers.ts'

/* One transfer of a wallet v4R2: its signature is checked, and a message leaves. Cells at hand here, bytes at hand for the emulator. */

const NOW = 1_800_000_000
const LT = 1_000_000n
const TIMES = 200

const transferRig = async (): Promise<Rig> => {
  const { accounts, keys } = wallets(2)
  const { message, dest: account } = transfer(accounts, keys, 0)
  const accountCell = applyAccountInput(undefined, account, accounts[0]!, NOW)
  const shardAccount = { accountCell, lastTransHash: NO_HASH, lastTransLt: 0n }
  const root = configOf(12, 'usual')
  const blockSeed = seed32('seed')
  const request: TransactionRequest = {
    kind: 'message',
    config: root,
    account,
    shardAccount,
    message,
    lt: LT,
    now: NOW,
    blockSeed,
    libraries: undefined,
  }
  const own = () => {
    const made = executeTransaction(request)
    if (!made.accepted) throw new Error(`the wallet refused the message with exit code ${made.exitCode}`)
    return made.transaction
  }

  const handles = createHandles(await compileEmulator())
  const config = emulatorConfig(root)
  handles.add(config)
  const state = serializeBoc(shardAccountCell(shardAccount), { crc32c: false })
  const given = {
    kind: 'message' as const,
    configId: config.id,
    shardAccount: state,
    message: serializeBoc(message, { crc32c: false }),
    lt: LT,
    now: NOW,
    randomSeed: blockSeed,
  }
  const theirs = async (): Promise<Uint8Array> => {
    const result = await emulateBytes(handles, given)
    if (!result.ok) throw new Error(result.error)
    return result.transaction
  }
  if (!parseBocRoot(await theirs()).equals(own())) throw new Error('the engines make different transactions')
  return {
    ours() {
      for (let i = 0; i < TIMES; i++) own()
    },
    async yardstick() {
      for (let i = 0; i < TIMES; i++) await theirs()
    },
  }
}

export const walletTransfer: Bench = {
  name: `a wallet v4 transfer, ${TIMES} times, beside the emulator`,
  target: { atLeast: 3 },
  basis: 'cpu',
  warmUps: 5,
  setup: transferRig,
}
