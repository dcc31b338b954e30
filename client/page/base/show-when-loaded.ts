import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'

/* Shows a view when all of its parts are loaded, so that nothing moves while somebody reads. */

/** Hides a view while any of its parts is loading. */
export const createGate = (open: () => void) => {
  let holds = 0
  // A timer, because a loaded part can mount parts of its own, which hide the view again in the same task.
  const look = (): void => void setTimeout(() => holds === 0 && open())
  return {
    hold(): () => void {
      holds += 1
      return () => {
        holds -= 1
        if (holds === 0) look()
      }
    },
    /** Opens the gate if nothing hides the view. Call this method once the view is mounted. */
    begin: look,
  }
}

export const GateContext = createContext<ReturnType<typeof createGate> | undefined>(undefined)

export const useHold = (isMissing: boolean): void => {
  const gate = useContext(GateContext)
  useLayoutEffect(() => (isMissing ? gate?.hold() : undefined), [isMissing])
}
