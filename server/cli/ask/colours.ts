const ESCAPE = '\x1b['

export type Colours = ReturnType<typeof createColours>

/** Adds terminal colours to texts, or nothing if the output has no colours. */
export const createColours = (on: boolean) => {
  const mark =
    (begin: number, end: number) =>
    (text: string): string =>
      on ? `${ESCAPE}${begin}m${text}${ESCAPE}${end}m` : text
  return { strong: mark(1, 22), faint: mark(2, 22), good: mark(32, 39), bad: mark(31, 39) }
}
