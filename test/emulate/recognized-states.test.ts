import { expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictSet } from '../../server/cell/dict.ts'
import { createRecognizer, type StateContext } from '../../server/index/topics/states/emulated-states.ts'
import { ACCOUNT_STATUSES } from '../../server/store/codes.ts'
import { multisigMembers, multisigs } from '../../server/store/schema/wallets.ts'
import { stdAddress, storeAddressInt } from '../../server/tlb/address.ts'
import type { VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import type { GetMethodResult } from '../../server/tvm/tvm.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { fullDict } from '../kit/hostile-cells.ts'

/* Accounts in states that no block has yet. */

const { signal } = new AbortController()

it('a multisig that an emulation deploys is recognized with its members, whose rows are written in portions', async () => {
  let methods: Cell | undefined
  for (const name of ['get_multisig_data', 'get_order_address']) methods = dictSet(methods, 19, BigInt(methodId(name)), beginCell())
  const code = beginCell().storeUint(0xff00, 16).storeUint(0x1e94, 13).storeBit(1).storeUint(19, 10).storeRef(methods!).end()
  const data = beginCell().end()
  const one: VmStackValue = { type: 'int', value: 1n }
  const member = storeAddressInt(beginCell(), stdAddress(0, new Uint8Array(32))).end()
  const members: VmStackValue = { type: 'cell', cell: fullDict(8, { value: member }) }
  const runGetMethod = async () => ({ exitCode: 0, gasUsed: 0n, stack: [one, one, members, members] }) as unknown as GetMethodResult
  const key = Buffer.alloc(36)
  const facts = {
    ...{ stateHash: data.hash(), status: ACCOUNT_STATUSES.indexOf('active'), balance: 1n, extra: undefined, hidesExtra: false },
    ...{ codeHash: code.hash(), dataHash: data.hash(), frozenHash: undefined, code, data },
  }
  const context = { at: { seqno: 1 }, config: async () => ({ root: data }), libraries: async () => [] } as unknown as StateContext
  const states = [{ key, facts, lastTransLt: 1n, utime: 1, before: undefined }]
  const noticed = await createRecognizer({ tvm: { runGetMethod } }).notice(states, context, signal)
  const found = (await noticed.recognize(async () => [])).facts
  expect((await found.owners([key]))(multisigs)).toEqual([key])
  expect((await found.accountRows(multisigMembers, [key])).get(key.toString('latin1'))).toHaveLength(512)
})
