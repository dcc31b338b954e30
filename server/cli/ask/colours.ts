import { styleText } from 'node:util'

/* Texts in colours, by node's own rules: of the terminal that standard output is, of NO_COLOR and of FORCE_COLOR. Without colours they stay as they are. */

const mark =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text)

export const strong = mark('bold')
export const faint = mark('dim')
export const good = mark('green')
export const bad = mark('red')
