import { LITE_ERROR, type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../liteserver.ts'
import type { Codec, TlObject } from './codec.ts'
import { TlError } from './error.ts'
import { createLiteCodecs, FUNCTIONS, QUERY, WAIT } from './lite-api-schema.ts'
import { SHAPES, type Shape } from './port-differences.ts'
import { TlReader } from './reader.ts'
import { readLine } from './schema.ts'
import { createTlWriter } from './writer.ts'

/** Prefix of a query: the server answers once the masterchain has reached this seqno. */
export interface Wait {
  readonly seqno: number
  readonly timeoutMs: number
}

export interface LiteQuery<F extends LiteFunction = LiteFunction> {
  readonly fn: F
  readonly args: LiteArgs<F>
  readonly wait: Wait | undefined
  /** The form of the answer depends on the query's mode. */
  encodeAnswer(answer: LiteAnswer<F>): Buffer
}

const ERROR = readLine('liteServer.error code:int message:string = liteServer.Error')
/** Maximum bytes of a server's error text, for the log and for callers. The text can have 16 million bytes, and decoding them takes a tenth of a second. */
const MAX_ERROR_TEXT = 4_096
const NAMESPACE = 'liteServer.'

export const createLiteTl = () => {
  const codecs = createLiteCodecs()
  const error = codecs.result(ERROR.result)
  const functions = FUNCTIONS.map(({ name, id, result }) => {
    const fn = name.slice(NAMESPACE.length) as LiteFunction
    const shape: Shape<LiteFunction> = (SHAPES[fn] as Shape<LiteFunction> | undefined) ?? {}
    return { fn, id, args: codecs.args(name), result: codecs.result(result), shape }
  })
  const byName = new Map<LiteFunction, (typeof functions)[number]>(functions.map((each) => [each.fn, each]))
  const byId = new Map(functions.map((each) => [each.id, each]))
  const of = (fn: LiteFunction): (typeof functions)[number] => {
    const found = byName.get(fn)
    if (found === undefined) throw new TlError(`${fn} is not a function of lite_api`)
    return found
  }

  const encodeBoxed = (codec: Codec<TlObject>, value: TlObject): Buffer => {
    const writer = createTlWriter()
    codec.write(writer, value)
    return writer.finish()
  }

  const throwIfError = (bytes: Uint8Array): void => {
    const reader = new TlReader(bytes)
    if (reader.peek() !== ERROR.id) return
    reader.int()
    const code = reader.int()
    throw new LiteServerError(code, Buffer.from(reader.bytes().subarray(0, MAX_ERROR_TEXT)).toString())
  }

  return {
    encodeQuery<F extends LiteFunction>(fn: F, args: LiteArgs<F>, wait?: Wait): Buffer {
      const { id, args: codec, shape } = of(fn)
      const inner = createTlWriter()
      if (wait) {
        inner.int(WAIT.id)
        inner.int(wait.seqno)
        inner.int(wait.timeoutMs)
      }
      inner.int(id)
      codec.write(inner, shape.toWire?.(args as never) ?? (args as TlObject))
      const outer = createTlWriter()
      outer.int(QUERY.id)
      outer.bytes(inner.finish())
      return outer.finish()
    },

    /** Throws LiteServerError if the server answered liteServer.error. */
    throwIfError,

    /** As `throwIfError`, and throws TlError if the bytes are not an answer of that function. */
    decodeAnswer<F extends LiteFunction>(fn: F, bytes: Uint8Array): LiteAnswer<F> {
      throwIfError(bytes)
      const { result, shape } = of(fn)
      const reader = new TlReader(bytes)
      const wire = result.read(reader)
      reader.end()
      return (shape.answerFromWire?.(wire) ?? wire) as LiteAnswer<F>
    },

    /** Throws TlError for invalid bytes, or LiteServerError with ton's text for an unknown function. */
    decodeQuery(bytes: Uint8Array): LiteQuery {
      const outer = new TlReader(bytes)
      if (outer.uint() !== QUERY.id) throw new TlError('not a query to a lite-server')
      const reader = new TlReader(outer.bytes())
      outer.end()
      let id = reader.uint()
      let wait: Wait | undefined
      if (id === WAIT.id) {
        wait = { seqno: reader.int(), timeoutMs: reader.int() }
        id = reader.uint()
      }
      const found = byId.get(id)
      if (found === undefined) throw new LiteServerError(LITE_ERROR.protocolViolation, `unknown query ${id.toString(16).padStart(8, '0')}`)
      const wire = found.args.read(reader)
      reader.end()
      return {
        fn: found.fn,
        args: (found.shape.fromWire?.(wire) ?? wire) as LiteArgs<LiteFunction>,
        wait,
        encodeAnswer: (answer) => encodeBoxed(found.result, found.shape.answerToWire?.(answer as never, wire) ?? (answer as TlObject)),
      }
    },

    encodeError: ({ code, message }: LiteServerError): Buffer => encodeBoxed(error, { code, message: message.slice(0, 4_096) }),
  }
}
export type LiteTl = ReturnType<typeof createLiteTl>
