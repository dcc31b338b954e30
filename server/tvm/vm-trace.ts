import type { VmStep } from './machine/step-log.ts'
import type { VmLog } from './tvm.ts'

/** The steps of a run as answers show them (schema VmTrace of shared/). `exit` is the text of the exit code. */
export const vmTrace = (exit: string | undefined, log: VmLog | undefined) => ({
  exit: exit ?? '',
  steps: (log?.steps ?? []).map((step: VmStep) => ({
    cell: step.cell,
    offset: step.offset,
    instruction: step.instruction,
    gas: step.gas,
    stack: [...step.stack],
    ...(step.registers === undefined ? {} : { registers: { ...step.registers } }),
  })),
  truncated: log?.truncated ?? false,
})
