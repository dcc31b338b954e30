import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { createGate, GateContext, useHold } from '../base/gate.ts'
import { Card, Waiting } from './layout.tsx'

/** Longest wait for all parts of a view, in milliseconds. Then it is shown as it is. */
const LONGEST = 1_500

/** Whether a view has all that it loads. Parts of it that have to know are drawn again when it has. */
export const WholeContext = createContext(false)

/** `late`: shown before it was whole. */
type State = 'waiting' | 'whole' | 'late' | 'late whole'

/** A view, or a part that takes the place of another part of it, shown when all that it has is loaded. `opened` is called then. */
export const Together = ({ children, opened }: { readonly children: ComponentChildren; readonly opened?: () => void }) => {
  const [state, setState] = useState<State>('waiting')
  const [gate] = useState(() =>
    createGate(() => setState((before) => (before === 'waiting' ? 'whole' : before === 'late' ? 'late whole' : before))),
  )
  const isOpen = state !== 'waiting'
  // A view waits for the parts in it.
  useHold(!isOpen)
  useLayoutEffect(() => {
    gate.begin()
    const timer = setTimeout(() => setState((before) => (before === 'waiting' ? 'late' : before)), LONGEST)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isOpen) opened?.()
  }, [isOpen])
  return (
    <GateContext.Provider value={gate}>
      {!isOpen && (
        <div class="awaited">
          <Card>
            <Waiting lines={8} />
          </Card>
        </div>
      )}
      <WholeContext.Provider value={state === 'whole' || state === 'late whole'}>
        <div class={isOpen ? state : 'held'} aria-busy={!isOpen}>
          {children}
        </div>
      </WholeContext.Provider>
    </GateContext.Provider>
  )
}
