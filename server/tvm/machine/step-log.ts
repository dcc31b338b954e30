import { Cell } from '../../cell/cell.ts'
import { Slice } from '../../cell/slice.ts'
import { VmBuilder } from './builder.ts'
import { Continuation } from './continuation.ts'
import type { Machine } from './machine.ts'
import type { Value } from './value.ts'

/** Maximum number of steps of a log, and of characters of all their stacks and registers. */
export const MAX_STEPS = 10_000
export const MAX_LOG_CHARACTERS = 4_000_000
/** Maximum number of characters of one stack in the log. A longer stack is cut. */
const MAX_STACK_TEXT = 4_000
const MAX_REGISTER_TEXT = 1_000

export interface VmStep {
  /** Hash (hex) of the code cell, and the bit offset of the instruction in it. */
  readonly cell: string
  readonly offset: number
  /** Mnemonic with operands; "implicit RET", "implicit JMPREF", "exception 7". */
  readonly instruction: string
  /** Remaining gas before the step. */
  readonly gas: number
  /** Values from the bottom to the top, in short form. */
  readonly stack: readonly string[]
  /** Registers that changed since the previous step, in short form; all of them in the first step. */
  readonly registers?: Readonly<Record<string, string>>
}

export class StepLog {
  readonly steps: VmStep[] = []
  truncated = false
  private characters = 0
  private readonly before = new Map<string, Value>()

  add(vm: Machine, instruction: string): void {
    if (this.truncated) return
    const stack = stackText(vm.stack)
    const { base } = vm.block.code
    const registers = this.changed(vm)
    const step = {
      cell: base.hashHex(),
      offset: vm.block.from(vm.ip).bitsBefore,
      instruction,
      gas: vm.gas,
      stack,
      ...(registers === undefined ? {} : { registers }),
    }
    this.characters += lengthOf(stack) + lengthOf(Object.values(registers ?? {})) + 160 + instruction.length
    if (this.steps.length >= MAX_STEPS || this.characters > MAX_LOG_CHARACTERS) this.truncated = true
    else this.steps.push(step)
  }

  private changed({ c0, c1, c2, c3, c4, c5, c7 }: Machine): Record<string, string> | undefined {
    let found: Record<string, string> | undefined
    for (const [name, value] of Object.entries({ c0, c1, c2, c3, c4, c5, c7 })) {
      if (this.before.has(name) && this.before.get(name) === value) continue
      this.before.set(name, value)
      found ??= {}
      found[name] = valueText(value, MAX_REGISTER_TEXT)
    }
    return found
  }
}

/** To write a text as JSON, and to read it from a thread, takes as long as this many characters. */
const PER_TEXT = 16

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length + PER_TEXT, 0)

const stackText = (stack: readonly Value[]): string[] => {
  const texts: string[] = []
  let left = MAX_STACK_TEXT
  for (let i = stack.length - 1; i >= 0 && left > 0; i--) {
    const text = valueText(stack[i]!, left)
    left -= text.length
    texts.unshift(text)
  }
  if (texts.length < stack.length) texts.unshift(`... ${stack.length - texts.length} more`)
  return texts
}

/** A value in short form, at most about `room` characters. */
export const valueText = (value: Value, room: number): string => {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Cell) return `C{${value.hashHex()}}`
  if (value instanceof Slice) return `CS{${hexOf(value.preloadBits(value.remainingBits), value.remainingBits)},${value.remainingRefs}}`
  if (value instanceof VmBuilder) return `BC{${hexOf(value.data(), value.bits)},${value.refs}}`
  if (value instanceof Continuation) return continuationText(value)
  let text = '['
  for (const item of value) {
    if (text.length > room) return `${text} ...]`
    text += `${text === '[' ? '' : ' '}${valueText(item, room - text.length)}`
  }
  return `${text}]`
}

const continuationText = ({ block, n }: Continuation): string => {
  if (block === null) return 'Cont'
  const { base, bitsBefore } = block.from(n)
  return `Cont{${base.hashHex()}:${bitsBefore}}`
}

/** Bits as hex. A trailing _ means that the last digit ends with a completion tag (a 1 and zeros). */
export const hexOf = (bytes: Uint8Array, bits: number): string => {
  if (bits % 4 === 0)
    return Buffer.from(bytes)
      .toString('hex')
      .slice(0, bits / 4)
  const tagged = Buffer.alloc((bits + 8) >>> 3)
  tagged.set(bytes)
  tagged[bits >>> 3]! |= 128 >>> (bits & 7)
  return `${tagged.toString('hex').slice(0, Math.ceil(bits / 4))}_`
}
