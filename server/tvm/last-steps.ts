import type { VmStep } from './machine/step-log.ts'

/** Maximum number of steps that are shown of a failed run, and of characters of one step. */
const MAX_STEPS = 12
const MAX_CHARACTERS = 200

/** Prefix of debug output in texts for people, as TON's node writes it. */
export const DEBUG_MARK = '#DEBUG#: '

/** The last steps of a run. Each line has an instruction and the stack before the instruction. Of a long stack the end is shown, where its top is. */
export const lastSteps = (steps: readonly Pick<VmStep, 'instruction' | 'stack'>[]): string[] =>
  steps.slice(-MAX_STEPS).map(({ instruction, stack }) => {
    const name = instruction.length > MAX_CHARACTERS / 2 ? `${instruction.slice(0, MAX_CHARACTERS / 2)}…` : instruction
    const values = stack.join(' ')
    const room = MAX_CHARACTERS - name.length - '  […]'.length
    return `${name}  [${values.length > room + 1 ? `…${values.slice(-room)}` : values}]`
  })
