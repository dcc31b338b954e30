import type { ComponentChild, ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { AccountPage } from './account/account.tsx'
import { route } from './base/router.ts'
import { useStore } from './base/store.ts'
import { Card, EmptyCard, Fault, Heading } from './parts/layout.tsx'
import { Together } from './parts/show-together.tsx'
import { Shell } from './shell.tsx'
import { BlockPage } from './views/block.tsx'
import { ConfigPage } from './views/config.tsx'
import { HooksPage } from './views/hooks.tsx'
import { MethodsPage } from './views/methods.tsx'
import { Overview } from './views/overview.tsx'
import { TransactionPage } from './views/transaction.tsx'
import { ValidatorsPage } from './views/validators.tsx'
import { WorkbenchPage } from './views/workbench.tsx'

const Unknown = () => (
  <>
    <Heading title="Nothing here" />
    <EmptyCard>
      There is no such page. <a href="#/">Go to the overview</a>
    </EmptyCard>
  </>
)

/** Shows an error if a view throws while rendering. Renders again when the route changes, or when the user asks for it. */
const Guard = ({ at, children }: { readonly at: string; readonly children: ComponentChildren }) => {
  const [error, reset] = useErrorBoundary()
  useEffect(reset, [at])
  return error === undefined ? (
    children
  ) : (
    <>
      <Heading title="This view could not be drawn" />
      <Card>
        <Fault error={{ kind: 'PROTOCOL', message: String(error) }} again={reset} />
      </Card>
    </>
  )
}

const SEQNO = /^\d{1,10}$/
const WORKCHAIN = /^-?\d{1,10}$/

const view = (parts: readonly string[]): ComponentChild => {
  const [name, first, second, third] = parts
  if (name === undefined) return <Overview />
  if (name === 'account' && first !== undefined) return <AccountPage key={first} address={first} tab={second} />
  if (name === 'tx' && first !== undefined) return <TransactionPage key={first} hash={first} />
  if (name === 'block' && WORKCHAIN.test(first ?? '') && second !== undefined && SEQNO.test(third ?? ''))
    return <BlockPage key={parts.join('/')} workchain={Number(first)} shard={second} seqno={Number(third)} />
  if (name === 'validators') return <ValidatorsPage />
  if (name === 'config') return <ConfigPage />
  if (name === 'hooks') return <HooksPage />
  if (name === 'methods') return <MethodsPage name={first} />
  if (name === 'workbench') return <WorkbenchPage />
  return <Unknown />
}

export const App = () => {
  const parts = useStore(route)
  const [name, first] = parts
  // Focuses the heading of a new view, so that screen readers announce it. A user who is typing in the search box keeps the focus.
  const focusHeading = (): void => {
    const at = document.activeElement
    if (parts.length > 0 && (at === null || at === document.body || at.closest('main') !== null))
      document.querySelector<HTMLElement>('main h1')?.focus()
  }
  const isFirst = useRef(true)
  useEffect(() => {
    // Moves the focus from the link or the search box to the new view, whose heading then takes the focus.
    if (!isFirst.current && parts.length > 0) document.getElementById('content')?.focus({ preventScroll: true })
    isFirst.current = false
    focusHeading()
  }, [name, first])
  // Changing the tab of an account, or the method, does not remount the view.
  const key = name === 'methods' ? name : name === 'account' ? `${name}/${first}` : parts.join('/')
  return (
    <Shell>
      <Guard at={parts.join('/')}>
        <Together key={key} opened={focusHeading}>
          {view(parts)}
        </Together>
      </Guard>
    </Shell>
  )
}
