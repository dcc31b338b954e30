import { setTimeout as sleep } from 'node:timers/promises'

const DRAW_MS = 250

/** Draws a text in the last line of a terminal whenever it has changed, until the signal is aborted. `draw`: undefined without a terminal. */
export const drawProgress = async (
  text: () => string,
  draw: ((text: string) => void) | undefined,
  signal = new AbortController().signal,
): Promise<void> => {
  if (draw === undefined) return
  for (let drawn = ''; !signal.aborted; await sleep(DRAW_MS, undefined, { signal, ref: false }).catch(() => {})) {
    const now = text()
    if (now !== drawn) draw(now)
    drawn = now
  }
  draw('')
}
