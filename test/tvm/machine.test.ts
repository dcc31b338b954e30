import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { lastSteps } from '../../server/tvm/last-steps.ts'
import { VmInterrupted } from '../../server/tvm/machine/exceptions.ts'
import { MAX_LOG_CHARACTERS, MAX_STEPS } from '../../server/tvm/machine/step-log.ts'
import { runVm, type VmRequest } from '../../server/tvm/run-vm.ts'
import '../kit/tvm/curves.ts'

const code = (hex: string): Cell => beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
const run = (hex: string, more: Partial<VmRequest> = {}) =>
  runVm({ code: code(hex), stack: [], c7: [], gas: { limit: 1_000_000 }, version: 15, ...more })

describe('the machine', () => {
  it('the machine adds two constants and returns at the end of the code', () => {
    // PUSHINT 1, PUSHINT 2, ADD, implicit RET
    const result = run('7172a0')
    expect(result).toMatchObject({ exitCode: 0, gasUsed: 59, steps: 4, stack: [3], committed: true })
  })

  it('the machine ends an uncaught exception with its code and argument, and commits nothing', () => {
    // PUSHINT 1, PUSHINT 0, DIV
    expect(run('7170a904')).toMatchObject({ exitCode: 4, stack: [0], committed: false })
  })

  it('the machine ends a run out of gas with -14 and the consumed gas', () => {
    const result = run('7172a0', { gas: { limit: 40 } })
    expect(result).toMatchObject({ exitCode: -14, gasUsed: 54, stack: [54], committed: false })
  })

  it('the machine charges an opcode that does not exist 10 gas and throws 6', () => {
    expect(run('fc')).toMatchObject({ exitCode: 6, gasUsed: 60, steps: 2 })
  })

  it('the machine reads an opcode that is cut off as if zeros followed', () => {
    // 4 bits 0xA: A0 is ADD, 18 gas, and then an invalid opcode
    const cut = beginCell().storeUint(0xa, 4).end()
    expect(runVm({ code: cut, stack: [], c7: [], gas: { limit: 1000 }, version: 15 })).toMatchObject({ exitCode: 6, gasUsed: 68 })
  })

  it('the machine asks its caller regularly, and drops the run when told so', () => {
    let asked = 0
    // 10,000 gas of additions in references that follow each other
    let cell = code('7171a0')
    for (let i = 0; i < 300; i++) cell = beginCell().storeBytes(Buffer.from('7171a0', 'hex')).storeRef(cell).end()
    const interrupt = () => ++asked > 1
    expect(() => runVm({ code: cell, stack: [], c7: [], gas: { limit: 1_000_000 }, version: 15, interrupt })).toThrow(VmInterrupted)
    expect(asked).toBe(2)
  })

  it('the machine counts its gas and asks its caller too if a configuration allows more gas than a number can count', () => {
    let asked = 0
    const interrupt = () => {
      asked++
      return false
    }
    // 30,000 turns of a loop
    const hex = '8175309100e4'
    const { gasUsed } = run(hex)
    expect(run(hex, { gas: { limit: 2 ** 64, credit: 2 ** 64 }, interrupt }).gasUsed).toBe(gasUsed)
    expect(asked).toBeGreaterThan(gasUsed / 5100)
  })

  it('the machine logs its steps with instruction, gas and stack', () => {
    const { log } = run('7172a0', { log: true })
    expect(log!.steps.map((step) => `${step.offset} ${step.instruction} ${step.gas} [${step.stack}]`)).toEqual([
      '0 PUSHINT 1 1000000 []',
      '8 PUSHINT 2 999982 [1]',
      '16 ADD 999964 [1,2]',
      '24 implicit RET 999946 [3]',
    ])
    expect(log!.truncated).toBe(false)
  })

  it('the last steps of a run show the top of a stack that is too long', () => {
    const stack = [...Array.from({ length: 9 }, () => `C{${'ab'.repeat(32)}}`), '-3400', '0']
    const [step, long] = lastSteps([
      { instruction: 'THROWIFNOT 706', stack },
      { instruction: `PUSHSLICE x{${'ab'.repeat(250)}}`, stack: ['7'] },
    ])
    expect(step).toMatch(/^THROWIFNOT 706 {2}\[….*ab\} -3400 0\]$/)
    expect(step).toHaveLength(200)
    expect(long).toMatch(/^PUSHSLICE x\{[ab]+… {2}\[7\]$/)
  })

  it('the machine ends its log at 4 MB of stacks and registers, and says so', () => {
    const stack = new Array<bigint>(50).fill(1n << 255n)
    // PUSHCONT { NOP }, AGAIN
    const { log, exitCode } = run('9100ea', { log: true, stack })
    const texts = log!.steps.flatMap((step) => [...step.stack, ...Object.values(step.registers ?? {})])
    const characters = texts.reduce((sum, text) => sum + text.length, 0)
    expect([exitCode, log!.truncated]).toEqual([-14, true])
    expect(log!.steps.length).toBeLessThan(MAX_STEPS)
    expect(characters).toBeLessThanOrEqual(MAX_LOG_CHARACTERS)
    expect(characters).toBeGreaterThan(MAX_LOG_CHARACTERS / 2)
  })

  it('the machine counts each small number of a long stack in its log as a text', () => {
    const { log } = run('9100ea', { log: true, stack: new Array<bigint>(3_000).fill(1n) })
    expect(log!.truncated).toBe(true)
    const texts = log!.steps.reduce((sum, { stack }) => sum + stack.length, 0)
    expect(texts).toBeLessThanOrEqual(MAX_LOG_CHARACTERS / 16)
    expect(texts).toBeGreaterThan(MAX_LOG_CHARACTERS / 32)
  })

  it('the machine ends with 8 if data is too deep to be kept, and if a cell is too deep to be made', () => {
    // NEWC, ENDC, PUSHINT n, PUSHCONT { NEWC, STREF, ENDC }, REPEAT, POP c4
    const chain = (n: number) => run(`c8c981${n.toString(16).padStart(4, '0')}93c8ccc9e4ed54`)
    expect(chain(512)).toMatchObject({ exitCode: 0, committed: true })
    expect(chain(513)).toMatchObject({ exitCode: 8, stack: [0], committed: false })
    expect(chain(1_100)).toMatchObject({ exitCode: 8, committed: false })
  })
})
