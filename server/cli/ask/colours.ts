import { styleText } from 'node:util'

/* Texts in colours of a terminal. Whoever prints them leaves the colours out where nobody sees them. */

const mark =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false })

export const strong = mark('bold')
export const faint = mark('dim')
export const good = mark('green')
export const bad = mark('red')
