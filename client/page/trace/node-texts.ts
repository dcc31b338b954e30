import type { Outcome } from '../../outcome.ts'
import { compact, exact, tame } from '../base/format.ts'

/** Vertical positions of the node's three lines. */
export const LINES = { account: 20, kind: 38, what: 56 } as const
/** Maximum characters in a line that contains a text and an amount. The account's line has fewer, because its text is bold. */
const SHARED = { account: 27, kind: 32, what: 32 } as const

/** The amount with all digits, and the first line that has space for it next to its text. If no line has, the amount is shortened and ends with `…`. */
export const placeValue = (coins: string, { account, kind, what }: Readonly<Record<keyof typeof LINES, string>>) => {
  const whole = `${exact(coins, 9)} GRAM`
  const texts = { account, kind, what }
  const line = (Object.keys(LINES) as (keyof typeof LINES)[]).find((each) => texts[each].length + whole.length <= SHARED[each])
  return line === undefined ? { value: `${compact(coins, 9)} GRAM`, line: LINES.account } : { value: whole, line: LINES[line] }
}

const LINE = 34

/** The received message, and the failure if there is one: `Excess · exit code 65535`. */
export const lastLine = (what: string, outcome: Outcome | undefined): string =>
  outcome?.failed ? `${tame(what, LINE - outcome.short.length)} · ${outcome.short}` : tame(what, 28)
