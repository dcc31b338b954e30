import { styleText } from 'node:util'

export type Colours = ReturnType<typeof createColours>

/** Adds terminal colours to texts, or nothing if the output has no colours. */
export const createColours = (on: boolean) => {
  const mark =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      on ? styleText(format, text, { validateStream: false }) : text
  return { strong: mark('bold'), faint: mark('dim'), good: mark('green'), bad: mark('red') }
}
