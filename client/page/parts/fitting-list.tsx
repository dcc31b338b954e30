import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { WholeContext } from './show-together.tsx'

/* A list that ends with a complete row, and whose height stays the same while its rows change. */

/** Maximum pixels added between two rows, so that the last visible row ends exactly at the end of the list. */
const MAX_ROOM = 14
/** Pixels. A list may grow with its rows if its maximum height exceeds its height by more than this. */
const SHORT = 120

/** A row, and its nested rows, which can be hidden one by one. */
interface Row {
  readonly own: HTMLElement
  readonly within: readonly HTMLElement[]
}

const bottomOf = (of: Element): number => of.getBoundingClientRect().bottom

/** The elements that end above `limit` (pixels of the window): complete rows, then nested rows of the next row. The first row is always included. */
const shownOf = (rows: readonly Row[], limit: number): readonly HTMLElement[] =>
  rows.flatMap(({ own, within }, i) => {
    if (bottomOf(own) <= limit) return [own, ...within]
    const fitting = within.filter((each) => bottomOf(each) <= limit)
    return fitting.length > 0 || i === 0 ? [own, ...fitting] : []
  })

const endOf = (shown: readonly HTMLElement[]): number => {
  const last = shown.at(-1)
  return last === undefined ? 0 : bottomOf(last)
}

/** Number of gaps between the visible elements. A table also has a gap above its head and one below its last row. */
const gapsOf = (shown: readonly HTMLElement[], rows: readonly Row[]): number => {
  if (shown[0]?.tagName === 'TR') return shown.length + 1
  const heads = rows.filter(({ own, within }) => within.length > 0 && shown.includes(own)).length
  return shown.length - heads - 1
}

/** The fixed height of a list, and the width for which it was computed. Pixels. */
interface FittedSize {
  height: number
  width: number
  /** True if a completely loaded view has shown the list with this height. */
  isSeen: boolean
}

/** Passes the number of visible nested rows to CSS: `--shown` is the text `3 of `, which CSS puts before the row's count. It is removed if all are visible. */
const tellShown = ({ own, within }: Row, isShown: ReadonlySet<HTMLElement>): void => {
  const count = within.filter((each) => isShown.has(each)).length
  if (isShown.has(own) && count < within.length) own.style.setProperty('--shown', `"${count} of "`)
  else own.style.removeProperty('--shown')
}

/**
 * Ends a list at its last row that fits, and hides the rows after it. All positions are measured before any style is set, to avoid repeated layout.
 * `isWhole`: the view has loaded completely.
 */
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
 * The lower part of a card, with a fixed height, so that a list that changes all the time moves nothing else. Rows that do not fit completely are hidden
 * from sight, screen readers and the keyboard. On first display, the list ends at its last visible row and keeps that height. `rows`: selector of the rows.
 * A row with nested rows can be shown in part.
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
    // Names that load late make rows higher. The observer is called before the browser draws, once for all rows of a drawing. The list itself is not
    // observed, because fitRows sets its height.
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
