import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { WholeContext } from './together.tsx'

/* A list that ends with a whole row, and keeps its height while its rows change. */

/** Pixels that are added at most between two rows, so that the last one ends where the list ends. */
const MAX_ROOM = 14
/** A list that is shorter than it may be by more than this grows with its rows. Pixels. */
const SHORT = 120

/** A row, and those within it that can be left out one by one. */
interface Row {
  readonly own: HTMLElement
  readonly within: readonly HTMLElement[]
}

const bottomOf = (of: Element): number => of.getBoundingClientRect().bottom

/** What ends above `limit` (pixels of the window): whole rows, then those within the next one. The first row is always there. */
const shownOf = (rows: readonly Row[], limit: number): readonly HTMLElement[] =>
  rows.flatMap(({ own, within }, i) => {
    if (bottomOf(own) <= limit) return [own, ...within]
    const fitting = within.filter((each) => bottomOf(each) <= limit)
    return fitting.length > 0 || i === 0 ? [own, ...fitting] : []
  })

/** The lower end of the last row that is shown, or of the last one within it. */
const endOf = (shown: readonly HTMLElement[]): number => {
  const last = shown.at(-1)
  return last === undefined ? 0 : bottomOf(last)
}

/** Distances between what is shown: a table has one above its head and one below its last row, too. */
const gapsOf = (shown: readonly HTMLElement[], rows: readonly Row[]): number => {
  if (shown[0]?.tagName === 'TR') return shown.length + 1
  const heads = rows.filter(({ own, within }) => within.length > 0 && shown.includes(own)).length
  return shown.length - heads - 1
}

/** The height that a list keeps, and the width that it had then. Pixels. */
interface FittedSize {
  height: number
  width: number
  /** It was in sight with this height, in a view that had all that it loads. */
  isSeen: boolean
}

/** Tells a row how many of those within it are shown, if not all are: what it says of their number begins with `--shown`. */
const tellShown = ({ own, within }: Row, isShown: ReadonlySet<HTMLElement>): void => {
  const count = within.filter((each) => isShown.has(each)).length
  if (isShown.has(own) && count < within.length) own.style.setProperty('--shown', `"${count} of "`)
  else own.style.removeProperty('--shown')
}

/** Ends a list at its last row that fits, and hides the others. All places are read before anything is set. `isWhole`: the view has all that it loads. */
const fitRows = (list: HTMLElement, rows: readonly Row[], fitted: FittedSize, isWhole: boolean): void => {
  list.style.setProperty('--room', '0px')
  const { top, width } = list.getBoundingClientRect()
  const most = Number.parseFloat(getComputedStyle(list).maxHeight)
  const whole = endOf(shownOf(rows, top + most)) - top
  const isNew = width !== fitted.width || !fitted.isSeen
  const height = isNew ? whole : fitted.height < most - SHORT ? Math.max(whole, fitted.height) : fitted.height
  const shown = shownOf(rows, top + height)
  const left = top + height - endOf(shown)
  const room = Math.max(0, Math.min(MAX_ROOM, left / Math.max(1, gapsOf(shown, rows))))
  const isShown = new Set(shown)
  for (const { own, within } of rows) for (const each of [own, ...within]) each.toggleAttribute('data-over', !isShown.has(each))
  for (const row of rows) tellShown(row, isShown)
  list.style.setProperty('--room', `${room}px`)
  list.style.height = `${height}px`
  Object.assign(fitted, { height, width, isSeen: isWhole })
}

/**
 * The rest of a card of a fixed height. Rows that do not fit in it whole are neither shown, nor read out, nor reached by the keyboard, so that a list that
 * changes all the time moves nothing else. It ends with its last row when it is first shown, and keeps that height. `rows`: selector of its rows; those that
 * have rows of their own are shown in part.
 */
export const Fitting = ({ rows, children }: { readonly rows: string; readonly children: ComponentChildren }) => {
  const place = useRef<HTMLDivElement>(null)
  const fitted = useRef<FittedSize>({ height: 0, width: 0, isSeen: false })
  const isWhole = useContext(WholeContext)
  useLayoutEffect(() => {
    const list = place.current
    if (list === null) return
    const all = [...list.querySelectorAll<HTMLElement>(rows)].map(
      (own): Row => ({ own, within: [...own.querySelectorAll<HTMLElement>('li')] }),
    )
    // Names arrive late and make rows higher. The browser calls this before it draws, and once for the rows of each drawing, such as the one when the view is
    // whole. The list itself is not watched: this sets its height.
    const watcher = new ResizeObserver(() => fitRows(list, all, fitted.current, isWhole))
    for (const { own } of all) watcher.observe(own)
    return () => watcher.disconnect()
  })
  return (
    <div class="fitting" ref={place}>
      {children}
    </div>
  )
}
