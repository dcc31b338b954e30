import type { Span } from '../base/tracing/span.ts'
import { traced } from '../base/tracing/tracer.ts'
import { toHex } from '../tlb/bytes.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { GetMethodResult, Tvm } from './tvm.ts'

const traceRun = <T>(name: string, { workchain, hash }: AccountId, run: (span: Span) => T): T =>
  traced({ name, kind: 'step', attributes: { 'tonway.account': `${workchain}:${toHex(hash)}` } }, run)

const setOutcome = (span: Span, methodId: number, { exitCode, gasUsed }: GetMethodResult): void =>
  span.set({ 'tonway.tvm.method_id': methodId, 'tonway.tvm.exit_code': exitCode, 'tonway.tvm.gas': Number(gasUsed) })

export const tracedTvm = (tvm: Required<Tvm>): Tvm => ({
  ...tvm,
  runHere: (request, signal) =>
    traceRun('tvm.get_method', request.address, (span) => {
      const result = tvm.runHere(request, signal)
      if (result !== undefined) setOutcome(span, request.methodId, result)
      return result
    }),
  runGetMethod: (request, signal) =>
    traceRun('tvm.get_method', request.address, async (span) => {
      const result = await tvm.runGetMethod(request, signal)
      setOutcome(span, request.methodId, result)
      return result
    }),
  runTransaction: (request, signal, options) =>
    traceRun('tvm.transaction', request.account, () => tvm.runTransaction(request, signal, options)),
})
