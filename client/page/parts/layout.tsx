import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Loaded } from '../base/call.ts'
import { hrefOf } from '../base/router.ts'
import { isKeyNeeded } from '../base/service.ts'
import { AnswerNames } from './answer-names.tsx'

interface CardProps {
  readonly title?: ComponentChildren
  readonly side?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

export const Card = ({ title, side, children, class: name = '' }: CardProps) => (
  <section class={`card ${name}`}>
    {(title !== undefined || side !== undefined) && (
      <header>
        <h2>{title}</h2>
        {side !== undefined && <div class="side">{side}</div>}
      </header>
    )}
    {children}
  </section>
)

/** Rows of names and values. `title`: the name as it is in the API or the schema. */
export const FactList = ({ rows }: { readonly rows: readonly (readonly [name: string, value: ComponentChildren, title?: string])[] }) => (
  <dl class="facts">
    {rows.map(([name, value, title]) => (
      <div key={name}>
        <dt title={title}>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** Values by their names. Undefined: the row is omitted. */
export type FactRows = Readonly<Record<string, ComponentChildren>>

export const Facts = ({ rows }: { readonly rows: FactRows }) => (
  <FactList rows={Object.entries(rows).filter(([, value]) => value !== undefined)} />
)

export interface TableProps<T> {
  readonly of: readonly T[]
  readonly id: (of: T, i: number) => string
  /** The cells of each column, by its name. */
  readonly columns: Readonly<Record<string, (of: T, i: number) => ComponentChildren>>
  /** Columns that end at the right. */
  readonly right?: readonly string[]
  readonly empty: string
  readonly label: string
  /** A table with few, short columns, which remains a table on a narrow screen. */
  readonly compact?: boolean
  /** True for a row that shows a failure. */
  readonly isBad?: (of: T, i: number) => boolean
  readonly class?: string
}

/** On a narrow screen, each row becomes a block that repeats the names of the columns. */
export const Table = <T,>({ of, id, columns, empty, right = [], label, compact = false, isBad, class: name = '' }: TableProps<T>) => {
  if (of.length === 0) return <Empty>{empty}</Empty>
  const all = Object.entries(columns).map(([name, cell]) => ({
    cell,
    props: { 'data-name': name, class: right.includes(name) ? 'right' : '' },
  }))
  return (
    <div class={`table ${compact ? '' : 'rows'} ${name}`} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {all.map(({ props }) => (
              <th key={props['data-name']} scope="col" {...props}>
                {props['data-name']}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((each, i) => (
            <tr key={id(each, i)} class={isBad?.(each, i) ? 'bad' : undefined}>
              {all.map(({ cell, props }) => (
                <td key={props['data-name']} {...props}>
                  {cell(each, i)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>

/** A card that only says why it has no content. */
export const EmptyCard = ({ children, ...card }: CardProps) => (
  <Card {...card}>
    <Empty>{children}</Empty>
  </Card>
)

export const Waiting = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} />
    ))}
  </div>
)

const MEANINGS: Readonly<Record<string, string>> = {
  NETWORK: 'The service does not answer.',
  TIMEOUT: 'The service did not answer in time.',
  NOT_SERVED: 'This service does not serve that. It may run without its index.',
  UNAVAILABLE: 'The service is not ready yet.',
  RATE_LIMITED: 'Too many calls in a short time. Wait a moment.',
  UNAUTHORIZED: 'The API key is not accepted. Change it in the menu “API key”.',
  FORBIDDEN: 'You may not call that from here.',
}

interface FaultProps {
  readonly error: { readonly kind: string; readonly message: string }
  readonly again?: () => void
}

/** An explanation, the message of the service below it, and a retry button. */
export const Fault = ({ error, again }: FaultProps) => {
  useLayoutEffect(() => {
    if (error.kind === 'UNAUTHORIZED' || error.kind === 'RATE_LIMITED') isKeyNeeded.set(true)
  }, [error.kind])
  return (
    <div class="fault" role="alert">
      <p>{MEANINGS[error.kind] ?? 'That did not work.'}</p>
      <p class="detail">{error.message.slice(0, 500)}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

interface LoadingProps<T> {
  readonly of: Loaded<T>
  readonly lines?: number
  readonly children: (data: T) => ComponentChildren
}

/** Shows loaded data, with the names in it; grey lines before that; after a failure, an error with a retry button. If a reload fails, the old data remains below the error. */
export const Loading = <T,>({ of: { data, error, again }, lines = 3, children }: LoadingProps<T>) => (
  <>
    {error && <Fault error={error} again={again} />}
    {data !== undefined ? <AnswerNames of={data}>{children(data)}</AnswerNames> : !error && <Waiting lines={lines} />}
  </>
)

/**
 * Scrolls a row of links until the current link is visible, without scrolling the page. `data-more` contains the sides with hidden links: `before`, `after`
 * or `both`.
 */
export const usePresentInSight = (deps: readonly unknown[]): RefObject<HTMLElement | null> => {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const row = nav.current
    const mark = (): void => {
      if (row === null) return
      const before = row.scrollLeft > 1
      const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 1
      if (before || after) row.setAttribute('data-more', before && after ? 'both' : before ? 'before' : 'after')
      else row.removeAttribute('data-more')
    }
    const show = (): void => {
      if (nav.current === null) return
      const present = nav.current.querySelector('[aria-current]')?.getBoundingClientRect()
      if (present !== undefined) {
        const frame = nav.current.getBoundingClientRect()
        nav.current.scrollLeft += present.left + present.width / 2 - (frame.left + frame.width / 2)
      }
      mark()
    }
    show()
    addEventListener('resize', show)
    row?.addEventListener('scroll', mark, { passive: true })
    return () => {
      removeEventListener('resize', show)
      row?.removeEventListener('scroll', mark)
    }
  }, deps)
  return nav
}

interface TabsProps {
  readonly label: string
  readonly at: string
  readonly tabs: readonly { readonly id: string; readonly name: string; readonly to: readonly (string | number)[] }[]
}

export const Tabs = ({ label, at, tabs }: TabsProps) => {
  const nav = usePresentInSight([at, tabs.length])
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ id, name, to }) => (
        <a key={id} href={hrefOf(...to)} aria-current={id === at ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

interface DetailsProps {
  readonly summary: ComponentChildren
  readonly class?: string
  readonly open?: boolean
  readonly children: () => ComponentChildren
}

/** Content that is drawn only when it is expanded, for long texts and lists. */
export const Details = ({ summary, class: name, open = false, children }: DetailsProps) => {
  const [opened, setOpened] = useState(open)
  return (
    <details class={name} open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {opened && children()}
    </details>
  )
}

interface HeadingProps {
  readonly title: string
  readonly tab?: string
  readonly children?: ComponentChildren
}

/** `tab`: a longer title for the browser's tab and history. */
export const Heading = ({ title, tab = title, children }: HeadingProps) => {
  document.title = `${tab} · tonway`
  return (
    <div class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  )
}
