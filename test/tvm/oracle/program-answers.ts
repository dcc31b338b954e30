import { createHash } from 'node:crypto'
import { storeVmStack } from '../../../server/tlb/vm-stack/store.ts'
import type { Tuple } from '../../../server/tvm/machine/value.ts'
import { fromStackValue } from '../../../server/tvm/machine/vm-stack-value.ts'
import { runVm } from '../../../server/tvm/run-vm.ts'
import { configOf } from './configs.ts'
import { base64, type GoOracle } from './go-oracle.ts'
import type { ProgramCase } from './programs.ts'
import { stackText } from './values.ts'
import '../../kit/tvm/curves.ts'

/** What a run left. The digest is of the stack and of c4 and c5 as committed. */
export interface ProgramAnswer {
  readonly exit: number
  readonly gas: number
  readonly steps: number
  readonly stack: string
  readonly c4: string
  readonly c5: string
}

/** 8 bytes of hex that stand for the stack and the registers. */
export const digestOf = ({ stack, c4, c5 }: ProgramAnswer): string =>
  createHash('sha256').update(`${stack}|${c4}|${c5}`).digest('hex').slice(0, 16)

/** An answer in a short line: what fixtures keep. */
export const lineOf = (answer: ProgramAnswer): string => `${answer.exit} ${answer.gas} ${answer.steps} ${digestOf(answer)}`

/** Gas that ACCEPT gives here. The oracle has no limit then, and does not come back from a program that loops after it. */
const ACCEPTED_GAS = 10_000_000
/** Whether a program used up what ACCEPT gives: it is not given to the oracle. */
export const isEndless = ({ exit, gas }: ProgramAnswer): boolean => exit === -14 && gas > ACCEPTED_GAS

/** The project's own machine. */
export const ownRun = (c: ProgramCase): ProgramAnswer => {
  const result = runVm({
    code: c.code,
    data: c.data,
    stack: c.stack.map(fromStackValue),
    c7: fromStackValue(c.c7) as Tuple,
    gas: { limit: c.gas, max: ACCEPTED_GAS },
    version: c.version,
    libraries: [c.libraries],
  })
  return {
    exit: result.exitCode,
    gas: result.gasUsed,
    steps: result.steps,
    stack: stackText(result.stack),
    c4: result.data?.hashHex() ?? '',
    c5: result.actions?.hashHex() ?? '',
  }
}

const configs = new Map<number, ReturnType<typeof configOf>>()
const configFor = (version: number): ReturnType<typeof configOf> => {
  let config = configs.get(version)
  if (config === undefined) {
    config = configOf(version, 'usual')
    configs.set(version, config)
  }
  return config
}

/** tonutils-go; an error text where it could not run the case at all. */
export const goRun = async (oracle: GoOracle, c: ProgramCase): Promise<ProgramAnswer | string> => {
  const answer = await oracle.ask({
    op: 'run',
    config: await oracle.config(configFor(c.version)),
    code: base64(c.code),
    data: base64(c.data),
    stack: base64(storeVmStack(c.stack)),
    c7: base64(storeVmStack([c.c7])),
    gas: c.gas,
    libraries: base64(c.libraries),
  })
  if (answer.error !== undefined) return answer.error
  return { exit: answer.exit, gas: answer.gas, steps: answer.steps, stack: answer.stack ?? '', c4: answer.c4 ?? '', c5: answer.c5 ?? '' }
}
