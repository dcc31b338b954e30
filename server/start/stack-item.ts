import { sentItem } from '../../client/adapters/stack-arguments.ts'
import type { StackItem, TupleArgument } from './types.ts'

const isTupleArgument = (item: StackItem | TupleArgument): item is TupleArgument => !Array.isArray(item)

/** The argument of a get-method as the server takes it. Throws TypeError for a builder and NaN, which no server takes. */
export const toStackItem = (item: StackItem | TupleArgument): StackItem =>
  isTupleArgument(item) ? sentItem(item as Parameters<typeof sentItem>[0]) : item
