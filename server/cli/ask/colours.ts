/** Marks texts for a terminal; without colours a text stays as it is. */
export interface Colours {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
}

const ESCAPE = '\x1b['

/** `on`: whether the output shows colours (showsColours). */
export const createColours = (on: boolean): Colours => {
  const mark =
    (begin: number, end: number) =>
    (text: string): string =>
      on ? `${ESCAPE}${begin}m${text}${ESCAPE}${end}m` : text
  return { strong: mark(1, 22), faint: mark(2, 22), good: mark(32, 39), bad: mark(31, 39) }
}
