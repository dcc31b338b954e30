/** Adds terminal colours to texts, or nothing if the output has no colours. */
export interface Colours {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
}

const ESCAPE = '\x1b['

export const createColours = (on: boolean): Colours => {
  const mark =
    (begin: number, end: number) =>
    (text: string): string =>
      on ? `${ESCAPE}${begin}m${text}${ESCAPE}${end}m` : text
  return { strong: mark(1, 22), faint: mark(2, 22), good: mark(32, 39), bad: mark(31, 39) }
}
