import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PlacedNode } from './arrange.ts'
import { NODE, PAD } from './arrange.ts'

export interface Sight {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Step size in pixels. The drawn part changes in steps, and is one step larger than the visible part. */
const STEP = 400

const sightOf = ({ scrollLeft, scrollTop, clientWidth, clientHeight }: HTMLElement, scale: number): Sight => {
  const down = (at: number): number => (Math.floor(at / STEP) - 1) * STEP
  const up = (at: number): number => (Math.ceil(at / STEP) + 1) * STEP
  return {
    left: down(scrollLeft) / scale,
    top: down(scrollTop) / scale,
    right: up(scrollLeft + clientWidth) / scale,
    bottom: up(scrollTop + clientHeight) / scale,
  }
}

const isSame = (a: Sight | undefined, b: Sight): boolean =>
  a !== undefined && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom

/** Calls `look` now and each time that the size of the element changes. Returns a function that ends this. */
const watchSize = (of: HTMLElement, look: () => void): (() => void) => {
  look()
  const watcher = new ResizeObserver(look)
  watcher.observe(of)
  return () => watcher.disconnect()
}

/**
 * The visible part of a frame; undefined until the scale is computed. The component is drawn again when the frame is scrolled or resized by a step. Call
 * this hook after `useMiddle`, because `useMiddle` scrolls the frame.
 */
export const useSight = (frame: RefObject<HTMLElement | null>, scale: number | undefined): Sight | undefined => {
  const [sight, setSight] = useState<Sight>()
  useLayoutEffect(() => {
    const of = frame.current
    if (of === null || scale === undefined) return
    const look = (): void => {
      const next = sightOf(of, scale)
      setSight((before) => (isSame(before, next) ? before : next))
    }
    const end = watchSize(of, look)
    of.addEventListener('scroll', look, { passive: true })
    return () => {
      end()
      of.removeEventListener('scroll', look)
    }
  }, [scale])
  return sight
}

/** The width of a frame in pixels; undefined until it is measured. */
export const useRoom = (frame: RefObject<HTMLElement | null>): number | undefined => {
  const [room, setRoom] = useState<number>()
  useLayoutEffect(() => {
    const of = frame.current
    return of === null ? undefined : watchSize(of, () => setRoom(of.clientWidth))
  }, [])
  return room
}

/** Keeps the centre of a frame fixed when the scale changes. At first, and for another `root`, the centre is `start`. */
export const useMiddle = (
  frame: RefObject<HTMLElement | null>,
  root: string,
  scale: number | undefined,
  start: PlacedNode | undefined,
): void => {
  const before = useRef<{ readonly root: string; readonly scale: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const of = frame.current
    if (of === null || scale === undefined) return
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = of
    const old = before.current?.root === root ? before.current : undefined
    before.current = { root, scale }
    if (old?.scale === scale) return
    const [x, y] =
      old === undefined
        ? [(start?.x ?? 0) + NODE.width / 2 + PAD, (start?.y ?? 0) + NODE.height / 2 + PAD]
        : [(scrollLeft + clientWidth / 2) / old.scale, (scrollTop + clientHeight / 2) / old.scale]
    of.scrollTo(x * scale - clientWidth / 2, y * scale - clientHeight / 2)
  })
}

export const isInSight = (sight: Sight | undefined, x1: number, y1: number, x2: number, y2: number): boolean =>
  sight !== undefined && x1 < sight.right && x2 > sight.left && y1 < sight.bottom && y2 > sight.top
