import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'

/* A view is shown once all of its parts are there, so that none of them pushes away another while somebody reads it. */

/** Keeps a view back while any of its parts loads. */
export interface Gate {
  /** Keeps it back until the function that it returns is called. */
  hold(): () => void
  /** Looks whether anything holds it. Call it once the view is mounted. */
  begin(): void
}

/** Calls `open` once nothing holds the gate. */
export const createGate = (open: () => void): Gate => {
  let holds = 0
  // A part that is there may have parts of its own, which hold the gate in the same turn.
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

/** Keeps the view back while this part of it is not there. */
export const useHold = (isMissing: boolean): void => {
  const gate = useContext(GateContext)
  useLayoutEffect(() => (isMissing ? gate?.hold() : undefined), [isMissing])
}
