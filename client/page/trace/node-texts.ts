import { compact, exact, tame } from '../base/format.ts'
import type { Outcome } from '../parts/outcome.ts'

/* The texts in the node of a transaction, and where they stand. */

/** Heights of the three lines of a node. */
export const LINES = { account: 20, kind: 38, what: 56 } as const
/** Characters of a line that a text and an amount share. The account is bold, and so wider. */
const SHARED = { account: 27, kind: 32, what: 32 } as const

/**
 * An amount with every digit, and the line of the node that has room for it beside its text: the first one if possible. A longer amount is cut, as `…` says.
 */
export const placeValue = (coins: string, { account, kind, what }: Readonly<Record<keyof typeof LINES, string>>) => {
  const whole = `${exact(coins, 9)} GRAM`
  const texts = { account, kind, what }
  const line = (Object.keys(LINES) as (keyof typeof LINES)[]).find((each) => texts[each].length + whole.length <= SHARED[each])
  return line === undefined ? { value: `${compact(coins, 9)} GRAM`, line: LINES.account } : { value: whole, line: LINES[line] }
}

/** Characters of the last line of a node. */
const LINE = 34

/** What a transaction received, and how it failed if it did: `Excess · exit code 65535`. */
export const lastLine = (what: string, outcome: Outcome | undefined): string =>
  outcome?.failed ? `${tame(what, LINE - outcome.short.length)} · ${outcome.short}` : tame(what, 28)
