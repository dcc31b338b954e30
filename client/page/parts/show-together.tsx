import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { createGate, GateContext, useHold } from '../base/show-when-loaded.ts'
import { Card, Waiting } from './layout.tsx'

/** Maximum milliseconds to wait for all parts of a view. Then the view is shown as it is. */
const LONGEST = 1_500

/** True once a view has loaded completely. Parts that use this context are drawn again then. */
export const WholeContext = createContext(false)

/** `late`: the view was shown before it was completely loaded. */
type State = 'waiting' | 'whole' | 'late' | 'late whole'

/** A view, or a replaceable part of a view, that is shown once all its parts are loaded. `opened` is called when it is shown. */
export const Together = ({ children, opened }: { readonly children: ComponentChildren; readonly opened?: () => void }) => {
  const [state, setState] = useState<State>('waiting')
  const [gate] = useState(() =>
    createGate(() => setState((before) => (before === 'waiting' ? 'whole' : before === 'late' ? 'late whole' : before))),
  )
  const isOpen = state !== 'waiting'
  // The outer view waits until this part is shown.
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
