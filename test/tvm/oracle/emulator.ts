import { parseBocRoot } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { configParam } from '../../../server/tlb/config/config-dictionary.ts'
import type { GetMethodRequest, Tvm } from '../../../server/tvm/tvm.ts'
import { walletV4 } from '../../kit/chain/contracts.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { idOf } from '../../kit/tvm/cells.ts'
import { createComparedTvm, type Difference } from '../../kit/tvm/emulator/compared.ts'
import { emulatorConfig } from '../../kit/tvm/emulator/forms.ts'
import { configOf } from './configs.ts'
import type { Opcode } from './opcodes.ts'
import { makeProgramCase, type ProgramCase } from './programs.ts'
import { countOne, newTally, report } from './tally.ts'

/* Instructions by the machine and by the emulator of @ton/sandbox, as get-methods: the emulator runs nothing else without an account. */

/** Versions at which something changed and that the emulator knows. */
const VERSIONS = [4, 9, 12]

const DROP = 0x30
const MAX_SHOWN = 40

const configs = new Map<number, Cell>()
const configFor = (version: number): Cell => {
  const config = configs.get(version) ?? configOf(version, 'usual')
  configs.set(version, config)
  return config
}

/** A get-method that drops its id and then runs the program. */
const requestOf = ({ code, data, stack, gas, version, libraries }: ProgramCase): GetMethodRequest => ({
  config: configFor(version),
  code: beginCell().storeUint(DROP, 8).storeSlice(code.slice()).end(),
  data,
  address: idOf(walletV4.address),
  balance: 1_000_000_000n,
  methodId: 1,
  stack,
  now: 1_760_000_000,
  randomSeed: Buffer.alloc(32, 1),
  gasLimit: BigInt(gas),
  ...(libraries.equals(EMPTY_CELL) ? {} : { libraries: [libraries] }),
})

/** Parameter 43 of the emulator's configuration ends earlier. What a program pushes of it, or of the root, differs by its hash. */
const SHORTENED = 43
const renamed = new Map<number, readonly (readonly [own: string, emulator: string])[]>()
const renamedAt = (version: number): readonly (readonly [own: string, emulator: string])[] => {
  const known = renamed.get(version)
  if (known !== undefined) return known
  const roots = [configFor(version), parseBocRoot(emulatorConfig(configFor(version)).full)] as const
  const hashes = [roots, roots.map((root) => configParam(root, SHORTENED)!)].map(
    ([own, emulator]) => [own!.hashHex(), emulator!.hashHex()] as const,
  )
  renamed.set(version, hashes)
  return hashes
}

/** The kind of a difference that stands (server/tvm/DIFFERENCES.md), or that the emulator's configuration makes. */
const knownKind = ({ own, emulator }: Difference, { names, version }: ProgramCase): string | undefined => {
  if (renamedAt(version).reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), own) === emulator) return 'a shorter parameter 43'
  if (own.startsWith('exit 5 ') && names.some((name) => /LSHIFT.*(DIV|MOD)/.test(name))) return 'a count of more than 64 bits'
  return undefined
}

/** Each instruction at each of VERSIONS with so many stacks. Prints what differs, and resolves with how many cases do. */
export const compareWithEmulator = async (opcodes: readonly Opcode[], stacks: number, seed: number): Promise<number> => {
  const own: Tvm = createTestTvm({ workers: 1 })
  const compared = await createComparedTvm(own)
  const { signal } = new AbortController()
  const tally = newTally()
  const compareOne = async (c: ProgramCase): Promise<void> => {
    const before = compared.differences().length
    await compared.runGetMethod(requestOf(c), signal)
    const difference = compared.differences()[before]
    if (difference === undefined) {
      tally.same++
      return
    }
    const known = knownKind(difference, c)
    if (known !== undefined) {
      countOne(tally.known, known)
      return
    }
    tally.different++
    countOne(tally.byName, c.names[0]!)
    if (tally.different <= MAX_SHOWN)
      console.log(
        `seed ${c.seed} version ${c.version}: ${c.names.join(' ')}\n  own      ${difference.own.slice(0, 400)}\n  emulator ${difference.emulator.slice(0, 400)}`,
      )
  }
  try {
    for (const [first] of opcodes.entries())
      for (const version of VERSIONS)
        for (let i = 0; i < stacks; i++) await compareOne(makeProgramCase(opcodes, seed + first * stacks + i, first, version))
  } finally {
    await own.close()
  }
  return report(`${opcodes.length} instructions with ${stacks} stacks at versions ${VERSIONS.join(', ')} beside the emulator`, tally)
}
