import type { Span } from '../base/tracing/span.ts'
import { traced } from '../base/tracing/tracer.ts'
import { toHex } from '../tlb/bytes.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { Tvm } from './tvm.ts'

const traceRun = <T>(name: string, { workchain, hash }: AccountId, run: (span: Span) => T): T =>
  traced({ name, kind: 'step', attributes: { 'tonway.account': `${workchain}:${toHex(hash)}` } }, run)

export const tracedTvm = (tvm: Tvm): Tvm => ({
  ...tvm,
  runGetMethod: (request, signal) =>
    traceRun('tvm.get_method', request.address, async (span) => {
      const result = await tvm.runGetMethod(request, signal)
      const { exitCode, gasUsed } = result
      span.set({ 'tonway.tvm.method_id': request.methodId, 'tonway.tvm.exit_code': exitCode, 'tonway.tvm.gas': Number(gasUsed) })
      return result
    }),
  runTransaction: (request, signal, options) =>
    traceRun('tvm.transaction', request.account, () => tvm.runTransaction(request, signal, options)),
})
