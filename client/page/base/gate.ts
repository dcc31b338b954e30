import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'

/* A view is shown when all of its parts are loaded, so that no part moves another while somebody reads it. */

/** Hides a view while any of its parts is loading. */
export interface Gate {
  /** Hides it until the returned function is called. */
  hold(): () => void
  /** Checks whether anything hides it. Call it once the view is mounted. */
  begin(): void
}

/** Calls `open` when nothing hides the view any more. */
export const createGate = (open: () => void): Gate => {
  let holds = 0
  // A loaded part may have parts of its own, which hide the view again in the same turn.
  const look = (): void => void setTimeout(() => holds === 0 && open())
  return {
    hold() {
      holds += 1
      return () => {
        holds -= 1
        if (holds === 0) look()
      }
    },
    begin: look,
  }
}

export const GateContext = createContext<Gate | undefined>(undefined)

/** Hides the view while this part is not loaded. */
export const useHold = (isMissing: boolean): void => {
  const gate = useContext(GateContext)
  useLayoutEffect(() => (isMissing ? gate?.hold() : undefined), [isMissing])
}
